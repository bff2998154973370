import { describe, expect, test } from 'vitest';
import type { Database } from '#server/platform/database/open.ts';
import { toArtistAccount } from '#server/features/ledger/postings.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { readMails } from '#support/members/accounts.ts';
import { listRows, openLocated, ruleDatabases } from '#support/databases/databases.ts';
import { depth } from '#support/depth.ts';
import { addPayee, toAddress } from '#support/members/payouts.ts';
import { startDoomed } from '#support/processes/doomed.ts';
import { type HeardSteps, expectAllHeard } from './payout-steps.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const LOOP = new URL('./payout-loop.ts', import.meta.url);
const NOW_MS = Date.UTC(2026, 3, 1);
/** Two processes are killed in each round. */
const ROUNDS = { sqlite: depth(2, 20), postgres: depth(2, 5) };

interface Worker extends HeardSteps {
  readonly username: string;
}

describe.each(ruleDatabases)('payouts on $name', ({ name, locate }) => {
  test('M5 are neither lost nor doubled when their processes are killed', { timeout: 60_000 }, async () => {
    const place = await locate();
    const database = await openLocated(place);
    const staffId = await addPayee(database, 'staff', { is_staff: true });
    const workers: Worker[] = [];
    for (const username of ['one', 'two']) {
      const heard = { reward: -1, request: -1, decision: -1 };
      workers.push({ id: await addPayee(database, username), username, heard });
    }

    function start({ id, username, heard }: Worker, count?: number) {
      const first = heard.decision + 1;
      const args = [JSON.stringify(place.location), id, username, staffId, NOW_MS, first, count ?? ''];
      const doomed = startDoomed(LOOP, args);
      doomed.child.on('message', (message) => {
        const [what, step] = message as [keyof Worker['heard'], number];
        heard[what] = step;
      });
      return doomed;
    }

    for (let round = 0; round < ROUNDS[name]; round++) {
      await Promise.all(
        workers.map(async (worker) => {
          const { hear, kill } = start(worker);
          // Delays range from the start to two steps later, and fall anywhere between two commits.
          for (let heard = 0; heard <= round % 6; heard++) await hear();
          await kill(15);
        }),
      );
      expect(await verifyLedger(database.db)).toEqual([]);
      for (const worker of workers) await expectAllHeard(database, worker);
    }

    for (const worker of workers) {
      const [code] = await start(worker, 2).exit;
      expect(code).toBe(0);
      const steps = worker.heard.decision + 1;
      expect(steps).toBeGreaterThan(ROUNDS[name] / 2);
      // Every step has happened once: earned, requested, decided and mailed.
      const paid = 3_000 * (steps - (steps % 2));
      expect(await sumPaid(database, worker.id)).toBe(paid);
      expect(await readBalance(database, worker.id)).toBe(3_000 * steps - paid);
      expect(await readMails(database, toAddress(worker.username))).toHaveLength(2 * steps);
    }
    expect(await verifyLedger(database.db)).toEqual([]);
  });
});

async function sumPaid(database: Database, userId: string): Promise<number> {
  const rows = await listRows(database, 'transfer_requests', { user_id: userId, state: 'paid' }, ['amount']);
  return rows.reduce((sum, { amount }) => sum + amount, 0);
}

async function readBalance({ db }: Database, userId: string): Promise<number> {
  const row = await everyTable(db)
    .selectFrom('ledger_accounts')
    .select('balance')
    .where('id', '=', toArtistAccount(userId))
    .executeTakeFirstOrThrow();
  return row.balance;
}
