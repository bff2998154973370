import { atom } from 'nanostores';
import { ApiError } from '../../../contract/calls/errors.ts';
import { requestPayout } from '../../../contract/payouts/payouts.ts';
import { createRandomId } from '../../browser/random-id.ts';
import { callApi } from '../../api/browser.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { reloadProfile } from '../profile/profile.ts';
import { presentError } from '../shared/request-errors.ts';

/** Spec §8. */
export const PAYOUT_ACCEPTED = '送金依頼を受け付けました。';
export const PAYOUT_FAILED = '送金依頼に失敗しました。時間をおいて再度お試しください。';
const NO_EMAIL = '先に、メールアドレスを登録してください。';
/** Spec §9. */
const NOTICE_MS = 3000;

export type PayoutState =
  | { readonly state: 'closed' | 'sending' | 'accepted' }
  /** `reasons`: the host's reasons for refusing the last attempt; they stay longer than the failure notice. */
  | { readonly state: 'open' | 'failed'; readonly reasons: readonly string[] };

/** Requests a payout of the reward balance (spec §4). */
export function createPayout() {
  const $payout = atom<PayoutState>({ state: 'closed' });
  let idempotencyKey = '';
  let notice: ReturnType<typeof setTimeout> | undefined;

  function show(next: PayoutState, after?: PayoutState): void {
    clearTimeout(notice);
    $payout.set(next);
    if (after) notice = setTimeout(() => $payout.set(after), NOTICE_MS);
  }

  /** One opened dialog is one idempotency key: a repeat after a lost answer pays only once. */
  function open(): void {
    if ($payout.get().state !== 'closed') return;
    idempotencyKey = createRandomId();
    show({ state: 'open', reasons: [] });
  }

  /** Returns whether it closed: it stays open while sending. */
  function close(): boolean {
    if ($payout.get().state === 'sending') return false;
    show({ state: 'closed' });
    return true;
  }

  /** `email` is the member's own address (spec §7). */
  async function send(email: string): Promise<void> {
    const { state } = $payout.get();
    if (state !== 'open' && state !== 'failed') return;
    if (email === '') return show({ state: 'open', reasons: [NO_EMAIL] });
    show({ state: 'sending' });
    try {
      const key = isExtended() && { idempotencyKey };
      await callApi(requestPayout, { body: { email }, ...key });
      show({ state: 'accepted' }, { state: 'closed' });
      reloadProfile();
    } catch (error) {
      // The password prompt was closed: no request has been made yet.
      if (error instanceof ApiError && error.kind === 'cancelled')
        return show({ state: 'open', reasons: [] });
      const reasons = toReasons(error);
      show({ state: 'failed', reasons }, { state: 'open', reasons });
      // Another tab may have requested a payout before.
      if (error instanceof ApiError && error.kind === 'refused') reloadProfile();
    }
  }

  return { $payout, open, close, send };
}

/** Why the host refused, if it gives a reason. */
function toReasons(error: unknown): readonly string[] {
  const { problems, isExplained, status } = presentError(error, { toasts: 'none' });
  return isExplained || status === 429 ? problems : [];
}
