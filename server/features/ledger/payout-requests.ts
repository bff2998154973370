import { formatDateTime } from '../../../contract/values/date-times.ts';
import { PAYOUT_HOLD_CAUSE, PAYOUT_MIN_YEN } from '../../../contract/payouts/payouts.ts';
import { listMissing, toLabels } from '../../../contract/accounts/profile-fields.ts';
import { randomId } from '../../platform/database/statements/random-id.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Clock } from '../../platform/concurrency/clock.ts';
import { addUndoLink } from '../accounts/undo-links.ts';
import { describeDevice } from '../accounts/user-agents.ts';
import { requireSession } from '../accounts/sessions.ts';
import { toEmailKey } from '../accounts/users.ts';
import { queueMail } from '../mail/service.ts';
import { readPayable } from './figures.ts';
import { PAYOUTS_HELD, insertEntry, lockBalance, toArtistAccount } from './postings.ts';
import type { LedgerOptions } from './options.ts';
import { toReceivedMail, toOperatorMail } from './mails.ts';
import { findPayoutByKey, hasOpenPayout, insertPayout, lockPayee } from './queries.ts';
import type { Handle } from '../../platform/database/handle.ts';

export type PayoutDeps = Pick<Platform, 'database' | 'clock' | 'siteUrl' | 'siteName'> &
  Pick<LedgerOptions, 'operatorEmail'>;
type RequestDeps = PayoutDeps & Partial<Pick<LedgerOptions, 'rewardPendingDays'>>;

/** A payout requested by a member. */
export interface PayoutInput {
  /** As typed; must be the member's own. */
  readonly email: string;
  /** Identifies the intended action: repeated requests with the same key have one effect. */
  readonly idempotencyKey?: string | undefined;
  /** The kind of device, for the mail (`describeDevice`). */
  readonly device?: string;
  /** The requesting session; undefined for a program of the operator. */
  readonly sessionId?: string;
}

/** A recorded request. */
export interface PayoutReceipt {
  readonly id: string;
  /** Yen. */
  readonly amount: number;
  readonly requestedAtMs: number;
}

/**
 * Requests a payout of a member's whole payable balance. The request, its ledger entry and the mails about it are
 * created together or not at all. Throws `Problem`: 400 for an address that is not the member's, unverified or
 * incomplete personal info, or too small an amount; 401 when the session has ended meanwhile; 403 for a blocked member,
 * and for 72 hours after a change of payee details; 409 while another request is open, or when the key was used with
 * another address.
 */
export function requestPayout(deps: RequestDeps, userId: string, input: PayoutInput): Promise<PayoutReceipt> {
  const { database, clock } = deps;
  return database.db.transaction().execute(async (transaction: Handle) => {
    const booked = await bookPayoutRequest(transaction, userId, input, clock, deps.rewardPendingDays);
    if (booked.isNew) {
      const { payee, receipt } = booked;
      const { amount, requestedAtMs: nowMs } = receipt;
      const context = { nowMs, device: input.device ?? describeDevice(undefined) };
      const undo = await addUndoLink(transaction, deps, userId, {}, context);
      await queueMail(transaction, toReceivedMail(deps, payee, amount, undo), nowMs, { priority: 'account' });
      await queueMail(transaction, toOperatorMail(deps, payee, receipt), nowMs);
    }
    return booked.receipt;
  });
}

/** Same as `requestPayout`, inside a transaction and without its mails. */
export async function bookPayoutRequest(
  transaction: Handle,
  userId: string,
  { email, idempotencyKey, sessionId }: PayoutInput,
  clock: Clock,
  pendingDays?: number,
) {
  // Locked first, so that a member's requests are processed one at a time.
  const payee = await lockPayee(transaction, userId);
  // Read under the lock, so that an undo link of an earlier change precedes this request and cancels it.
  const nowMs = clock.now();
  if (sessionId !== undefined) await requireSession(transaction, { id: userId, sessionId }, nowMs);
  if (payee === undefined) throw new Problem(401, 'ログインしてください。');
  const balance = await lockBalance(transaction, userId);

  if (idempotencyKey !== undefined) {
    const earlier = await findPayoutByKey(transaction, userId, idempotencyKey);
    if (earlier !== undefined) {
      if (toEmailKey(earlier.email) !== toEmailKey(email)) throw usedKey();
      const receipt = { id: earlier.id, amount: earlier.amount, requestedAtMs: earlier.created_at };
      return { isNew: false as const, receipt };
    }
  }
  if (payee.is_blocked === 1) {
    throw new Problem(403, '現在、送金依頼を受け付けられません。お問い合わせください。');
  }
  if (payee.payout_held_until > nowMs) throw toHoldProblem(payee.payout_held_until);
  if (toEmailKey(email) !== payee.email_key) {
    throw new Problem(400, { email: 'ご登録のメールアドレスと一致しません。' });
  }
  if (await hasOpenPayout(transaction, userId)) {
    throw new Problem(409, '手続き中の送金依頼があります。完了してから、もう一度お試しください。');
  }
  if (payee.is_personal_info_verified === 0) {
    throw new Problem(400, '送金依頼には本人確認が必要です。身分証の承認をお待ちください。');
  }
  const missing = listMissing(payee, { needsFurigana: true });
  if (missing.length > 0) {
    throw new Problem(
      400,
      `送金に必要な項目が未入力です：${toLabels(missing)}。プロフィールの「個人情報・振込先」で入力してください。`,
    );
  }
  const amount = await readPayable(transaction, userId, balance, nowMs, pendingDays);
  if (amount < PAYOUT_MIN_YEN) throw tooLittle(amount, balance - amount);

  const id = randomId();
  await insertPayout(transaction, {
    id,
    user_id: userId,
    amount,
    email,
    state: 'requested',
    idempotency_key: idempotencyKey ?? null,
    created_at: nowMs,
    decided_at: null,
    decided_by: null,
  });
  await insertEntry(transaction, {
    kind: 'transfer-requested',
    from_account: toArtistAccount(userId),
    to_account: PAYOUTS_HELD,
    amount,
    reference: id,
    idempotency_key: `transfer-requested:${id}`,
    created_at: nowMs,
  });
  return { isNew: true as const, payee, receipt: { id, amount, requestedAtMs: nowMs } };
}

function toHoldProblem(untilMs: number): Problem {
  return new Problem(
    403,
    `${PAYOUT_HOLD_CAUSE}は、安全のため送金を依頼できません。${formatDateTime(untilMs)}（日本時間）以降に、もう一度お試しください。`,
  );
}

function usedKey(): Problem {
  return new Problem(409, 'この Idempotency-Key は、別の内容の送金依頼に使われています。');
}

function tooLittle(payable: number, pending: number): Problem {
  const [min, balance, waiting] = [PAYOUT_MIN_YEN, payable, pending].map((yen) =>
    yen.toLocaleString('ja-JP'),
  );
  const more = pending > 0 ? `ほかに、確認中の報酬が${waiting}円あります。` : '';
  return new Problem(
    400,
    `送金依頼には、先月までの報酬残高が${min}円以上必要です。現在の残高は${balance}円です。${more}`,
  );
}
