import { sql } from 'kysely';
import * as v from 'valibot';
import { MUSICAL_KEYS } from '../../../../contract/music.ts';
import { OptionalMinuteSchema } from '../../../../contract/operator/minutes.ts';
import { CONTENT_ID_STATES, LICENCE_USES, MOODS } from '../../../../contract/sound-facts.ts';
import { FEATURE_NUMBERS, FEATURES_VERSION } from '../../../media/analysis/sound-features.ts';
import { inWindows } from '../../../platform/database/statements/windows.ts';
import type { Database } from '../../../platform/database/open.ts';
import type { Schema } from '../../../platform/database/schema.ts';
import { Tally, countOf } from '../check.ts';
import type { Diagnosis, Finding } from '../check.ts';
import { SET_RIGHT } from '../comparison.ts';

const WINDOW_ROWS = 500;
const FLOAT_BYTES = 4;

type Row = Readonly<Record<string, string | number | null>>;
type IsReadable = (text: string, row: Row) => boolean;

interface Encoded<Table extends keyof Schema = keyof Schema> {
  readonly table: Table;
  /** Unique; rows are read in its order, beginning after `first`; after '' unless given. */
  readonly id: keyof Schema[Table] & string;
  readonly first?: number;
  /** What a reader expects in the columns; null is always expected. */
  readonly columns: Readonly<Partial<Record<keyof Schema[Table] & string, IsReadable>>>;
  /** Columns that these need. */
  readonly needs?: readonly (keyof Schema[Table] & string)[];
}

/** Every text that has a form of its own, with what its readers accept. */
const ENCODED: readonly Encoded[] = [
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
  encodedIn({ table: 'sound_changes', id: 'seq', first: 0, columns: { before: isObject } }),
  encodedIn({ table: 'undo_links', id: 'token_hash', columns: { before: isObject } }),
  encodedIn({ table: 'extra_pages', id: 'slug', columns: { licence_uses: isWordsOf(LICENCE_USES) } }),
  encodedIn({ table: 'notices', id: 'id', columns: { shown_from: isMinute, shown_until: isMinute } }),
];

const UNREADABLE: Diagnosis = {
  kind: 'unreadable-texts',
  found: (count) => `${countOf(count, 'value')} cannot be read by the program.`,
  meaning: 'Pages with it fail, or show and find something else.',
  remedy: SET_RIGHT,
};

/** Finds texts that the program could not have written, because it cannot read them. */
export async function findUnreadableTexts(db: Database['db']): Promise<Finding[]> {
  const tally = new Tally();
  for (const { table, id, first = '', columns, needs = [] } of ENCODED) {
    const names = [id, ...Object.keys(columns), ...needs].map((name) => sql.ref(name));
    const select = async (after: string | number) =>
      (
        await sql<Row>`select ${sql.join(names)} from ${sql.table(table)} where ${sql.ref(id)} > ${after}
          order by ${sql.ref(id)} limit ${WINDOW_ROWS}`.execute(db)
      ).rows;
    for await (const rows of inWindows(first, select, (row) => row[id] ?? first)) {
      for (const row of rows) {
        for (const [column, isReadable] of Object.entries<IsReadable>(columns)) {
          const text = row[column] ?? null;
          if (text !== null && !isReadable(String(text), row)) tally.add(`${table}.${column} of ${row[id]}`);
        }
      }
    }
  }
  return tally.diagnose(UNREADABLE);
}

function encodedIn<Table extends keyof Schema>(encoded: Encoded<Table>): Encoded {
  return encoded as unknown as Encoded;
}

function isOneOf(values: readonly string[]): IsReadable {
  return (text) => values.includes(text);
}

/** Words with spaces between them. */
function isWordsOf(words: readonly string[]): IsReadable {
  return (text) => text === '' || text.split(' ').every((word) => words.includes(word));
}

function isMinute(text: string): boolean {
  return v.is(OptionalMinuteSchema, text);
}

/** What an earlier version measured is measured again. */
function hasFeatures(text: string, { version = null }: Row): boolean {
  if (version !== FEATURES_VERSION) return true;
  return Buffer.from(text, 'base64').byteLength === FEATURE_NUMBERS * FLOAT_BYTES;
}

function isNumbers(text: string): boolean {
  return v.is(v.array(v.number()), parse(text));
}

function isObject(text: string): boolean {
  return v.is(v.record(v.string(), v.unknown()), parse(text));
}

/** The value of a JSON text; undefined for other texts. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
