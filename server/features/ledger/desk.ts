import { PAYOUT_HOLD_CAUSE } from '../../../contract/payouts/payouts.ts';
import { listMissing, toLabels } from '../../../contract/accounts/profile-fields.ts';
import * as calls from '../../../contract/operator/operator.ts';
import type { DecidedPayout, Payout } from '../../../contract/operator/operator.ts';
import { Problem } from '../../platform/http/problem.ts';
import { route } from '../../platform/http/route.ts';
import type { Route } from '../../platform/http/route.ts';
import { DECIDING_RECENTLY, READING_RECENTLY } from '../staff/rules.ts';
import { payPayout, readPayouts, refusePayout } from './payout-decisions.ts';
import type { PayoutDeps } from './payout-requests.ts';
import { selectDecidedPayouts } from './queries.ts';

export const NO_LONGER_WAITING =
  '選んだ依頼のなかに、すでに決まったものがあります。一覧を読み込み直してください。';

/** The requests of artists to be paid. */
export const PAYOUT_ROUTES: readonly Route<PayoutDeps>[] = [
  route(calls.listPayouts, READING_RECENTLY, async (_, deps) => ({
    results: await listWaitingPayouts(deps),
  })),

  route(calls.listDecidedPayouts, READING_RECENTLY, ({ query }, deps) => listDecided(deps, query.page)),

  route(calls.payPayouts, DECIDING_RECENTLY, ({ body, caller }, deps) =>
    payAll(deps, caller.id, body.ids, body.total),
  ),

  route(calls.refusePayout, DECIDING_RECENTLY, async ({ params: { id }, body, caller }, deps) => {
    await refusePayout(deps, id, caller.id, body.reason);
    return { state: 'refused' as const };
  }),
];

/** The requests that wait, oldest first, with what stands in the way of each. */
export async function listWaitingPayouts(deps: PayoutDeps): Promise<Payout[]> {
  const requests = await readPayouts(deps);
  return requests.map((request) => ({
    id: request.id,
    created_at: request.created_at,
    amount: request.amount,
    username: request.username,
    email: request.email,
    name: request.name,
    furigana: request.furigana,
    bank_name: request.bank_name,
    branch_name: request.branch_name,
    deposit_type: request.deposit_type,
    account_number: request.account_number,
    obstacle: toObstacle(request, deps.clock.now()),
  }));
}

/** A page of the requests that were paid or refused, the latest decision first. */
export async function listDecided(
  { database }: Pick<PayoutDeps, 'database'>,
  page = 1,
): Promise<{ results: DecidedPayout[]; has_more: boolean }> {
  const limit = calls.DECIDED_PAYOUTS_PAGE_SIZE;
  const rows = await selectDecidedPayouts(database.db, { limit: limit + 1, offset: (page - 1) * limit });
  return { results: rows.slice(0, limit), has_more: rows.length > limit };
}

type Request = Awaited<ReturnType<typeof readPayouts>>[number];

/** Why a request cannot be paid now; '' if it can. `payPayout` decides, with the same conditions. */
export function toObstacle(request: Request, nowMs: number): string {
  const missing = listMissing(request, { needsFurigana: true });
  if (missing.length > 0) return `未入力：${toLabels(missing)}`;
  if (request.is_blocked === 1) return 'メンバーが制限中';
  return request.payout_held_until > nowMs ? `${PAYOUT_HOLD_CAUSE}以内` : '';
}

/**
 * Books requests as paid, one by one. Throws `Problem` 409 if one of them does not wait any more, and 400 if the bank
 * transferred another total; nothing is booked then.
 */
export async function payAll(
  deps: PayoutDeps,
  staffId: string,
  ids: readonly string[],
  total: number,
): Promise<{ paid: string[]; refused: { id: string; reason: string }[] }> {
  const waiting = new Map((await readPayouts(deps)).map(({ id, amount }) => [id, amount]));
  const chosen = [...new Set(ids)];
  if (chosen.some((id) => !waiting.has(id))) {
    throw new Problem(409, NO_LONGER_WAITING);
  }
  const sum = chosen.reduce((yen, id) => yen + (waiting.get(id) ?? 0), 0);
  if (sum !== total) {
    throw new Problem(400, {
      total: `選んだ依頼の合計は${sum.toLocaleString('ja-JP')}円です。銀行の合計金額を確かめてください。`,
    });
  }
  const paid: string[] = [];
  const refused: { id: string; reason: string }[] = [];
  for (const id of chosen) {
    try {
      await payPayout(deps, id, staffId);
      paid.push(id);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      refused.push({ id, reason: error.message });
    }
  }
  return { paid, refused };
}
