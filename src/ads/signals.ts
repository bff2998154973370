import type { AdClock } from './provider.ts';

/** Aborts with the first of them; browsers of 2023 lack `AbortSignal.any`. */
export function joinSignals(...signals: readonly AbortSignal[]): AbortSignal {
  const joined = new AbortController();
  const abort = () => joined.abort();
  for (const signal of signals) {
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true, signal: joined.signal });
  }
  return joined.signal;
}

export interface Limit {
  readonly clock: AdClock;
  readonly ms: number;
  readonly signal?: AbortSignal;
}

/**
 * Returns the result of `work`, or null when it takes longer than `ms` or the signal aborts. `work` receives a signal
 * for both, and is not awaited after it.
 */
export async function within<Value>(
  { clock, ms, signal }: Limit,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value | null> {
  const over = new AbortController();
  const stop = () => over.abort();
  const cancel = clock.after(ms, stop);
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  const ending = new Promise<null>((resolve) => {
    if (over.signal.aborted) resolve(null);
    over.signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  try {
    return await Promise.race([work(over.signal), ending]);
  } finally {
    cancel();
    signal?.removeEventListener('abort', stop);
  }
}
