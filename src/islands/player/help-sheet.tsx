import { createRoot } from 'react-dom/client';
import { $hasKeys } from '../../stores/player/player.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Icon } from '../ui/Icon.tsx';
import { useStore } from '../ui/use-store.ts';
import '../late.ts';

const KEYS: readonly (readonly [keys: string, meaning: string])[] = [
  ['スペース', '再生・一時停止'],
  ['← / →', '5秒戻る・進む'],
  ['↑ / ↓', '音量を上げる・下げる'],
  ['N / P', '次・前のサウンド'],
  ['J / K', 'リストの次・前のサウンドを選ぶ'],
  ['F', 'お気に入り'],
  ['D', 'ダウンロード'],
  ['C', 'ダウンロードのあとのクレジット表記'],
  ['/', '検索'],
  ['?', 'この一覧'],
];

/** Opens the sheet of keys. On closing, the browser returns focus to the previous element. */
export function openHelpSheet(): void {
  if (document.getElementById('help-title')) return;
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  root.render(
    <HelpSheet
      onClose={() => {
        root.unmount();
        container.remove();
      }}
    />,
  );
}

function HelpSheet({ onClose }: { onClose: () => void }) {
  const hasKeys = useStore($hasKeys);
  return (
    <Dialog titleId="help-title" bodyClass="" onClose={onClose}>
      <div className="flex items-center justify-between py-2 pr-2 pl-6">
        <h2 id="help-title" className="text-lg">
          キーボード操作
        </h2>
        <button type="button" className="icon-button" aria-label="閉じる" onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-3 px-6 pb-4 max-[15rem]:grid-cols-1">
        {KEYS.map(([keys, meaning]) => (
          <div key={keys} className="contents">
            <dt className="mt-0.5">
              <kbd className="rounded border border-line bg-tint px-2 py-0.5 font-sans text-sm text-ink">
                {keys}
              </kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label className="flex min-h-11 items-center gap-3 border-t border-line px-6 py-3 text-sm">
        <input
          type="checkbox"
          className="size-5 flex-none accent-accent"
          checked={hasKeys}
          onChange={(event) => $hasKeys.set(event.currentTarget.checked)}
        />
        キーボード操作を使う
      </label>
    </Dialog>
  );
}
