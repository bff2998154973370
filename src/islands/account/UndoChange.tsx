import { useEffect, useState } from 'react';
import { formatDateTime } from '../../../contract/values/date-times.ts';
import { createUndo } from '../../stores/account/account.ts';
import type { UndoState } from '../../stores/account/account.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { DoneView } from '../ui/DoneView.tsx';
import { LinkProblems } from '../ui/LinkProblems.tsx';
import { LinkMissing } from '../ui/MailedLink.tsx';
import { useStore } from '../ui/use-store.ts';

/** Shows what the link of a mail would undo, and the button that does it. */
export function UndoChange() {
  const [undo] = useState(createUndo);
  const current = useStore(undo.$undo);
  useEffect(() => undo.start(), [undo]);
  if (current.state === 'link-missing') return <LinkMissing subject="変更" />;
  if (current.state === 'done') {
    if (current.restored === null) return <Undone />;
    return current.restored === 'sounds' ? <SoundsRestored /> : <DeletionCancelled />;
  }
  return (
    <div className="form-card" aria-busy={current.state === 'reading' || undefined}>
      <h1 className="form-title">変更の取り消し</h1>
      {current.state === 'reading' && <p role="status">リンクを確認しています…</p>}
      <LinkProblems
        problems={'problems' in current ? current.problems : []}
        onRetry={current.state === 'failed' && current.canRetry ? () => void undo.read() : undefined}
      />
      {'changes' in current &&
        (current.deletion === null ? (
          <Changes current={current} undo={undo.undo} />
        ) : current.deletion === 'sounds' ? (
          <OwnSounds current={current} undo={undo.undo} />
        ) : (
          <Deletion current={current} undo={undo.undo} />
        ))}
    </div>
  );
}

interface ChangesProps {
  current: Extract<UndoState, { readonly changes: readonly string[] }>;
  undo: (keepsPassword?: boolean) => Promise<void>;
}

function Changes({ current, undo }: ChangesProps) {
  return (
    <>
      <p className="form-lead">
        {formatDateTime(Date.parse(current.changedAt))}以降の次の変更を、すべて取り消します。
      </p>
      <ul className="grid list-disc gap-1 ps-6 font-semibold">
        {current.changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      <ul className="form-note grid list-disc gap-1 ps-8">
        <li>変更前の内容に戻ります。すでに送金された報酬は戻せません。</li>
        {current.widenedDownloads > 0 && <li>{toDownloadsText(current.widenedDownloads)}</li>}
        <li>すべての端末からログアウトします。</li>
        <li>今のパスワードは使えなくなります。新しいパスワードを決めるためのメールをお送りします。</li>
      </ul>
      <UndoButton current={current} label="変更を取り消す" isPrimary onPress={() => void undo()} />
    </>
  );
}

/** The owner may have changed their mind, or somebody else may know the password. */
function Deletion({ current, undo }: ChangesProps) {
  return (
    <>
      <p className="form-lead">
        {formatDateTime(Date.parse(current.changedAt))}に受け付けたアカウントの削除を取り消します。
      </p>
      <p className="form-note">
        パスワードはこれまでのまま使えます。取り消したあとに、ログインしてください。
      </p>
      <UndoButton current={current} label="削除を取り消す" isPrimary onPress={() => void undo(true)} />
      <div className="form-help">
        <h2>削除に心当たりがないとき</h2>
        <p>
          ほかの人がパスワードを知っているおそれがあります。削除を取り消して、今のパスワードを使えなくし、新しいパスワードを決めるためのメールをお送りします。
        </p>
        <UndoButton current={current} label="取り消して、パスワードを変える" onPress={() => void undo()} />
      </div>
    </>
  );
}

/** The mail names all of them. */
const TITLES_MAX = 20;

/** Like `Deletion`. Other changes since then are undone only if the password changes as well. */
function OwnSounds({ current, undo }: ChangesProps) {
  const titles = [...new Set(current.sounds)];
  const { count, lines } = current.changed;
  const isChanged = count > 0;
  return (
    <>
      {isChanged && (
        <>
          <p className="form-lead">
            {formatDateTime(Date.parse(current.changedAt))}から変更した次のサウンドを、元の内容に戻します。
          </p>
          <Named lines={lines} count={count} />
        </>
      )}
      {titles.length > 0 && (
        <>
          <p className="form-lead">
            {formatDateTime(Date.parse(current.changedAt))}から削除した次のサウンドを、元に戻します。
          </p>
          <Named lines={titles} count={titles.length} />
        </>
      )}
      <ul className="form-note grid list-disc gap-1 ps-8">
        {isChanged && <li>そのあとでもう一度変更した項目と、サムネイルは、今のままです。</li>}
        {titles.length > 0 && <li>お気に入りと公開の設定も元に戻ります。</li>}
        {current.widenedDownloads > 0 && <li>{toDownloadsText(current.widenedDownloads)}</li>}
        <li>パスワードはこれまでのまま使えます。</li>
      </ul>
      <UndoButton current={current} label="サウンドを元に戻す" isPrimary onPress={() => void undo(true)} />
      <div className="form-help">
        <h2>{isChanged ? 'この操作' : '削除'}に心当たりがないとき</h2>
        <p>
          ほかの人があなたのアカウントを使っているおそれがあります。このときからの変更をすべて取り消し、すべての端末からログアウトして、新しいパスワードを決めるためのメールをお送りします。
        </p>
        <p>取り消す変更：{current.changes.join('、')}</p>
        <UndoButton current={current} label="取り消して、パスワードを変える" onPress={() => void undo()} />
      </div>
    </>
  );
}

function Named({ lines, count }: { lines: readonly string[]; count: number }) {
  const visible = lines.slice(0, TITLES_MAX);
  return (
    <ul className="grid list-disc gap-1 ps-6 font-semibold wrap-anywhere">
      {visible.map((line) => (
        <li key={line}>{line}</li>
      ))}
      {count > visible.length && <li>ほか{count - visible.length}件</li>}
    </ul>
  );
}

/** Downloads under the undone terms were made in good faith. */
function toDownloadsText(downloads: number): string {
  return `使いみちかContent IDの変更のあとに、対象のサウンドは${downloads.toLocaleString('ja-JP')}回ダウンロードされています。その利用証明書は、ダウンロードしたときの条件のまま有効です。`;
}

interface UndoButtonProps {
  current: ChangesProps['current'];
  label: string;
  isPrimary?: boolean;
  onPress: () => void;
}

function UndoButton({ current, label, isPrimary = false, onPress }: UndoButtonProps) {
  return (
    <BusyButton
      className={`button form-submit ${isPrimary ? 'button-primary' : ''}`}
      isBusy={current.state === 'undoing'}
      onClick={onPress}
    >
      {label}
    </BusyButton>
  );
}

function DeletionCancelled() {
  return (
    <DoneView title="アカウントの削除を取り消しました">
      <p>アーティストページとサウンドは、削除を受け付ける前の状態に戻りました。</p>
      <a className="button button-primary form-submit" href="/login">
        ログインする
      </a>
    </DoneView>
  );
}

function SoundsRestored() {
  return (
    <DoneView title="サウンドを元に戻しました">
      <p>削除や変更の前の状態に戻りました。</p>
      <a className="button button-primary form-submit" href="/profile">
        プロフィールへ
      </a>
    </DoneView>
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
