import type { Clock } from '../lib/clock.ts';

export interface Limit {
  readonly clock: Clock;
  readonly ms: number;
  readonly signal?: AbortSignal;
}

/** The result of `work`, or null after `ms` or an abort. `work` gets a signal for both, and its result is ignored then. */
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
