import { HOUR_SEC } from '../../../contract/values/time-units.ts';
import { IDEMPOTENCY_HEADER, IDEMPOTENCY_KEY_LENGTH_MAX } from '../../../contract/calls/endpoint.ts';
import * as calls from '../../../contract/payouts/payouts.ts';
import { isMonth } from '../../../contract/values/months.ts';
import { getStatement } from '../../../contract/payouts/statements.ts';
import { Problem } from '../../platform/http/problem.ts';
import { byMember } from '../../platform/http/access.ts';
import { mailing } from '../../platform/http/mail-budget.ts';
import { route, withDeps } from '../../platform/http/route.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Route } from '../../platform/http/route.ts';
import type { RateLimit } from '../../platform/limits/rate-limits.ts';
import { describeDevice } from '../accounts/user-agents.ts';
import { requireRecentLogIn } from '../accounts/recent-login.ts';
import type { Feature } from '../feature.ts';
import { LEDGER_ERASURE } from './erasure.ts';
import { LEDGER_FILES } from './export.ts';
import { ledgerCheck } from './checks.ts';
import { PAYOUT_ROUTES } from './desk.ts';
import { ZENGIN_ROUTES } from './zengin/file.ts';
import type { LedgerOptions } from './options.ts';
import { readStatement } from './statements.ts';
import { listOwnPayouts } from './payout-history.ts';
import { requestPayout } from './payout-requests.ts';
import { PAYOUT_UNDO } from './undo.ts';

/** Rewards of artists, payouts and statements. */
export const ledgerFeature: Feature<LedgerOptions> = {
  name: 'ledger',
  checks: [ledgerCheck],
  desk: [...PAYOUT_ROUTES, ...ZENGIN_ROUTES],
  queues: [{ name: 'transfers', table: 'transfer_requests', states: ['requested'], since: 'created_at' }],
  erasure: LEDGER_ERASURE,
  exports: LEDGER_FILES,
  undo: [PAYOUT_UNDO],
  openOptions: ({ settings: { operatorEmail, rewardPendingDays } }) => ({ operatorEmail, rewardPendingDays }),
  apiTexts: () => import('./api-texts.ts'),
  createModule: (options) => ({
    routes: withDeps((platform) => ({ ...platform, ...options }), ROUTES),
  }),
};

/** Per member: enough for retries, too few to cause load. */
const PAYOUT_REQUESTS: RateLimit = { name: 'payout-request', points: 20, perSec: HOUR_SEC };

/** Per member: three years month by month, several times over. A busy month has 100,000 entries to add up. */
const STATEMENTS: RateLimit = { name: 'statement', points: 120, perSec: HOUR_SEC };

/** Per member: the list is read when it is opened and when a request changes. */
const PAYOUT_HISTORY: RateLimit = { name: 'payout-history', points: 120, perSec: HOUR_SEC };

const ROUTES: readonly Route<Platform & LedgerOptions>[] = [
  route(
    calls.requestPayout,
    {
      caller: 'member not blocked',
      owner: 'own',
      limits: [byMember(PAYOUT_REQUESTS)],
      // To the member, to the staff, and that it was undone.
      mails: mailing(3),
    },
    async ({ body, caller, context }, deps) => {
      const { id, sessionId } = caller;
      requireRecentLogIn(caller, deps.clock.now());
      const device = describeDevice(context.req.header('user-agent'));
      const idempotencyKey = toIdempotencyKey(context.req.header(IDEMPOTENCY_HEADER));
      const input = { ...body, idempotencyKey, device, sessionId };
      const { amount, requestedAtMs } = await requestPayout(deps, id, input);
      return {
        detail: '送金依頼を受け付けました。',
        amount,
        requested_at: new Date(requestedAtMs).toISOString(),
      };
    },
  ),

  route(
    calls.listOwnPayouts,
    { caller: 'member', owner: 'own', limits: [byMember(PAYOUT_HISTORY)] },
    ({ query, caller }, { database }) => listOwnPayouts(database.db, caller.id, query.page),
  ),

  route(
    getStatement,
    { caller: 'member', owner: 'own', limits: [byMember(STATEMENTS)] },
    async ({ params: { month }, caller }, { database }) => {
      if (!isMonth(month)) throw new Problem(400, { month: '月は2026-11の形で指定してください。' });
      return readStatement(database.db, caller.id, month);
    },
  ),
];

/** An empty header counts as absent. */
function toIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || header === '') return undefined;
  if (header.length <= IDEMPOTENCY_KEY_LENGTH_MAX) return header;
  throw new Problem(400, {
    [IDEMPOTENCY_HEADER]: `Idempotency-Key は${IDEMPOTENCY_KEY_LENGTH_MAX}文字以内で指定してください。`,
  });
}
