import { closeSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolderNow } from '../../synced-files.ts';
import { classifyFailure } from './failure.ts';

/** How long the switch to write-ahead logging, at start, waits for other processes. */
const SWITCH_WAIT_MS = 5_000;
const MIB = 1024 * 1024;

/** The connections to a database file. */
export interface SqliteFile {
  /** Null when opened read-only. */
  readonly writer: DatabaseSync | null;
  /** Sees each commit at once, and keeps reading while a transaction is open. */
  readonly reader: DatabaseSync;
  /** An additional read connection for the caller alone. */
  openReader(): DatabaseSync;
}

/**
 * Opens a database file, creating it if necessary, that only its owner can read. Every commit is on disk when it
 * returns. Connections do not wait for locks, since that would block the event loop: callers retry (write-queue.ts).
 */
export function openSqliteFile(file: string): SqliteFile {
  makeFolderNow(dirname(file), 0o700);
  // SQLite creates its auxiliary files with the same permissions.
  closeSync(openSync(file, 'a', 0o600));
  const writer = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true });
  try {
    switchToWal(writer);
    tune(writer);
    // Deleted or overwritten content is filled with zeros: mails contain links that are equivalent to passwords.
    writer.exec(`
      pragma synchronous = full;
      pragma recursive_triggers = on;
      pragma secure_delete = on;
      pragma journal_size_limit = ${64 * MIB};
    `);
    return { writer, reader: openReader(file), openReader: () => openReader(file) };
  } catch (error) {
    writer.close();
    throw error;
  }
}

/** Opens an existing file for reading: it takes no lock that blocks another process. */
export function openSqliteFileToRead(file: string): SqliteFile {
  return { writer: null, reader: openReader(file), openReader: () => openReader(file) };
}

function openReader(file: string): DatabaseSync {
  const reader = new DatabaseSync(file, { timeout: 0, readOnly: true });
  tune(reader);
  return reader;
}

function tune(database: DatabaseSync): void {
  database.exec(`
    pragma cache_size = -${32 * 1024};
    pragma mmap_size = ${4_096 * MIB};
    pragma temp_store = memory;
  `);
}

/** The switch needs exclusive access to the file. No other work runs at this time, so the thread may block. */
function switchToWal(database: DatabaseSync): void {
  const deadline = Date.now() + SWITCH_WAIT_MS;
  for (;;) {
    try {
      database.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (classifyFailure(error) !== 'busy' || Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}
