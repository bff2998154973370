import { TooManyRequests } from './rate-limits.ts';
import type { RateLimits } from './rate-limits.ts';

/** The remaining time is unknown; an ordinary file has arrived by then. */
const RETRY_AFTER_SEC = 10;

/** Counts concurrent use in this process only, since it protects the resources of this machine. */
export function createConcurrencyLimiter(): RateLimits['acquire'] {
  const inUse = new Map<string, number>();
  return ({ name, concurrency }, key) => {
    const slot = `${name} ${key}`;
    const others = inUse.get(slot) ?? 0;
    if (others >= concurrency) throw new TooManyRequests(RETRY_AFTER_SEC);
    inUse.set(slot, others + 1);
    return () => {
      const left = (inUse.get(slot) ?? 1) - 1;
      if (left === 0) inUse.delete(slot);
      else inUse.set(slot, left);
    };
  };
}
