import { createReadStream, existsSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import { syncFolder, writeSynced } from '../../synced-files.ts';
import type { DatabaseLocation } from '../open.ts';
import { loadIntoSqlite } from './load.ts';
import {
  changePostgres,
  copyPostgres,
  countPostgresRows,
  dropPostgresMark,
  isEmptyPostgres,
  measurePostgres,
  readPostgresMark,
  restorePostgres,
  writePostgresMark,
} from './postgres.ts';
import type { RestoreMark } from './restore-mark.ts';
import type { Handle, NoTables } from '../handle.ts';
import { LIMITS_TABLE, SEARCH_TABLE, UNPRONOUNCED_TABLE, readEntries, readSqliteFile } from './rows.ts';
import type { RestoredCopy, Snapshot, SnapshotEntry } from './rows.ts';
import { createSqliteDialect, createSqliteDriver } from '../drivers/sqlite-driver.ts';
import { openSqliteFile, openSqliteFileToRead } from '../drivers/sqlite.ts';

/** The entry of a copied SQLite database. */
export const SQLITE_ENTRY = 'site.sqlite';

/**
 * Calls `use` with a copy of the database that is consistent in itself. `scratch` is a folder for temporary files, which
 * needs as much space as an SQLite database. Takes no lock that blocks writers.
 */
export async function withSnapshot<Result>(
  location: DatabaseLocation,
  scratch: string,
  use: (snapshot: Snapshot) => Promise<Result>,
): Promise<Result> {
  if (location.kind === 'postgres') return copyPostgres(location.url, use);
  const file = join(scratch, SQLITE_ENTRY);
  // Not backup() of node:sqlite: that begins again whenever another connection writes.
  const source = new DatabaseSync(location.file, { readOnly: true, timeout: 10_000 });
  try {
    source.prepare('vacuum into ?').run(file);
  } finally {
    source.close();
  }
  const db = new Kysely<NoTables>({
    dialect: createSqliteDialect(createSqliteDriver(openSqliteFileToRead(file))),
  });
  try {
    const { size } = await stat(file);
    const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db);
    return await use({
      migrations: rows.map(({ name }) => name),
      counts: await countSqliteRows(db),
      db,
      async *entries() {
        yield { name: SQLITE_ENTRY, size, content: createReadStream(file) };
      },
    });
  } finally {
    await db.destroy();
    await rm(file, { force: true });
  }
}

/** About how many bytes a copy has, and how many it needs while it is made. */
export async function measureCopy(
  location: DatabaseLocation,
): Promise<{ readonly bytes: number; readonly bytesNeeded: number }> {
  if (location.kind === 'postgres') {
    const bytes = await measurePostgres(location.url);
    return { bytes, bytesNeeded: bytes };
  }
  const sizes = ['', '-wal'].map((end) => stat(location.file + end).catch(() => ({ size: 0 })));
  const bytes = (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
  // As a temporary file, and as an entry.
  return { bytes, bytesNeeded: 2 * bytes };
}

/** The rows of each table, without those of the search index, which SQLite keeps in tables of its own. */
export async function countSqliteRows(db: Handle): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_schema
    where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name not like 'sound\\_search%' escape '\\'
    order by name`.execute(db);
  const counts: Record<string, number> = {};
  for (const { name } of rows) {
    const counted = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(name)}`.execute(db);
    counts[name] = counted.rows[0]?.rows ?? 0;
  }
  return counts;
}

/** Whether there is no database yet: no file, or no tables. */
export function isEmptyDatabase(location: DatabaseLocation): Promise<boolean> {
  return location.kind === 'sqlite'
    ? Promise.resolve(!existsSync(location.file))
    : isEmptyPostgres(location.url);
}

/** The mark of a restore that has begun; undefined for none, and for SQLite, see `restore-mark.ts`. */
export async function readRestoreMark(location: DatabaseLocation): Promise<RestoreMark | undefined> {
  return location.kind === 'sqlite' ? undefined : readPostgresMark(location.url);
}

export async function writeRestoreMark(location: DatabaseLocation, mark: RestoreMark): Promise<void> {
  if (location.kind === 'postgres') await writePostgresMark(location.url, mark);
}

export async function dropRestoreMark(location: DatabaseLocation): Promise<void> {
  if (location.kind === 'postgres') await dropPostgresMark(location.url);
}

/**
 * How the rows of a database differ from the numbers of the copy that it was filled with, one line for each table. What
 * a database of another kind keeps elsewhere is not compared.
 */
export async function compareRows(
  location: DatabaseLocation,
  { dialect, counts }: Pick<RestoredCopy, 'dialect'> & Pick<Snapshot, 'counts'>,
): Promise<readonly string[]> {
  const { [SEARCH_TABLE]: _, [UNPRONOUNCED_TABLE]: __, [LIMITS_TABLE]: ___, ...others } = counts;
  const copied = dialect === location.kind ? counts : others;
  if (location.kind === 'postgres') return compareCounts(copied, await countPostgresRows(location.url));
  // To write: an interrupted restore may have left what only a writer can undo.
  const driver = createSqliteDriver(openSqliteFile(location.file));
  const db = new Kysely<NoTables>({ dialect: createSqliteDialect(driver) });
  try {
    return compareCounts(copied, await countSqliteRows(db));
  } finally {
    await db.destroy();
  }
}

/** Changes a filled database in one transaction before its restore has ended, whatever its migrations are. */
export async function changeRestored<Result>(
  location: DatabaseLocation,
  change: (transaction: Handle) => Promise<Result>,
): Promise<Result> {
  if (location.kind === 'postgres') return changePostgres(location.url, change);
  const driver = createSqliteDriver(openSqliteFile(location.file));
  const db = new Kysely<NoTables>({ dialect: createSqliteDialect(driver) });
  try {
    return await db.transaction().execute(change);
  } finally {
    await db.destroy();
  }
}

/** How the rows that were found differ from those of a copy, one line for each table. */
export function compareCounts(copied: Snapshot['counts'], found: Snapshot['counts']): string[] {
  return Object.entries(copied)
    .filter(([table, rows]) => (found[table] ?? 0) !== rows)
    .map(([table, rows]) => `${table} has ${found[table] ?? 0} rows instead of ${rows}`);
}

/**
 * Fills an empty database with the entries of a snapshot of either kind. Atomic: it has everything afterwards, or is as
 * empty as before. In a database of the other kind, the search index stays empty until the server has built it. `scratch`
 * is a folder for a file of SQLite that is copied to PostgreSQL.
 */
export async function restoreSnapshot(
  location: DatabaseLocation,
  copy: RestoredCopy,
  entries: AsyncIterable<Pick<SnapshotEntry, 'name' | 'content'>>,
  scratch: string,
): Promise<void> {
  const draft = `${location.kind === 'sqlite' ? location.file : join(scratch, SQLITE_ENTRY)}.restoring`;
  await rm(draft, { force: true });
  if (copy.dialect === 'sqlite') await writeSqliteEntry(draft, entries);
  if (location.kind === 'postgres') {
    const parts = copy.dialect === 'sqlite' ? readSqliteFile(draft) : readEntries(entries);
    await restorePostgres(location.url, copy, parts);
    await rm(draft, { force: true });
    return;
  }
  if (copy.dialect === 'postgres') {
    await loadIntoSqlite(draft, copy.migrations, readEntries(entries), { isUsed: true });
    const handle = await open(draft, 'r+');
    try {
      await handle.chmod(0o600);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
  await rename(draft, location.file);
  await syncFolder(dirname(location.file));
}

async function writeSqliteEntry(
  file: string,
  entries: AsyncIterable<Pick<SnapshotEntry, 'name' | 'content'>>,
): Promise<void> {
  for await (const { name, content } of entries) {
    if (name !== SQLITE_ENTRY) continue;
    await writeSynced(file, content, { flags: 'w' });
  }
}
