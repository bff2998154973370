import { sql } from 'kysely';
import { MUSICAL_KEYS } from '../../../contract/sounds/music.ts';
import { PEAK_BARS } from '../../../contract/sounds/peaks.ts';
import { CONTENT_ID_STATES, LICENCE_USES, MOODS } from '../../../contract/sounds/sound-facts.ts';
import { FEATURE_NUMBERS, FEATURES_VERSION } from '../../media/analysis/sound-features.ts';
import { compareSearchIndex, reindexSound } from './search/comparing.ts';
import type { IndexFault } from './search/comparing.ts';
import { Tally, countOf } from '../doctor/check.ts';
import type { Check, Diagnosis, Tools } from '../doctor/check.ts';
import { SET_RIGHT, checkRows } from '../doctor/comparison.ts';
import { DECISIONS, RECORDS, VALUES } from '../doctor/parts.ts';
import { checkTexts, encodedIn, isNumbers, isOneOf, isWordsOf } from '../doctor/stored-texts.ts';
import { wasLast } from '../staff/last-action.ts';

const FLOAT_BYTES = 4;

const searchIndex: Check = {
  name: 'search index',
  priority: 'warning',
  stage: 'long',
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

/** What an earlier version measured is measured again. */
function hasFeatures(text: string, { version = null }: Readonly<Record<string, unknown>>): boolean {
  if (version !== FEATURES_VERSION) return true;
  return Buffer.from(text, 'base64').byteLength === FEATURE_NUMBERS * FLOAT_BYTES;
}

/** What the doctor checks of sounds. */
export const CATALOGUE_CHECKS: readonly Check[] = [
  searchIndex,
  checkRows(RECORDS, () => [
    {
      kind: 'public-takedowns',
      query: sql`select 'sound ' || sounds.id as name from sounds join users on users.id = sounds.artist_id
        where is_published = 1 and (hidden_reason is not null or suspension_reason is not null
          or deletion_requested_at is not null)`,
      found: (count) =>
        `${countOf(count, 'sound')} is public, although it was hidden, or its artist is suspended or deleted.`,
      meaning: 'Everyone can see and download it.',
      remedy: 'Hide the sounds, or suspend the member, again. See "npm run operator -- sounds".',
    },
  ]),
  checkRows(DECISIONS, () => [
    {
      kind: 'lifted-takedowns',
      query: sql`select 'sound ' || sounds.id as name from sounds
        where deleted_at is null and hidden_reason is null and ${wasLast('hide sound', 'unhide sound', 'sounds.id')}`,
      found: (count) => `${countOf(count, 'sound')} was hidden by the staff and is not any more.`,
      meaning: 'Its artist can publish it, and no action of the staff allowed it.',
      remedy: 'Hide the sound again in the console; showing it there puts that on record.',
    },
  ]),
  checkRows(VALUES, () => [
    {
      kind: 'sounds',
      query: sql`select 'sound ' || id as name from sounds where deleted_at is null and (
        duration_ms <= 0 or audio_size <= 0 or bit_rate < 0 or sample_rate < 0 or download_count < 0
        or favorite_count < 0 or popularity < 0 or audio_key = '' or audio_mime not like 'audio/%'
        or length(peaks) not in (0, ${sql.lit(PEAK_BARS)}) or created_at <= 0)`,
      found: (count) => `${countOf(count, 'sound')} has a length, size, kind or waveform that no upload has.`,
      meaning: 'It is shown, sorted or played wrongly, or is found by the wrong filters.',
      remedy: SET_RIGHT,
    },
  ]),
  checkTexts(
    encodedIn({
      table: 'sounds',
      id: 'seq',
      first: 0,
      columns: {
        moods: isWordsOf(MOODS),
        licence_uses: isWordsOf(LICENCE_USES),
        content_id: isOneOf(CONTENT_ID_STATES),
        gaps_ms: isNumbers,
      },
    }),
    encodedIn({ table: 'sound_findings', id: 'sound_seq', first: 0, columns: { clips_ms: isNumbers } }),
    encodedIn({
      table: 'sound_features',
      id: 'sound_seq',
      first: 0,
      columns: {
        numbers: hasFeatures,
        music_key: isOneOf(MUSICAL_KEYS),
        estimated_key: isOneOf(MUSICAL_KEYS),
        effective_key: isOneOf(MUSICAL_KEYS),
      },
      needs: ['version'],
    }),
    encodedIn({
      table: 'sound_neighbours',
      id: 'sound_seq',
      first: 0,
      columns: { neighbours: (text) => /^(?:\d+(?: \d+)*)?$/.test(text) },
    }),
  ),
];
