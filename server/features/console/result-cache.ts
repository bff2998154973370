/** Shares one result among all callers within a time; a failure is not cached. */
export function cacheResult<Result>(maxAgeMs: number, read: () => Promise<Result>): () => Promise<Result> {
  let cached: { readonly atMs: number; readonly result: Promise<Result> } | undefined;
  return () => {
    const atMs = performance.now();
    if (cached === undefined || atMs - cached.atMs > maxAgeMs) {
      const result = read();
      cached = { atMs, result };
      result.catch(() => (cached = undefined));
    }
    return cached.result;
  };
}
