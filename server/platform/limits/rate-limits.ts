/** A rate limit was exceeded. */
export class TooManyRequests extends Error {
  override readonly name = 'TooManyRequests';
  readonly retryAfterSec: number;
  /** A remedy for the reader; '' if there is none. */
  readonly hint: string;
  /** The message to the caller; the time to wait follows it. */
  readonly reason: string;

  constructor(retryAfterSec: number, hint = '', reason = '操作の回数が多すぎます。') {
    super('too many');
    this.retryAfterSec = retryAfterSec;
    this.hint = hint;
    this.reason = reason;
  }
}

/** How often one key may do something within a period, which starts with the first use. */
export interface RateLimit {
  /** The unique name of the limit; a constant of the program, never part of a request. */
  readonly name: string;
  readonly points: number;
  readonly perSec: number;
}

/** How many concurrent uses one key may have. */
export interface ConcurrencyLimit {
  /** As that of `RateLimit`. */
  readonly name: string;
  readonly concurrency: number;
}

/** Counts uses and refuses those above a limit. Counting is atomic, also between processes. */
export interface RateLimits {
  /** Counts one use of `key` (an address, an account). Throws `TooManyRequests` when the limit is exceeded. */
  take(limit: RateLimit, key: string): Promise<void>;
  /** Reverts one count. */
  refund(limit: RateLimit, key: string): Promise<void>;
  /** Resets the count of `key`. */
  reset(limit: RateLimit, key: string): Promise<void>;
  /**
   * Admits `key`, and returns a function to be called once when the use ends. Throws `TooManyRequests` at the limit.
   */
  acquire(limit: ConcurrencyLimit, key: string): () => void;
}

/** For benchmarks (RATE_LIMITS=off): nothing is counted. */
export const noRateLimits: RateLimits = {
  take: () => Promise.resolve(),
  refund: () => Promise.resolve(),
  reset: () => Promise.resolve(),
  acquire: () => () => undefined,
};

/** Counts one use unless that would exceed the limit; returns whether it did. For limits that are not reported. */
export async function isWithinLimit(rateLimits: RateLimits, limit: RateLimit, key: string): Promise<boolean> {
  try {
    await rateLimits.take(limit, key);
    return true;
  } catch (error) {
    if (error instanceof TooManyRequests) return false;
    throw error;
  }
}
