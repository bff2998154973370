/** Shares one result among all callers within a time; a failure is not kept. */
export function keepFor<Result>(keptMs: number, read: () => Promise<Result>): () => Promise<Result> {
  let kept: { readonly atMs: number; readonly result: Promise<Result> } | undefined;
  return () => {
    const atMs = performance.now();
    if (kept === undefined || atMs - kept.atMs > keptMs) {
      const result = read();
      kept = { atMs, result };
      result.catch(() => (kept = undefined));
    }
    return kept.result;
  };
}
