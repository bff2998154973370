import { compareSearchIndex, reindexSound } from '../../catalogue/search/comparing.ts';
import type { IndexFault } from '../../catalogue/search/comparing.ts';
import { Tally, countOf } from '../check.ts';
import type { Check, Diagnosis, Tools } from '../check.ts';

export const searchIndex: Check = {
  name: 'search index',
  priority: 'warning',
  consoleText: null,
  async run(site) {
    const database = await site.openDatabase();
    const tallies: Record<IndexFault['kind'], Tally> = {
      missing: new Tally(),
      outdated: new Tally(),
      orphaned: new Tally(),
      'other-artist': new Tally(),
      'other-visibility': new Tally(),
    };
    for await (const { kind, seq, soundId } of compareSearchIndex(database)) {
      tallies[kind].add(soundId ?? `number ${seq}`);
    }
    return Object.entries(tallies).flatMap(([name, tally]) => {
      const kind = name as IndexFault['kind'];
      return tally.diagnose({ ...TEXTS[kind], kind, ...(isOfIndex(kind) && { fix: reindex }) });
    });
  },
};

/** Whether the index alone is wrong. Indexing the others again would adopt a row that may be wrong. */
function isOfIndex(kind: IndexFault['kind']): boolean {
  return kind !== 'other-artist' && kind !== 'other-visibility';
}

const REMEDY = 'Index them again (--fix does it).';
const TEXTS: Record<IndexFault['kind'], Pick<Diagnosis, 'found' | 'meaning' | 'remedy'>> = {
  missing: {
    found: (count) => `${countOf(count, 'sound')} cannot be found by search.`,
    meaning: 'They are missing from the search index.',
    remedy: REMEDY,
  },
  outdated: {
    found: (count) => `${countOf(count, 'sound')} is found by other words than its own.`,
    meaning: 'The search index has an earlier state of them. A private sound is never shown by this.',
    remedy: REMEDY,
  },
  'other-artist': {
    found: (count) =>
      `${countOf(count, 'sound')} belongs to another artist than when the search index was written.`,
    meaning:
      'Someone has changed the artist in the database by another program. The other artist earns from now on.',
    remedy:
      'Compare artist_id with a backup and set it right. The next change by the artist indexes the sound.',
  },
  'other-visibility': {
    found: (count) =>
      `${countOf(count, 'sound')} is private in its row and public in the index, or the reverse.`,
    meaning:
      'Someone has published or withdrawn them in the database by another program: neither the artist nor the staff did.',
    remedy:
      'Compare is_published with a backup and set it right. The next change by the artist indexes the sound.',
  },
  orphaned: {
    found: (count) => `The search index has ${countOf(count, 'sound')} that does not exist.`,
    meaning: 'Searches count too many hits.',
    remedy: REMEDY,
  },
};

/** Finds the faults again, so that changes since are respected. */
async function reindex({ database }: Tools): Promise<string> {
  let indexed = 0;
  for await (const { kind, seq } of compareSearchIndex(database)) {
    if (!isOfIndex(kind)) continue;
    await reindexSound(database, seq);
    indexed += 1;
  }
  return `indexed ${countOf(indexed, 'sound')} again`;
}
