import { Kysely, sql } from 'kysely';
import type { Transaction } from 'kysely';
import { applyMigrations } from '../migrations/migrate.ts';
import { createPostgresDialect } from '../drivers/postgres.ts';
import { UNLIMITED, openPostgresPool } from '../drivers/postgres-pool.ts';
import type { PostgresLimits } from '../drivers/postgres-pool.ts';
import { MARK_TABLE, dropMark, readMark, writeMark } from './restore-mark.ts';
import type { RestoreMark } from './restore-mark.ts';
import type { Handle, NoTables } from '../handle.ts';
import { MIGRATIONS_TABLE, SEQUENCES, UNPRONOUNCED_TABLE } from './rows.ts';
import type { CopyPart, Counted, RestoredCopy, Snapshot, SnapshotEntry } from './rows.ts';

/** Rows that are fetched at a time, and the size at which a piece is complete. */
const ROWS = 200;
const PIECE_BYTES = 4 * 1024 * 1024;

type Db = Handle;

interface Sequence {
  readonly name: string;
  readonly value: string;
}

/** Reads all tables in one transaction, which sees one moment and can neither write nor block. */
export function copyPostgres<Result>(
  url: string,
  use: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  const copy = async (transaction: Db) => {
    const tables = await listTables(transaction);
    const counts = await countRows(transaction, tables);
    const applied = await sql<{ name: string }>`select name from migrations order by name`.execute(
      transaction,
    );
    return use({
      migrations: applied.rows.map(({ name }) => name),
      counts,
      db: transaction,
      entries: () => exportTables(transaction, tables),
    });
  };
  return withConnection(
    url,
    (db) => db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(copy),
    { ...UNLIMITED, isReadOnly: true },
  );
}

async function countRows(db: Db, tables: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(
      db,
    );
    counts[table] = rows[0]?.rows ?? 0;
  }
  return counts;
}

async function* exportTables(db: Db, tables: readonly string[]): AsyncGenerator<SnapshotEntry> {
  for (const table of tables) yield* exportTable(db, table);
  // Read last: a sequence may be ahead of the rows, and never behind them.
  const { rows } = await sql<Sequence>`
    select sequencename as name, last_value::text as value from pg_sequences
    where schemaname = current_schema() and last_value is not null order by 1`.execute(db);
  yield toEntry(SEQUENCES, Buffer.from(`${JSON.stringify(rows, null, 1)}\n`));
}

/** `users/000001.jsonl` and so on; one row per line. */
async function* exportTable(db: Db, table: string): AsyncGenerator<SnapshotEntry> {
  const columns = await listColumns(db, table);
  await sql`declare copied no scroll cursor for
    select row_to_json(line)::text as line from (
      select ${sql.join(columns.map((name) => sql.ref(name)))} from ${sql.table(table)}
    ) as line`.execute(db);
  let lines: Buffer[] = [];
  let bytes = 0;
  let pieces = 0;
  const toPiece = () => {
    const name = `${table}/${String((pieces += 1)).padStart(6, '0')}.jsonl`;
    const piece = toEntry(name, Buffer.concat(lines, bytes));
    [lines, bytes] = [[], 0];
    return piece;
  };
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(ROWS)} from copied`.execute(db);
    if (rows.length === 0) break;
    for (const { line } of rows) {
      const text = Buffer.from(`${line}\n`);
      lines.push(text);
      bytes += text.byteLength;
      if (bytes >= PIECE_BYTES) yield toPiece();
    }
  }
  if (bytes > 0) yield toPiece();
  await sql`close copied`.execute(db);
}

function toEntry(name: string, content: Buffer): SnapshotEntry {
  return {
    name,
    size: content.byteLength,
    content: (async function* () {
      yield content;
    })(),
  };
}

export function isEmptyPostgres(url: string): Promise<boolean> {
  return withConnection(url, async (db) => (await listTables(db)).length === 0);
}

export function countPostgresRows(url: string): Promise<Record<string, number>> {
  return withConnection(url, async (db) => countRows(db, await listTables(db)));
}

export function readPostgresMark(url: string): Promise<RestoreMark | undefined> {
  return withConnection(url, readMark);
}

export function writePostgresMark(url: string, mark: RestoreMark): Promise<void> {
  return withConnection(url, (db) => writeMark(db, mark));
}

export function dropPostgresMark(url: string): Promise<void> {
  return withConnection(url, dropMark);
}

export function changePostgres<Result>(
  url: string,
  change: (transaction: Handle) => Promise<Result>,
): Promise<Result> {
  return withConnection(url, (db) => db.transaction().execute(change));
}

/** Bytes on the disk of the server. */
export function measurePostgres(url: string): Promise<number> {
  return withConnection(url, async (db) => {
    const { rows } = await sql<{
      bytes: number;
    }>`select pg_database_size(current_database()) as bytes`.execute(db);
    return rows[0]?.bytes ?? 0;
  });
}

/** Not `RetryingKysely`: what was passed on, or taken from a stream, cannot be repeated. */
async function withConnection<Result>(
  url: string,
  use: (db: Db) => Promise<Result>,
  limits: PostgresLimits = UNLIMITED,
): Promise<Result> {
  const db = new Kysely<NoTables>({ dialect: createPostgresDialect(await openPostgresPool(url, limits)) });
  try {
    return await use(db);
  } finally {
    await db.destroy();
  }
}

/**
 * Creates the tables with the migrations of the copy and fills them, in one transaction: everything is there
 * afterwards, with the mark `filled`, or nothing. The database must be empty.
 */
export function restorePostgres(
  url: string,
  { id, migrations, dialect }: RestoredCopy,
  parts: AsyncIterable<CopyPart>,
): Promise<void> {
  return withConnection(url, async (db) => {
    await db.transaction().execute(async (transaction) => {
      await applyMigrations(transaction as unknown as Transaction<unknown>, 'postgres', migrations);
      const tables = await listTables(transaction);
      const keys = await dropForeignKeys(transaction);
      for (const table of tables) {
        // The rows are copied together with what the triggers once did.
        await sql`alter table ${sql.table(table)} disable trigger user`.execute(transaction);
        if (table !== MIGRATIONS_TABLE) await sql`delete from ${sql.table(table)}`.execute(transaction);
      }
      for await (const part of parts) {
        if ('counted' in part) await setCounted(transaction, part.counted);
        else if (part.table !== MIGRATIONS_TABLE) await insertLines(transaction, part.table, part.lines);
      }
      if (dialect === 'sqlite' && tables.includes(UNPRONOUNCED_TABLE))
        await sql`insert into ${sql.table(UNPRONOUNCED_TABLE)} (sound_seq) select seq from sounds
          on conflict do nothing`.execute(transaction);
      for (const table of tables)
        await sql`alter table ${sql.table(table)} enable trigger user`.execute(transaction);
      for (const { table, name, definition } of keys) {
        await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(
          transaction,
        );
      }
      await writeMark(transaction, { id, state: 'filled' });
    });
    await sql`analyze`.execute(db);
  });
}

/** PostgreSQL reads the JSON itself, so that every type arrives as it was written. */
async function insertLines(db: Db, table: string, lines: readonly string[]): Promise<void> {
  const columns = sql.join((await listColumns(db, table)).map((name) => sql.ref(name)));
  await sql`insert into ${sql.table(table)} (${columns}) overriding system value
    select ${columns} from json_populate_recordset(null::${sql.table(table)}, ${`[${lines.join(',')}]`}::json)`.execute(
    db,
  );
}

/** Each table has at most one column that counts. */
async function setCounted(db: Db, counted: readonly Counted[]): Promise<void> {
  for (const { table, value } of counted) {
    await sql`select setval(pg_get_serial_sequence(attrelid::regclass::text, attname), ${value}::bigint)
      from pg_attribute where attrelid = ${table}::regclass and attidentity <> ''`.execute(db);
  }
}

/** Without the keys, tables can be filled in any order. They are checked when they are created again. */
async function dropForeignKeys(db: Db) {
  const { rows } = await sql<{ table: string; name: string; definition: string }>`
    select class.relname as table, found.conname as name, pg_get_constraintdef(found.oid) as definition
    from pg_constraint as found
    join pg_class as class on class.oid = found.conrelid
    join pg_namespace as space on space.oid = class.relnamespace
    where found.contype = 'f' and space.nspname = current_schema()`.execute(db);
  for (const { table, name } of rows)
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(db);
  return rows;
}

async function listTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables
    where schemaname = current_schema() and tablename <> ${MARK_TABLE} order by 1`.execute(db);
  return rows.map(({ name }) => name);
}

/** All but generated columns. */
async function listColumns(db: Db, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum`.execute(db);
  return rows.map(({ name }) => name);
}
