import { verifyLedger } from './verify.ts';
import { Tally } from '../doctor/check.ts';
import type { Check } from '../doctor/check.ts';

export const ledgerCheck: Check = {
  name: 'ledger',
  priority: 'critical',
  stage: 'rows',
  consoleText: null,
  async run(site) {
    const { db } = await site.openDatabase();
    // Concurrent entries must not appear as errors.
    const problems = await db
      .transaction()
      .setAccessMode('read only')
      .setIsolationLevel('repeatable read')
      .execute(verifyLedger);
    const tally = new Tally();
    for (const problem of problems) tally.add(problem);
    return tally.diagnose({
      kind: 'inconsistent',
      found: (count) => `The ledger has ${count === 1 ? '1 inconsistency' : `${count} inconsistencies`}.`,
      meaning: 'Balances do not follow from the entries: artists could be paid too much or too little.',
      remedy: 'Stop payouts. Compare with a backup; "npm run operator -- ledger verify" lists everything.',
    });
  },
};
