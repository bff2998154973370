/** Full details of an error, for developers. */
export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error ?? '');
}
