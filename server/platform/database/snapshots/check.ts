import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { DialectName, Migration } from '../migrations/migration.ts';
import { openMigrated } from '../open.ts';
import { SQLITE_ENTRY, compareCounts, countSqliteRows } from './snapshot.ts';
import { loadIntoSqlite } from './load.ts';
import { toCopyPart } from './rows.ts';
import type { CopyPart } from './rows.ts';

export interface CopyDescription {
  readonly dialect: DialectName;
  /** That it has. */
  readonly migrations: readonly Migration[];
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Checks the entries of a snapshot in a folder: what SQLite finds wrong, foreign keys and numbers of rows. Returns a file
 * of SQLite with the rows, which `openMigrated` migrates, and the faults, one line each. Rows of PostgreSQL are loaded into
 * a new file of that folder, so that no server is needed.
 */
export async function checkCopy(
  folder: string,
  { dialect, migrations, counts }: CopyDescription,
): Promise<{ readonly file: string; readonly faults: readonly string[] }> {
  const file = join(folder, SQLITE_ENTRY);
  if (dialect === 'postgres') {
    const loaded = await loadIntoSqlite(file, migrations, readTables(folder));
    return { file, faults: [...compareCounts(counts, loaded), ...checkFile(file)] };
  }
  const faults = checkFile(file);
  if (faults.length > 0) return { file, faults };
  const database = await openMigrated({ kind: 'sqlite', file }, { access: 'read', migrations });
  try {
    return { file, faults: compareCounts(counts, await countSqliteRows(database.db)) };
  } finally {
    await database.close();
  }
}

/** At most some lines: a damaged file has too many faults to read. */
function checkFile(file: string): string[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const lines = database.prepare('pragma integrity_check(20)').all() as { integrity_check: string }[];
    const faults = lines.map((line) => line.integrity_check).filter((line) => line !== 'ok');
    const orphans = database.prepare('pragma foreign_key_check').all() as { table: string; parent: string }[];
    return [
      ...faults,
      ...orphans.slice(0, 20).map(({ table, parent }) => `a row of ${table} has no ${parent}`),
    ];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  } finally {
    database.close();
  }
}

async function* readTables(folder: string): AsyncGenerator<CopyPart> {
  for (const table of (await readdir(folder, { withFileTypes: true })).filter((entry) =>
    entry.isDirectory(),
  )) {
    for (const piece of (await readdir(join(folder, table.name))).toSorted()) {
      const name = `${table.name}/${piece}`;
      const part = toCopyPart(name, await readFile(join(folder, name)));
      if (part !== undefined) yield part;
    }
  }
}
