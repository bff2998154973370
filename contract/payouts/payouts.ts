import * as v from 'valibot';
import { EmailSchema } from '../values/emails.ts';
import { defineEndpoint } from '../calls/endpoint.ts';
import { lastWholeNumber } from '../calls/query-values.ts';
import { IdSchema, type Read, listOf, orElse } from '../calls/wire.ts';

/** Yen (spec §9). */
export const PAYOUT_MIN_YEN = 3_000;
/** How long payouts are held after payee details were entered or changed. */
export const PAYOUT_HOLD_MS = 72 * 60 * 60 * 1000;
/** When a payout is held. The first entry of payee details is no change, but a thief can make it as well. */
export const PAYOUT_HOLD_CAUSE = '氏名または振込先の登録か変更から72時間';

/** The accepted request: yen, and ISO 8601 in UTC. */
export const PayoutAcceptedSchema = orElse(
  v.object({ detail: v.string(), amount: v.number(), requested_at: v.string() }),
  undefined,
);

/** Requests a payout of the whole reward balance; the address is the member's own (spec §7). */
export const requestPayout = defineEndpoint({
  method: 'POST',
  path: '/api/finance/transfer-request/',
  body: v.object({ email: EmailSchema }),
  reply: PayoutAcceptedSchema,
  refuses: [400, 403, 409],
});

/** A payout requested by a member. Amounts are yen, times ISO 8601 in UTC. */
export const OwnPayoutSchema = v.object({
  id: IdSchema,
  amount: v.number(),
  state: v.picklist(['requested', 'paid', 'refused']),
  requested_at: v.string(),
  /** When it was paid or rejected. */
  decided_at: v.optional(v.string()),
  /** The reason for a rejection, written by the staff for the member. */
  reason: v.optional(v.string()),
});
export type OwnPayout = Read<typeof OwnPayoutSchema>;

export const OWN_PAYOUTS_PAGE_SIZE = 20;
export const OWN_PAYOUTS_PAGE_MAX = 100;
const PAGE_PROBLEM = `ページ番号は1から${OWN_PAYOUTS_PAGE_MAX}までの整数で指定してください。`;

/** `next` is the number of the next page. */
export const OwnPayoutPageSchema = v.object({
  results: listOf(OwnPayoutSchema),
  next: orElse(v.nullable(v.number()), null),
});

/** A member's own payout requests, newest first. */
export const listOwnPayouts = defineEndpoint({
  method: 'GET',
  path: '/api/finance/transfer-requests/',
  query: v.object({
    page: v.optional(lastWholeNumber(1, OWN_PAYOUTS_PAGE_MAX, PAGE_PROBLEM)),
  }),
  reply: OwnPayoutPageSchema,
  refuses: [400],
});
