import { findSecret } from '../../../platform/crypto/secrets.ts';
import { findChangedDetails } from '../personal-info/verified-details.ts';
import { Tally, countOf } from '../../doctor/check.ts';
import type { Check, Site } from '../../doctor/check.ts';
import { SET_RIGHT } from '../../doctor/comparison.ts';

/** Whether yen go to the bank accounts that were verified with an ID. */
export const payees: Check = {
  name: 'payees',
  priority: 'critical',
  stage: 'rows',
  skipsCopies: true,
  consoleText: null,
  async run(site) {
    const secrets = findSecrets(site);
    if (secrets.length === 0) return []; // "secrets" reports it.
    const { db } = await site.openDatabase();
    const tallies = { changed: new Tally(), unrecorded: new Tally() };
    for await (const { id, fault } of findChangedDetails(db, secrets)) tallies[fault].add(`member ${id}`);
    return [
      ...tallies.changed.diagnose({
        kind: 'changed',
        found: (count) =>
          `The bank account of ${countOf(count, 'verified member')} is not the one that was verified.`,
        meaning:
          'Someone has changed it in the database by another program: payouts go to another account. (If the secrets were lost and made again, this is said of every verified member.)',
        remedy: `Stop payouts to these members. ${SET_RIGHT}`,
      }),
      ...tallies.unrecorded.diagnose({
        kind: 'unrecorded',
        found: (count) => `${countOf(count, 'member')} is verified, and no ID of theirs was approved.`,
        meaning: 'Someone has verified them in the database by another program: they can be paid.',
        remedy: SET_RIGHT,
      }),
    ];
  },
};

/** The one in use and the one before it. */
function findSecrets({ settings }: Site): readonly Uint8Array[] {
  try {
    const { dataDir, secretKey, previousSecretKey } = settings;
    const keys = [secretKey, ...(previousSecretKey === null ? [] : [previousSecretKey])];
    return keys.flatMap((key) => findSecret({ dataDir, secretKey: key }, 'sessions') ?? []);
  } catch {
    return [];
  }
}
