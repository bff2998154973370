import { findFarmedArtists } from '../farms.ts';
import { Tally, countOf } from '../../doctor/check.ts';
import type { Check } from '../../doctor/check.ts';

export const farms: Check = {
  name: 'farms',
  priority: 'warning',
  stage: 'quick',
  consoleText: '同じ回線からの報酬に偏ったアーティストがいます',
  async run(site) {
    const { db } = await site.openDatabase();
    const tally = new Tally();
    for (const artistId of await findFarmedArtists(db, site.clock.now())) tally.add(artistId);
    return tally.diagnose({
      kind: 'shared-networks',
      found: (count) =>
        `${countOf(count, 'artist')} owe nearly all credits of a day to the same few networks.`,
      meaning: 'Somebody may download in turn for all of them, below every limit. A class can look alike.',
      remedy:
        'Compare these artists: names, payees, sounds. Until it is clear, do not pay them out; "npm run operator -- rewards reverse" takes credits back.',
    });
  },
};
