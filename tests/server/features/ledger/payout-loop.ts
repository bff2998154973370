import { flushCompileCache } from 'node:module';
import { openDatabase } from '#server/schema/open.ts';
import type { DatabaseLocation } from '#server/platform/database/open.ts';
import { recordReward } from '#server/features/ledger/postings.ts';
import { payPayout, refusePayout } from '#server/features/ledger/payout-decisions.ts';
import { requestPayout } from '#server/features/ledger/payout-requests.ts';
import { Problem } from '#server/platform/http/problem.ts';
import { LAST_MONTH_MS, toAddress, toPayoutDeps } from '#support/members/payouts.ts';

/**
 * A process that earns 3,000 yen, requests its payout and has it decided, repeatedly, and reports each
 * completed step to its parent. Even steps are refused, odd ones paid together with the amount refused
 * before. It begins with a step that may be partly or fully done, and sends 'end' after `count`.
 */
// For the next process: this one is killed before Node would write the compile cache.
flushCompileCache();
const [place = '', artistId = '', username = '', staffId = '', nowMs = '', first = '', count = ''] =
  process.argv.slice(2);
const database = await openDatabase(JSON.parse(place) as DatabaseLocation);
const deps = toPayoutDeps(database, { now: () => Number(nowMs) });
const end = Number(first) + Number(count || Infinity);
for (let step = Number(first); step < end; step++) {
  const key = `${artistId} ${step}`;
  const reward = { artistId, yen: 3_000, downloads: 1, atMs: LAST_MONTH_MS, reference: 'loop' };
  await recordReward(database.db, { ...reward, idempotencyKey: key });
  process.send?.(['reward', step]);
  const wish = { email: toAddress(username), idempotencyKey: key };
  const { id } = await requestPayout(deps, artistId, wish);
  process.send?.(['request', step]);
  await decideOnce(id, step % 2 === 1);
  process.send?.(['decision', step]);
}
await database.close();
process.disconnect();

async function decideOnce(requestId: string, isPaid: boolean): Promise<void> {
  try {
    if (isPaid) await payPayout(deps, requestId, staffId);
    else await refusePayout(deps, requestId, staffId, '理由');
  } catch (error) {
    // Done before the previous process was killed.
    if (!(error instanceof Problem && error.status === 409)) throw error;
  }
}
