/** Somebody did something too often. */
export class TooMany extends Error {
  override readonly name = 'TooMany';
  readonly retryAfterSec: number;
  /** What helps at once, for the person who reads it; '' where nothing does. */
  readonly hint: string;

  constructor(retryAfterSec: number, hint = '') {
    super('too many');
    this.retryAfterSec = retryAfterSec;
    this.hint = hint;
  }
}

/** How often something may be done by one key within a time, which begins with the first of them. */
export interface RateLimit {
  /** Names the limit among all others; part of the program, never of a request. */
  readonly name: string;
  readonly points: number;
  readonly perSec: number;
}

/** How often one key may be at something at the same time. */
export interface AtOnceLimit {
  /** As that of `RateLimit`. */
  readonly name: string;
  readonly atOnce: number;
}

/** Counts what is done, and refuses what is done too often. Counting is atomic, also between processes. */
export interface RateLimits {
  /** Counts one for `key` (an address, an account). Throws `TooMany` when the limit is passed. */
  take(limit: RateLimit, key: string): Promise<void>;
  /** Takes one back that turned out not to count. */
  giveBack(limit: RateLimit, key: string): Promise<void>;
  /** Forgets what was counted for `key`. */
  forget(limit: RateLimit, key: string): Promise<void>;
  /** Lets `key` in, and returns what is called, once, when it is done. Throws `TooMany` when enough are in. */
  enter(limit: AtOnceLimit, key: string): () => void;
}

/** For benches (RATE_LIMITS=off): nothing is counted. */
export const noRateLimits: RateLimits = {
  take: () => Promise.resolve(),
  giveBack: () => Promise.resolve(),
  forget: () => Promise.resolve(),
  enter: () => () => undefined,
};

/** Counts one unless that would pass the limit; whether it did. For limits that nobody is told of. */
export async function isWithinLimit(rateLimits: RateLimits, limit: RateLimit, key: string): Promise<boolean> {
  try {
    await rateLimits.take(limit, key);
    return true;
  } catch (error) {
    if (error instanceof TooMany) return false;
    throw error;
  }
}
