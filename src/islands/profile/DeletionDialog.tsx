import { useId, useState } from 'react';
import { PAYOUT_MIN_YEN } from '../../../contract/payouts/payouts.ts';
import { DELETION_GRACE_DAYS } from '../../../contract/accounts/own-data.ts';
import type { DeletionPreview } from '../../../contract/accounts/own-data.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { formatYen } from '../../lib/format.ts';
import type { createDeletion } from '../../stores/account/account.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { useStore } from '../ui/use-store.ts';

/** Says what is deleted and what is not, and asks for consent to exactly that. */
export function DeletionDialog({ deletion }: { deletion: ReturnType<typeof createDeletion> }) {
  const dialog = useStore(deletion.$deletion);
  const [isSure, setIsSure] = useState(false);
  const consentId = useId();
  const isSending = dialog.state === 'sending';
  const preview = 'preview' in dialog ? dialog.preview : undefined;
  const problems = 'problems' in dialog ? dialog.problems : [];
  const close = () => {
    deletion.close();
    setIsSure(false);
  };
  const isBlocked = preview !== undefined && findBlocker(preview) !== null;
  return (
    <Dialog isOpen={dialog.state !== 'closed'} isBlocked={isSending} title="アカウントの削除" onClose={close}>
      {dialog.state === 'loading' && <p role="status">読み込み中...</p>}
      {preview && <Consequences preview={preview} />}
      <div role="alert" className={problems.length === 0 ? 'sr-only' : undefined}>
        {problems.map((problem) => (
          <p key={problem} className="font-semibold">
            {problem}
          </p>
        ))}
      </div>
      {preview && isBlocked && <p className="form-note">{findBlocker(preview)}</p>}
      {preview && !isBlocked && (
        <label className="form-check">
          <input
            type="checkbox"
            checked={isSure}
            aria-describedby={consentId}
            onChange={(event) => setIsSure(event.currentTarget.checked)}
          />
          <span className="form-check-text" id={consentId}>
            {preview.balance > 0
              ? `報酬残高の${formatYen(preview.balance)}を受け取らず、アカウントを削除することに同意します`
              : 'アカウントを削除することに同意します'}
          </span>
        </label>
      )}
      <div className="dialog-actions">
        <button type="button" className="button" aria-disabled={isSending || undefined} onClick={close}>
          キャンセル
        </button>
        {preview && (
          <BusyButton
            className="button own-danger"
            disabled={isBlocked || !isSure}
            isBusy={isSending}
            onClick={() => void deletion.send()}
          >
            アカウントを削除する
          </BusyButton>
        )}
      </div>
    </Dialog>
  );
}

/** What the member has to do first; null if nothing. */
function findBlocker({ has_open_transfer, is_last_staff }: DeletionPreview): string | null {
  if (is_last_staff)
    return '最後の運営者アカウントのため、削除できません。先に、ほかの運営者を追加してください。';
  if (has_open_transfer)
    return '手続き中の送金依頼があります。送金が完了するか、却下されてから、削除できます。';
  return null;
}

function Consequences({ preview }: { preview: DeletionPreview }) {
  const { sounds, favorites, balance, payable } = preview;
  return (
    <>
      <ul className="payout-terms">
        <li>アーティストページとサウンドはすぐに公開されなくなり、ログインもできなくなります。</li>
        <li>
          {`${DELETION_GRACE_DAYS}日後に、サウンド（${sounds}件）、お気に入り（${favorites}件）、プロフィール、お問い合わせの内容を完全に削除します。`}
        </li>
        <li>それまでは、お送りするメールのリンクから取り消せます。</li>
        <li>報酬と送金の記録は、お名前を除いて残ります。</li>
        {isExtended() && <li>ほかの方の利用証明書には、アーティスト名とサウンドのタイトルが残ります。</li>}
      </ul>
      {balance > 0 && (
        <dl className="reward-figures">
          <div>
            <dt>受け取れなくなる報酬残高</dt>
            <dd className="reward-main">{formatYen(balance)}</dd>
          </div>
        </dl>
      )}
      {payable >= PAYOUT_MIN_YEN && (
        <p className="form-hint">{`このうち${formatYen(payable)}は、先に送金を依頼すると受け取れます。`}</p>
      )}
    </>
  );
}
