import { useEffect } from 'react';
import { USE_STATES, type OwnUse, type UseState } from '../../../contract/artists/uses.ts';
import { formatCount } from '../../lib/format.ts';
import { ask } from '../../stores/overlays/overlays.ts';
import { $isUseMailed, changeUseMails, decideOnUses, ownUses } from '../../stores/uses/uses.ts';
import { Chips } from '../ui/Chips.tsx';
import { Paged } from '../ui/Paged.tsx';
import { useStore } from '../ui/use-store.ts';
import { OwnUseLine } from './OwnUseLine.tsx';

const STATE_TEXTS: Readonly<Record<UseState, { readonly name: string; readonly empty: string }>> = {
  waiting: { name: '確認待ち', empty: '確認を待っている使用報告はありません。' },
  confirmed: { name: '公開中', empty: '公開している使用作品はありません。' },
  hidden: { name: '非表示', empty: '非表示にした使用報告はありません。' },
  reported: { name: '運営に報告', empty: '運営に報告した使用報告はありません。' },
};

/** The uses of an artist's sounds that listeners reported. */
export function UsesView() {
  const { query } = useStore(ownUses.$list);
  const state = query ?? 'waiting';
  useEffect(() => {
    void ownUses.load('waiting');
    return ownUses.close;
  }, []);
  return (
    <section className="profile-panel reports-page" aria-labelledby="uses-title">
      <a className="link inline-flex min-h-11 items-center justify-self-start" href="/profile">
        プロフィールに戻る
      </a>
      <h1 id="uses-title" tabIndex={-1} className="text-xl outline-none">
        使用報告
      </h1>
      <p>
        サウンドをダウンロードした人が知らせてくれた作品です。公開すると、作品名とリンクがサウンドとアーティストのページに表示されます。リンク先を確かめてから公開してください。
      </p>
      <MailChoice />
      <div>
        <Chips
          label="表示する使用報告"
          // A press before hydration would be lost.
          className={`mb-4 flex flex-wrap gap-2 ${query === null ? 'invisible' : ''}`}
          choices={USE_STATES.map((each) => [each, STATE_TEXTS[each].name] as const)}
          chosen={state}
          onChoose={(each) => void ownUses.load(each)}
        />
        <Paged
          list={ownUses}
          title="使用報告を読み込めませんでした"
          empty={STATE_TEXTS[state].empty}
          more="もっと見る"
        >
          {(uses, isBusy) => (
            <>
              {state === 'waiting' && uses.length > 1 && <HideAll uses={uses} />}
              <ul className="report-list" aria-busy={isBusy || undefined}>
                {uses.map((use) => (
                  <OwnUseLine key={use.id} use={use} />
                ))}
              </ul>
            </>
          )}
        </Paged>
      </div>
      <p className="form-hint">
        確認待ちのまま180日、または非表示にして90日が過ぎた使用報告は、削除されます。
      </p>
    </section>
  );
}

function MailChoice() {
  const isMailed = useStore($isUseMailed);
  return (
    <label className="form-check">
      <input
        type="checkbox"
        checked={isMailed ?? false}
        disabled={isMailed === null}
        onChange={(event) => void changeUseMails(event.currentTarget.checked)}
      />
      <span className="form-check-text">新しい使用報告の件数を、週に1回までメールで受け取る</span>
    </label>
  );
}

/** For an artist who receives very many reports. */
function HideAll({ uses }: { uses: readonly OwnUse[] }) {
  const count = `${formatCount(uses.length)}件`;
  const hideAll = async () => {
    const isSure = await ask({
      title: `${count}を非表示にしますか？`,
      text: '表示しているものをすべて非表示にします。あとから1件ずつ公開できます。',
      action: '非表示にする',
    });
    if (
      isSure &&
      (await decideOnUses(
        uses.map(({ id }) => id),
        'hidden',
      ))
    ) {
      document.getElementById('uses-title')?.focus();
    }
  };
  return (
    <button type="button" className="button mb-4" onClick={() => void hideAll()}>
      表示中の{count}をすべて非表示にする
    </button>
  );
}
