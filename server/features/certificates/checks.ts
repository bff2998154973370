import { findForgeries } from './forgeries.ts';
import { Tally, countOf } from '../doctor/check.ts';
import type { Check } from '../doctor/check.ts';

/** Whether certificates of downloads, and the terms that they name, are as they were issued. */
export const certificates: Check = {
  name: 'certificates',
  priority: 'critical',
  stage: 'long',
  consoleText: null,
  async run(site) {
    const { db } = await site.openDatabase();
    const altered = new Tally();
    for await (const name of findForgeries(db)) altered.add(name);
    return altered.diagnose({
      kind: 'altered',
      found: (count) => `${countOf(count, 'certificate')} or terms of use are not as they were signed.`,
      meaning: 'They prove nothing: whoever checks them finds the signature or the hash wrong.',
      remedy: 'Restore these rows, or the public key that they name, from a backup.',
    });
  },
};
