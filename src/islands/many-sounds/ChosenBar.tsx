import { useEffect, useRef, useState } from 'react';
import { formatCount } from '../../lib/format.ts';
import { $applying, $chosenRows, dismissResult, undoChanges } from '../../stores/many-sounds/many-sounds.ts';
import type { Applying } from '../../stores/many-sounds/many-sounds.ts';
import { openDeletion } from '../../stores/my-sounds/my-sounds.ts';
import { Icon } from '../ui/Icon.tsx';
import { FillDialog } from './FillDialog.tsx';
import { PlanDialog } from './PlanDialog.tsx';
import { useStore } from '../ui/use-store.ts';

/** The actions for the chosen rows, and the result of the last change. Always in view. */
export function ChosenBar() {
  const rows = useStore($chosenRows);
  const applying = useStore($applying);
  const [opened, setOpened] = useState<'plan' | 'fill' | null>(null);
  const sounds = rows.flatMap(({ sound }) => sound ?? []);
  if (rows.length === 0 && applying.state === 'idle') return null;
  return (
    <>
      <section className="panel many-bar" aria-label="選んだサウンド">
        <Result applying={applying} />
        <p role="status" className="me-auto font-semibold">
          {formatCount(rows.length)}件を選択中
        </p>
        <button
          type="button"
          className="button button-primary"
          aria-haspopup="dialog"
          disabled={rows.length === 0}
          onClick={() => setOpened('plan')}
        >
          変更する
        </button>
        <button
          type="button"
          className="button"
          aria-haspopup="dialog"
          aria-label="名前・CSVから入力"
          disabled={rows.length === 0}
          onClick={() => setOpened('fill')}
        >
          名前・CSV
        </button>
        <button
          type="button"
          className="button"
          aria-haspopup="dialog"
          disabled={sounds.length === 0}
          onClick={() => openDeletion(sounds)}
        >
          <Icon name="trash" className="size-5" />
          削除
        </button>
      </section>
      <PlanDialog isOpen={opened === 'plan'} onClose={() => setOpened(null)} />
      <FillDialog isOpen={opened === 'fill'} onClose={() => setOpened(null)} />
    </>
  );
}

function Result({ applying }: { applying: Applying }) {
  const element = useRef<HTMLDivElement>(null);
  const isDone = applying.state === 'done';
  // The dialog that started the change is closed.
  useEffect(() => {
    if (isDone) element.current?.focus({ preventScroll: true });
  }, [isDone]);
  if (applying.state === 'idle') return null;
  if (applying.state === 'sending') {
    return (
      <p role="status" className="many-result">
        変更しています…（{formatCount(applying.done)}／{formatCount(applying.total)}件）
      </p>
    );
  }
  const { kind, changed, refused, undo } = applying;
  return (
    <div ref={element} className="many-result" role="status" tabIndex={-1}>
      <p>
        {formatCount(changed)}件を{kind === 'undo' ? '元に戻しました' : '変更しました'}。
        {refused.length > 0 && `${formatCount(refused.length)}件はそのままです。`}
      </p>
      {undo !== null && (
        <button type="button" className="button" onClick={() => void undoChanges()}>
          元に戻す
        </button>
      )}
      <button type="button" className="icon-button" aria-label="結果を閉じる" onClick={dismissResult}>
        <Icon name="close" className="size-5" />
      </button>
      {refused.length > 0 && (
        <ul className="many-refused" aria-label="そのままのサウンド">
          {refused.map(({ id, title, reason }) => (
            <li key={id} className="wrap-anywhere">
              <span className="font-semibold">{title}</span>：{reason}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
