import { sql } from 'kysely';
import * as v from 'valibot';
import { inWindows } from '../../platform/database/statements/windows.ts';
import type { Database } from '../../platform/database/open.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { Tally, countOf } from './check.ts';
import type { Check, Diagnosis, Finding } from './check.ts';
import { SET_RIGHT } from './comparison.ts';
import { VALUES } from './parts.ts';

const WINDOW_ROWS = 500;

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

const UNREADABLE: Diagnosis = {
  kind: 'unreadable-texts',
  found: (count) => `${countOf(count, 'value')} cannot be read by the program.`,
  meaning: 'Pages with it fail, or show and find something else.',
  remedy: SET_RIGHT,
};

/** A part of `VALUES`: finds texts that the program could not have written, because it cannot read them. */
export function checkTexts(...encoded: readonly Encoded[]): Check {
  return {
    ...VALUES,
    run: async (site) => findUnreadable((await site.openDatabase()).db, encoded),
  };
}

async function findUnreadable(db: Database['db'], encoded: readonly Encoded[]): Promise<Finding[]> {
  const tally = new Tally();
  for (const { table, id, first = '', columns, needs = [] } of encoded) {
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

/** Columns whose texts have a form of their own, with what their readers accept. */
export function encodedIn<Table extends keyof Schema>(encoded: Encoded<Table>): Encoded {
  return encoded as unknown as Encoded;
}

/** One of these words. */
export function isOneOf(values: readonly string[]): IsReadable {
  return (text) => values.includes(text);
}

/** Words with spaces between them. */
export function isWordsOf(words: readonly string[]): IsReadable {
  return (text) => text === '' || text.split(' ').every((word) => words.includes(word));
}

/** A list of numbers in JSON. */
export function isNumbers(text: string): boolean {
  return v.is(v.array(v.number()), parse(text));
}

/** An object in JSON. */
export function isObject(text: string): boolean {
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
