import { TooMany } from './rate-limits.ts';
import type { RateLimits } from './rate-limits.ts';

/** The remaining time is unknown; an ordinary file has arrived by then. */
const RETRY_AFTER_SEC = 10;

/** Counts concurrent use in this process only, since it protects the resources of this machine. */
export function createEnter(): RateLimits['enter'] {
  const inside = new Map<string, number>();
  return ({ name, atOnce }, key) => {
    const place = `${name} ${key}`;
    const others = inside.get(place) ?? 0;
    if (others >= atOnce) throw new TooMany(RETRY_AFTER_SEC);
    inside.set(place, others + 1);
    return () => {
      const left = (inside.get(place) ?? 1) - 1;
      if (left === 0) inside.delete(place);
      else inside.set(place, left);
    };
  };
}
