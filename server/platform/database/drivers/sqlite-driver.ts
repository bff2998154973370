import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { SelectQueryNode, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type {
  CompiledQuery,
  DatabaseConnection,
  Dialect,
  Driver,
  QueryResult,
  TransactionSettings,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { classifyFailure } from './failure.ts';
import type { SqliteFile } from './sqlite.ts';
import type { Turns } from '../../turns.ts';
import { createWriteQueue, retryWhileBusy } from './write-queue.ts';

/** A write that has not started by then fails. */
const WAIT_MS = 5_000;
const STATEMENTS_MAX = 256;
const ROW_LOCKS: ReadonlySet<string> = new Set([
  'ForUpdate',
  'ForNoKeyUpdate',
  'ForShare',
  'ForKeyShare',
  'NoWait',
  'SkipLocked',
]);

export interface SqliteDriver extends Driver {
  /**
   * Moves the content of the write-ahead log into the file and truncates the log; false if that is not possible now.
   * Does not wait.
   */
  truncateLog(): boolean;
}

/**
 * Kysely over node:sqlite. One connection writes: transactions, and changes outside of transactions, take turns on it.
 * Another one reads concurrently. While another process holds the lock, writes are retried for `waitMs`.
 */
export function createSqliteDriver(file: SqliteFile, waitMs = WAIT_MS): SqliteDriver {
  return new NodeSqliteDriver(file, waitMs);
}

export function createSqliteDialect(driver: SqliteDriver): Dialect {
  return {
    createDriver: () => driver,
    createQueryCompiler: () => new LocklessQueryCompiler(),
    createAdapter: () => new SharedSqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** Omits row locks (`for update` and the like), which SQLite does not support: a writing transaction is exclusive. */
class LocklessQueryCompiler extends SqliteQueryCompiler {
  protected override visitSelectQuery(node: SelectQueryNode): void {
    if (node.endModifiers === undefined) return super.visitSelectQuery(node);
    const endModifiers = node.endModifiers.filter(
      ({ modifier }) => modifier === undefined || !ROW_LOCKS.has(modifier),
    );
    super.visitSelectQuery({ ...node, endModifiers });
  }
}

/** Kysely would queue everything, including reads behind transactions. */
class SharedSqliteAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class NodeSqliteDriver implements SqliteDriver {
  readonly #file: SqliteFile;
  readonly #shared: Shared;
  /** Kysely keeps a record of each one, so they are reused. */
  readonly #idle: Connection[] = [];

  constructor(file: SqliteFile, waitMs: number) {
    this.#file = file;
    const reader = new Statements(file.reader);
    const writer = file.writer === null ? reader : new Statements(file.writer);
    this.#shared = { reader, writer, queue: createWriteQueue(), waitMs };
  }

  async init() {}

  async acquireConnection() {
    return this.#idle.pop() ?? new Connection(this.#shared);
  }

  async beginTransaction(connection: Connection, { accessMode }: TransactionSettings) {
    if (accessMode === 'read only') connection.beginSnapshot(this.#file.openReader());
    else await connection.begin();
  }

  async commitTransaction(connection: Connection) {
    connection.end('commit');
  }

  async rollbackTransaction(connection: Connection) {
    connection.end('rollback');
  }

  async releaseConnection(connection: Connection) {
    connection.release();
    this.#idle.push(connection);
  }

  /** Waits for writes in progress. */
  async destroy() {
    const { queue, waitMs } = this.#shared;
    await queue.enter('', waitMs).catch(() => undefined);
    this.#file.reader.close();
    this.#file.writer?.close();
  }

  truncateLog() {
    const { queue, writer } = this.#shared;
    if (this.#file.writer === null || !queue.tryEnter()) return false;
    try {
      const { rows } = writer.run<{ busy: number }>('pragma wal_checkpoint(truncate)', []);
      return rows[0]?.busy === 0;
    } catch (error) {
      if (classifyFailure(error) === 'busy') return false;
      throw error;
    } finally {
      queue.leave();
    }
  }
}

interface Shared {
  readonly reader: Statements;
  readonly writer: Statements;
  readonly queue: Turns;
  readonly waitMs: number;
}

/** The query decides which of the real connections it uses. */
class Connection implements DatabaseConnection {
  readonly #shared: Shared;
  /** The connection with the open transaction. */
  #transaction: Statements | undefined;
  /** The error that made SQLite roll back: the remaining queries of the transaction must not run outside of it. */
  #broken: unknown;

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  async executeQuery<Row>({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<Row>> {
    const values = parameters as SQLInputValue[];
    const { writer, queue, waitMs } = this.#shared;
    if (this.#transaction !== undefined) return this.#runInside(this.#transaction, sql, values);
    if (SelectQueryNode.is(query) || /^\s*select\b/i.test(sql)) return this.#read(sql, values);
    const deadlineMs = performance.now() + waitMs;
    await queue.enter('', waitMs);
    try {
      const result = await retryWhileBusy(() => writer.run<Row>(sql, values), deadlineMs);
      if (!writer.database.isTransaction) return result;
      writer.database.exec('rollback');
      throw new Error('use db.transaction(): a manual transaction would include the writes of others');
    } finally {
      queue.leave();
    }
  }

  // eslint-disable-next-line require-yield
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('streaming is not supported: it would block the only connection. Read in pages.');
  }

  /** Immediate: a transaction that reads first and then writes would fail if another process wrote in between. */
  async begin(): Promise<void> {
    const { writer, queue, waitMs } = this.#shared;
    const deadlineMs = performance.now() + waitMs;
    await queue.enter('', waitMs);
    try {
      await retryWhileBusy(() => writer.database.exec('begin immediate'), deadlineMs);
    } catch (error) {
      queue.leave();
      throw error;
    }
    this.#transaction = writer;
  }

  beginSnapshot(database: DatabaseSync): void {
    this.#transaction = new Statements(database);
    database.exec('begin deferred');
  }

  end(how: 'commit' | 'rollback'): void {
    if (how === 'commit' && this.#broken !== undefined) throw this.#broken;
    const database = this.#transaction?.database;
    if (how === 'commit' || database?.isTransaction) database?.exec(how);
  }

  release(): void {
    if (this.#transaction === this.#shared.writer) this.#shared.queue.leave();
    else this.#transaction?.database.close();
    this.#transaction = undefined;
    this.#broken = undefined;
  }

  /** Rarely waits: only while another process recovers the file after a crash, or is the last one to close it. */
  #read<Row>(sql: string, values: SQLInputValue[]): QueryResult<Row> | Promise<QueryResult<Row>> {
    const { reader, waitMs } = this.#shared;
    try {
      return reader.run(sql, values);
    } catch (error) {
      if (classifyFailure(error) !== 'busy') throw error;
      return retryWhileBusy(() => reader.run<Row>(sql, values), performance.now() + waitMs);
    }
  }

  #runInside<Row>(transaction: Statements, sql: string, values: SQLInputValue[]): QueryResult<Row> {
    if (this.#broken !== undefined) throw this.#broken;
    try {
      return transaction.run(sql, values);
    } catch (error) {
      if (!transaction.database.isTransaction) this.#broken = error;
      throw error;
    }
  }
}

interface Prepared {
  readonly statement: StatementSync;
  /** Empty for a statement that returns no rows. */
  readonly columns: readonly string[];
}

/** A real connection with its recently used statements. */
class Statements {
  readonly database: DatabaseSync;
  readonly #prepared = new LRUCache<string, Prepared>({ max: STATEMENTS_MAX });

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  run<Row>(sql: string, values: SQLInputValue[]): QueryResult<Row> {
    const { statement, columns } = this.#prepare(sql);
    if (columns.length > 0) {
      const rows = statement.all(...values) as unknown as unknown[][];
      // Another process may have added a column, which `select *` includes.
      const names = (rows[0]?.length ?? columns.length) === columns.length ? columns : readColumns(statement);
      return { rows: rows.map((row) => toObject(names, row) as Row) };
    }
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  #prepare(sql: string): Prepared {
    const cached = this.#prepared.get(sql);
    if (cached !== undefined) return cached;
    const statement = this.database.prepare(sql);
    statement.setReturnArrays(true);
    const prepared = { statement, columns: readColumns(statement) };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

function readColumns(statement: StatementSync): string[] {
  return statement.columns().map(({ name }) => name);
}

/** node:sqlite's own objects are dictionaries, which take longer to create and to read. */
function toObject(columns: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  for (let index = 0; index < columns.length; index += 1) row[columns[index] ?? ''] = values[index];
  return row;
}
