import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { openDatabase } from '#server/schema/open.ts';
import { locateTestDatabase } from '#support/databases/databases.ts';
import { addPayee } from '#support/members/payouts.ts';
import { CUTS, TIMEOUT_MS, cutPower, testOfAllCalls } from '#support/power-cuts/cuts.ts';
import { record } from '#support/power-cuts/record.ts';
import { expectAllHeard } from '../features/ledger/payout-steps.ts';

const LOOP = new URL('../features/ledger/payout-loop.ts', import.meta.url);
const NOW_MS = Date.UTC(2026, 3, 1);
const STEPS = 6;

testOfAllCalls(
  'M5: a power loss takes no acknowledged payout, and books no part of one',
  { timeout: TIMEOUT_MS },
  async () => {
    const { location, remove } = await locateTestDatabase('sqlite');
    if (location.kind !== 'sqlite') throw new Error('no file');
    const root = dirname(location.file);
    const database = await openDatabase(location);
    const staffId = await addPayee(database, 'staff', { is_staff: true });
    const id = await addPayee(database, 'one');
    await database.close();
    const args = [JSON.stringify(location), id, 'one', staffId, NOW_MS, 0, STEPS];
    const recording = await record(root, { module: LOOP, args });
    await remove();

    const failures = await cutPower(recording, CUTS, async (cut) => {
      const copy = await openDatabase({ kind: 'sqlite', file: join(cut.root, 'site.sqlite') });
      try {
        expect(await verifyLedger(copy.db)).toEqual([]);
        const heard = { reward: -1, request: -1, decision: -1 };
        for (const message of cut.heard) {
          const [what, step] = message as [keyof typeof heard, number];
          heard[what] = step;
        }
        await expectAllHeard(copy, { id, heard });
      } finally {
        await copy.close();
      }
    });
    expect(failures).toEqual([]);
  },
);
