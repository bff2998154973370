/** An error in full, for the people who build the site. */
export function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error ?? '');
}
