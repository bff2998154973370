import { useStore } from '@nanostores/react';
import { useEffect, useState } from 'react';
import { formatDateTime } from '../../../contract/date-times.ts';
import { createUndo } from '../../stores/account/account.ts';
import { DoneView } from '../ui/DoneView.tsx';
import { LinkMissing, LinkProblems } from '../ui/MailedLink.tsx';

/** Shows what the link of a mail would undo, and the button that does it. */
export function UndoChange() {
  const [undo] = useState(createUndo);
  const known = useStore(undo.$undo);
  useEffect(() => undo.start(), [undo]);
  if (known.state === 'link-missing') return <LinkMissing subject="変更" />;
  if (known.state === 'done') return <Undone />;
  const isUndoing = known.state === 'undoing';
  return (
    <div className="form-card" aria-busy={known.state === 'reading' || undefined}>
      <h1 className="form-title">変更の取り消し</h1>
      {known.state === 'reading' && <p role="status">リンクを確認しています…</p>}
      {'changes' in known && (
        <>
          <p className="form-lead">
            {formatDateTime(Date.parse(known.changedAt))}以降の次の変更を、すべて取り消します。
          </p>
          <ul className="grid list-disc gap-1 ps-6 font-semibold">
            {known.changes.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
          <ul className="form-note grid list-disc gap-1 ps-8">
            <li>変更前の内容に戻ります。すでに送金された報酬は戻せません。</li>
            <li>すべての端末からログアウトします。</li>
            <li>今のパスワードは使えなくなります。新しいパスワードを決めるためのメールをお送りします。</li>
          </ul>
        </>
      )}
      <LinkProblems problems={'problems' in known ? known.problems : []} />
      {'changes' in known && (
        <button
          type="button"
          className="button button-primary form-submit"
          aria-disabled={isUndoing || undefined}
          aria-busy={isUndoing || undefined}
          onClick={() => void undo.undo()}
        >
          {isUndoing ? '処理中...' : '変更を取り消す'}
        </button>
      )}
      {known.state === 'failed' && known.canRetry && (
        <button type="button" className="button form-submit" onClick={() => void undo.read()}>
          もう一度読み込む
        </button>
      )}
    </div>
  );
}

function Undone() {
  return (
    <DoneView title="変更を取り消しました">
      <p>
        変更前の内容に戻し、すべての端末からログアウトしました。新しいパスワードを決めるためのメールをお送りしましたので、ご確認ください。
      </p>
      <div className="form-help">
        <h2>メールが届かないとき</h2>
        <p>
          <a className="link" href="/forgot-password">
            パスワードの再設定
          </a>
          から、もう一度お送りできます。
        </p>
      </div>
    </DoneView>
  );
}
