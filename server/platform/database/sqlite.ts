import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { classifyFailure } from './failure.ts';

/** The switch to write-ahead logging, at start, waits so long for other processes. */
const SWITCH_WAIT_MS = 5_000;
const MIB = 1024 * 1024;

/** The connections to a database file. */
export interface SqliteFile {
  /** Null where it was opened for reading alone. */
  readonly writer: DatabaseSync | null;
  /** Sees each commit as soon as it is made, and reads on while a transaction is open. */
  readonly reader: DatabaseSync;
  /** One more for reading, of the caller's own. */
  openReader(): DatabaseSync;
}

/**
 * Opens, and makes, a database file that its owner alone can read. Every commit is on disk when it returns. No
 * connection waits for a lock, since that would stop the event loop: callers try again (write-queue.ts).
 */
export function openSqliteFile(file: string): SqliteFile {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // SQLite gives the files beside it the same permissions.
  closeSync(openSync(file, 'a', 0o600));
  const writer = new DatabaseSync(file, { timeout: 0, enableForeignKeyConstraints: true });
  try {
    switchToWal(writer);
    tune(writer);
    // What is deleted or overwritten is filled with zeros: mails hold links that are as good as passwords.
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

/** Opens an existing file for reading: it takes no lock that another process waits for. */
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

/** The switch needs the file for itself. Nothing else is done at this time: the thread may wait. */
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
