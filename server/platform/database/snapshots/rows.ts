import { DatabaseSync } from 'node:sqlite';
import type { DialectName, Migration } from '../migrations/migration.ts';
import type { Handle } from '../handle.ts';

/** A part of a copied database; `content` yields exactly `size` bytes. */
export interface SnapshotEntry {
  readonly name: string;
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array>;
}

/** The database as it was at one moment, while others keep writing. */
export interface Snapshot {
  /** The names of the applied migrations, in their order. */
  readonly migrations: readonly string[];
  /** The rows of each table. */
  readonly counts: Readonly<Record<string, number>>;
  /** Reads the snapshot. */
  readonly db: Handle;
  /** The copy: one file of SQLite, or lines of JSON in pieces of some MiB. Can be read once. */
  entries(): AsyncIterable<SnapshotEntry>;
}

/** A copy that a database is filled with. */
export interface RestoredCopy {
  /** The id of its backup. */
  readonly id: string;
  readonly dialect: DialectName;
  readonly migrations: readonly Migration[];
}

/** The last number that a table has given to a row; numbers of deleted rows count. */
export interface Counted {
  readonly table: string;
  readonly value: number;
}

/** A part of a copied database, in the same form for both kinds: rows as JSON objects, or the last numbers. */
export type CopyPart =
  { readonly table: string; readonly lines: readonly string[] } | { readonly counted: readonly Counted[] };

/** The entry of a PostgreSQL copy with its sequences. */
export const SEQUENCES = 'sequences.json';
/** Filled by the migrations of the database that is restored to. */
export const MIGRATIONS_TABLE = 'migrations';
/** Each database has another form of it, which a restore to the other kind leaves empty. */
export const SEARCH_TABLE = 'sound_search';
/** Has every sound whose words have to be indexed, see decision 108. */
export const UNPRONOUNCED_TABLE = 'unpronounced_sounds';
/** SQLite has no such table: its processes count in memory. */
export const LIMITS_TABLE = 'rate_limits';
/** Bounds the memory for rows that are read from SQLite. */
const LINES = 500;

/** The part of an entry of a PostgreSQL copy; undefined for any other entry. */
export function toCopyPart(name: string, content: Buffer): CopyPart | undefined {
  if (name === SEQUENCES) {
    const sequences = JSON.parse(content.toString()) as { readonly name: string; readonly value: string }[];
    return {
      counted: sequences.map((each) => ({
        // PostgreSQL calls the sequence of an identity column `table_column_seq`.
        table: each.name.replace(/_[a-z]+_seq$/, ''),
        value: Number(each.value),
      })),
    };
  }
  const table = /^([a-z_]+)\/\d+\.jsonl$/.exec(name)?.[1];
  return table === undefined ? undefined : { table, lines: content.toString().trimEnd().split('\n') };
}

/** The parts of a PostgreSQL copy. */
export async function* readEntries(
  entries: AsyncIterable<Pick<SnapshotEntry, 'name' | 'content'>>,
): AsyncGenerator<CopyPart> {
  for await (const { name, content } of entries) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of content) chunks.push(chunk);
    const part = toCopyPart(name, Buffer.concat(chunks));
    if (part !== undefined) yield part;
  }
}

/** The parts of a copied file of SQLite, without the search index. */
export async function* readSqliteFile(file: string): AsyncGenerator<CopyPart> {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    for (const table of listSqliteTables(database)) {
      let lines: string[] = [];
      for (const row of database.prepare(`select * from "${table}"`).iterate()) {
        lines.push(JSON.stringify(row));
        if (lines.length < LINES) continue;
        yield { table, lines };
        lines = [];
      }
      if (lines.length > 0) yield { table, lines };
    }
    const counted = database
      .prepare('select name as "table", seq as value from sqlite_sequence where seq > 0')
      .all();
    yield { counted: counted as unknown as Counted[] };
  } finally {
    database.close();
  }
}

/** Without the tables of SQLite itself and of its search index. */
export function listSqliteTables(database: DatabaseSync): string[] {
  const rows = database
    .prepare(
      `select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'
        and name not like '${SEARCH_TABLE}%' order by name`,
    )
    .all() as { name: string }[];
  return rows.map(({ name }) => name);
}
