import { compareSearchIndex, reindexSound } from '../../catalogue/catalogue.ts';
import type { IndexFault } from '../../catalogue/catalogue.ts';
import { Tally, countOf } from '../check.ts';
import type { Check, Diagnosis, Tools } from '../check.ts';

export const searchIndex: Check = {
  name: 'search index',
  priority: 'warning',
  isCheap: false,
  async run(site) {
    const database = await site.openDatabase();
    const tallies: Record<IndexFault['kind'], Tally> = {
      missing: new Tally(),
      outdated: new Tally(),
      orphaned: new Tally(),
    };
    for await (const { kind, seq, soundId } of compareSearchIndex(database)) {
      tallies[kind].add(soundId ?? `number ${seq}`);
    }
    return Object.entries(tallies).flatMap(([kind, tally]) =>
      tally.diagnose({ ...TEXTS[kind as IndexFault['kind']], kind, fix: reindex }),
    );
  },
};

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
  orphaned: {
    found: (count) => `The search index has ${countOf(count, 'sound')} that does not exist.`,
    meaning: 'Searches count too many hits.',
    remedy: REMEDY,
  },
};

/** Finds the faults again, so that changes since are respected. */
async function reindex({ database }: Tools): Promise<string> {
  let indexed = 0;
  for await (const { seq } of compareSearchIndex(database)) {
    await reindexSound(database, seq);
    indexed += 1;
  }
  return `indexed ${countOf(indexed, 'sound')} again`;
}
