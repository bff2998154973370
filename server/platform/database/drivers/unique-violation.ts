/** SQLite's SQLITE_CONSTRAINT_UNIQUE; PostgreSQL's unique_violation. */
const SQLITE_UNIQUE = 2_067;
const POSTGRES_UNIQUE = '23505';

/** Whether a change failed because the value is already in use; the transaction is then lost. */
export function isUniqueViolation(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown };
  return code === POSTGRES_UNIQUE || errcode === SQLITE_UNIQUE;
}
