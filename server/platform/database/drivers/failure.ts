/**
 * What a database failure means to its callers:
 * - `full`: the disk, or its quota, is full. Nothing was changed.
 * - `busy`: a lock or all connections are in use. The call works a little later.
 * - `conflict`: PostgreSQL aborted one of several conflicting transactions. It can be repeated at once.
 * - `unavailable`: the database cannot currently be reached, read or written.
 */
export type DatabaseFailure = 'full' | 'busy' | 'conflict' | 'unavailable';

/** The wait for the write lock took too long, or the queue was full. */
export class WriteQueueError extends Error {
  override readonly name = 'WriteQueueError';
}

/** The wait for a connection to PostgreSQL took too long, or the caller had too many waiting. */
export class ConnectionQueueError extends Error {
  override readonly name = 'ConnectionQueueError';
}

/** Primary result codes of SQLite (https://sqlite.org/rescode.html): the low byte of an extended code. */
const SQLITE_CODES: Readonly<Record<number, DatabaseFailure>> = {
  5: 'busy', // SQLITE_BUSY
  6: 'busy', // SQLITE_LOCKED
  8: 'unavailable', // SQLITE_READONLY
  10: 'unavailable', // SQLITE_IOERR
  13: 'full', // SQLITE_FULL
  14: 'unavailable', // SQLITE_CANTOPEN
  15: 'busy', // SQLITE_PROTOCOL: locks of the write-ahead log
};
/** The shared-memory file cannot grow. SQLite reports this as an I/O error; it means a full disk. */
const SQLITE_IOERR_SHMSIZE = 4_874;

/** Codes of Node and of PostgreSQL (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const CODES: readonly (readonly [RegExp, DatabaseFailure])[] = [
  [/^(?:ENOSPC|EDQUOT|53100)$/, 'full'],
  [/^(?:40001|40P01)$/, 'conflict'],
  // A lock timeout, a statement timeout, no connection left.
  [/^(?:55P03|57014|53300)$/, 'busy'],
  // Storage in a bucket means the same to callers as a database that is away.
  [/^STORAGE_UNAVAILABLE$/, 'unavailable'],
  // Connection exceptions, shutdown and start-up, a standby, an I/O error.
  [/^(?:08\w{3}|57P0\d|25006|58030)$/, 'unavailable'],
  [
    /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/,
    'unavailable',
  ],
];
/** PostgreSQL: wrong credentials, no such database, missing privileges. */
const REFUSED = /^(?:28\w{3}|3D000|42501)$/;
/** Node: the certificate of the server, or its name, is not accepted. */
const NO_CERTIFICATE = /^(?:ERR_TLS_|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;
/** Errors that `pg` reports without a code. */
const UNREACHABLE =
  /^timeout exceeded when trying to connect|^Connection terminated|^Client has encountered a connection error/;

/**
 * The kind of failure of a driver error; undefined for all other errors, such as a mistake in a query or a constraint.
 */
export function classifyFailure(error: unknown): DatabaseFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof WriteQueueError || error instanceof ConnectionQueueError) return 'busy';
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  if (typeof errcode === 'number') {
    return errcode === SQLITE_IOERR_SHMSIZE ? 'full' : SQLITE_CODES[errcode & 0xff];
  }
  const matched = typeof code === 'string' ? CODES.find(([pattern]) => pattern.test(code)) : undefined;
  return matched?.[1] ?? (UNREACHABLE.test(error.message) ? 'unavailable' : undefined);
}

/** Whether PostgreSQL refuses the user or the database of its address, or what the user does. */
export function isRefused(error: unknown): boolean {
  return REFUSED.test(toCode(error));
}

/** Whether the address of PostgreSQL, its server or the network has to be corrected, rather than this program. */
export function isUnusableAddress(error: unknown): boolean {
  return isRefused(error) || NO_CERTIFICATE.test(toCode(error)) || classifyFailure(error) === 'unavailable';
}

function toCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/** Whether the same call may succeed soon without intervention. */
export function isTransient(failure: DatabaseFailure | undefined): boolean {
  return failure === 'busy' || failure === 'conflict';
}
