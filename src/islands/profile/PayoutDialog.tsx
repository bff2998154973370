import { useEffect, useRef } from 'react';
import { formatDateTime } from '../../../contract/values/date-times.ts';
import { PAYOUT_HOLD_CAUSE, PAYOUT_MIN_YEN } from '../../../contract/payouts/payouts.ts';
import type { Profile } from '../../../contract/accounts/profile.ts';
import { formatYen } from '../../lib/format.ts';
import { PAYOUT_ACCEPTED, PAYOUT_FAILED } from '../../stores/rewards/rewards.ts';
import type { createPayout } from '../../stores/rewards/rewards.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { toLanguage } from '../ui/FieldFrame.tsx';
import { Icon } from '../ui/Icon.tsx';
import { showYen } from './RewardFigure.tsx';
import { useStore } from '../ui/use-store.ts';

interface PayoutDialogProps {
  payout: ReturnType<typeof createPayout>;
  profile: Profile;
}

/** Spec §4: open; sending (cannot be closed); then the result for 3 s. */
export function PayoutDialog({ payout, profile }: PayoutDialogProps) {
  const dialog = useStore(payout.$payout);
  const isSending = dialog.state === 'sending';
  const heldUntil = findHold(profile);
  const isAccepted = dialog.state === 'accepted';
  const close = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The focused button has been removed.
    if (isAccepted) close.current?.focus();
  }, [isAccepted]);
  return (
    <Dialog
      isOpen={dialog.state !== 'closed'}
      isBlocked={isSending}
      title="送金の依頼"
      onClose={payout.close}
    >
      {!isAccepted && <Terms profile={profile} />}
      {!isAccepted && heldUntil !== null && (
        <p className="form-note flex gap-2">
          <Icon name="lock" className="mt-0.5 size-5 flex-none" />
          {`安全のため、${PAYOUT_HOLD_CAUSE}は送金を依頼できません。${formatDateTime(Date.parse(heldUntil))}から依頼できます。`}
        </p>
      )}
      <div className={isAccepted ? undefined : 'payout-notice'}>
        {(isSending || (dialog.state === 'open' && dialog.reasons.length === 0)) && (
          <p className="form-hint">運営者が確認し、ご登録の口座に振り込みます。</p>
        )}
        <div role="alert">
          {isAccepted && (
            <p className="flex gap-2">
              <Icon name="check" className="mt-0.5 size-6 flex-none text-success" />
              {PAYOUT_ACCEPTED}
            </p>
          )}
          {'reasons' in dialog && <Failure {...dialog} />}
        </div>
      </div>
      <div className="dialog-actions">
        {/* Stay focusable while sending, so that focus is not lost; the store ignores presses. */}
        <button
          ref={close}
          type="button"
          className="button"
          aria-disabled={isSending || undefined}
          onClick={payout.close}
        >
          {isAccepted ? '閉じる' : 'キャンセル'}
        </button>
        {!isAccepted && (
          <BusyButton
            className="button button-primary"
            disabled={heldUntil !== null}
            isBusy={isSending}
            onClick={() => void payout.send(profile.email)}
          >
            依頼する
          </BusyButton>
        )}
      </div>
    </Dialog>
  );
}

/** The time until which the host accepts no request; null if it accepts requests or does not say. */
function findHold({ payout_held_until }: Profile): string | null {
  return payout_held_until !== undefined && Date.parse(payout_held_until) > Date.now()
    ? payout_held_until
    : null;
}

function Terms({ profile }: { profile: Profile }) {
  return (
    <>
      <dl className="reward-figures">
        <div>
          <dt>送金額（報酬残高の全額）</dt>
          <dd className="reward-main">{showYen(profile.reward_balance)}</dd>
        </div>
      </dl>
      <ul className="payout-terms">
        <li>送金には、{formatYen(PAYOUT_MIN_YEN)}以上の報酬が必要です。</li>
        <li>金融機関の手数料がかかる場合があります。</li>
        {!profile.is_personal_info_verified && <li>本人確認が済むまで、送金できないことがあります。</li>}
      </ul>
    </>
  );
}

/** The reasons stay after the notice is gone, and so does its space, so that the buttons do not move. */
function Failure({ state, reasons }: { state: 'open' | 'failed'; reasons: readonly string[] }) {
  return (
    <>
      {reasons.map((reason) => (
        <p key={reason} className="font-semibold" lang={toLanguage(reason)}>
          {reason}
        </p>
      ))}
      {(state === 'failed' || reasons.length > 0) && (
        <p className={`text-danger ${state === 'failed' ? '' : 'invisible'}`}>{PAYOUT_FAILED}</p>
      )}
    </>
  );
}
