import { PAYOUT_HOLD_CAUSE } from '../../../contract/payouts/payouts.ts';
import { listMissing, toLabels } from '../../../contract/accounts/profile-fields.ts';
import { Problem, notFound } from '../../platform/http/problem.ts';
import { queueMail } from '../mail/service.ts';
import { recordAction, requireStaff } from '../staff/actions.ts';
import { toReason } from '../staff/reasons.ts';
import { PAID_OUT, PAYOUTS_HELD, insertEntry, toArtistAccount } from './postings.ts';
import { toPaidMail, toRefusedMail } from './mails.ts';
import { decidePayout, findPayee, findPayoutState, selectPayouts } from './queries.ts';
import type { Decision } from './queries.ts';
import type { PayoutDeps } from './payout-requests.ts';
import type { Handle } from '../../platform/database/handle.ts';
import { LISTED_MAX } from '../staff/rules.ts';

const HELD = `${PAYOUT_HOLD_CAUSE}は、送金済みにできません。`;
const BLOCKED = '制限中のメンバーへの送金は、送金済みにできません。';

/** The action of the staff that puts a request into a file for the bank: from then on only they know whether it is paid. */
export const MAKE_BANK_FILE = 'make bank file';

/** Requests of members, oldest first, with the accounts to pay to. For staff only. */
export function readPayouts(
  { database }: Pick<PayoutDeps, 'database'>,
  state: 'requested' | 'paid' | 'refused' = 'requested',
) {
  return selectPayouts(database.db, state, LISTED_MAX);
}

/**
 * Records a request as paid, notifies the member and logs the decision. Throws `Problem` 403 for a caller who is not
 * staff, 404 when there is no such request, 409 when it is already decided or details are missing, 423 while the member is blocked or payouts
 * are held because the payee details were changed.
 */
export function payPayout(deps: PayoutDeps, requestId: string, staffId: string): Promise<void> {
  return decide(deps, requestId, { state: 'paid', decided_by: staffId, reason: '' });
}

/**
 * Returns a request's yen to the artist and mails the reason; throws like `payPayout`, and 400 without a
 * reason.
 */
export async function refusePayout(
  deps: PayoutDeps,
  requestId: string,
  staffId: string,
  reason: string,
): Promise<void> {
  const decision = { state: 'refused', decided_by: staffId, reason: toReason(reason) } as const;
  await decide(deps, requestId, decision);
}

async function decide(
  deps: PayoutDeps,
  requestId: string,
  decision: Omit<Decision, 'decided_at'>,
): Promise<void> {
  const nowMs = deps.clock.now();
  await deps.database.db.transaction().execute(async (transaction: Handle) => {
    const { state, decided_by: staffId, reason } = decision;
    await requireStaff(transaction, staffId);
    const request = await bookDecision(transaction, requestId, { ...decision, decided_at: nowMs });
    const action = state === 'paid' ? 'pay transfer' : 'refuse transfer';
    await recordAction(transaction, { staffId, action, subject: requestId, note: reason }, nowMs);
    const payee = await findPayee(transaction, request.user_id);
    // An account that was erased again after a restore: the bank has paid it before, or the yen come back.
    if (payee === undefined || payee.deleted_at !== null) return;
    const missing = state === 'paid' ? listMissing(payee, { needsFurigana: true }) : [];
    // The member has emptied them since: the bank could not carry it out as recorded.
    if (missing.length > 0) {
      throw new Problem(409, `未入力の項目があるため、送金済みにできません：${toLabels(missing)}`);
    }
    if (state === 'paid' && payee.is_blocked === 1) throw new Problem(423, BLOCKED);
    if (state === 'paid' && payee.payout_held_until > nowMs) throw new Problem(423, HELD);
    const mail =
      state === 'paid'
        ? toPaidMail(deps, payee, request.amount)
        : toRefusedMail(deps, payee, request.amount, reason);
    await queueMail(transaction, mail, nowMs);
  });
}

/** Decides a request inside a transaction, without its mail; throws like `payPayout`. */
export async function bookDecision(transaction: Handle, requestId: string, decision: Decision) {
  const request = await decidePayout(transaction, requestId, decision);
  if (request === undefined) throw toRefusal(await findPayoutState(transaction, requestId));
  const isPaid = decision.state === 'paid';
  await insertEntry(transaction, {
    kind: isPaid ? 'transfer-paid' : 'transfer-refused',
    from_account: PAYOUTS_HELD,
    to_account: isPaid ? PAID_OUT : toArtistAccount(request.user_id),
    amount: request.amount,
    reference: request.id,
    idempotency_key: `transfer-decided:${request.id}`,
    created_at: decision.decided_at,
  });
  return request;
}

function toRefusal(state: string | undefined): Problem {
  if (state === undefined) return notFound();
  return new Problem(
    409,
    state === 'paid' ? 'この依頼はすでに送金済みです。' : 'この依頼はすでに却下されています。',
  );
}
