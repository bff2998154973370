import { ApiError } from '../../../contract/errors.ts';

/** Why an upload rests: nothing is heard of the host, it has no time, or its disk has no room. */
export type PauseCause = 'offline' | 'busy' | 'full';

export interface Pause {
  readonly cause: PauseCause;
  readonly ms: number;
}

const PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 30_000;
/** A host that has no time is asked so often; a lost connection is waited for as long as it takes. */
const BUSY_MAX = 4;
/** A host without room is asked for as long as the page is open, but seldom: room comes back slowly. */
const FULL_STATUS = 507;
const FULL_PAUSE_MS = 30_000;
const FULL_PAUSE_MS_MAX = 300_000;
/** Nobody watches a row for longer; then it says when to try again. */
const RETRY_AFTER_SEC_MAX = 300;
/** 423: an earlier request of the same upload is not over yet. */
const BUSY_STATUSES: readonly number[] = [408, 423, 425, 429, 500, 502, 503, 504];

/** Decides after each failure in a row how long to rest. */
export function createRetryPolicy() {
  let failures = 0;
  let refusals = 0;
  return {
    /** Something went through: whatever comes next is a new trouble. */
    reset(): void {
      failures = 0;
      refusals = 0;
    },
    /** null: this does not pass by itself, or has not. `passing` are statuses that do here. */
    toPause(error: unknown, passing: readonly number[] = []): Pause | null {
      if (!(error instanceof ApiError) || error.kind === 'unexpected-reply') return null;
      const ms = Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** failures);
      failures += 1;
      if (error.status === 0) return { cause: 'offline', ms };
      if (error.status === FULL_STATUS) {
        return { cause: 'full', ms: Math.min(FULL_PAUSE_MS_MAX, FULL_PAUSE_MS * 2 ** (failures - 1)) };
      }
      if (![...BUSY_STATUSES, ...passing].includes(error.status)) return null;
      refusals += 1;
      const { retryAfterSec = 0 } = error;
      if (refusals > BUSY_MAX || retryAfterSec > RETRY_AFTER_SEC_MAX) return null;
      return { cause: 'busy', ms: Math.max(ms, retryAfterSec * 1_000) };
    },
  };
}

/** Waits; without a connection no longer than until the browser has one again. Rejects when aborted. */
export function rest({ cause, ms }: Pause, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(settle, ms);
    signal.addEventListener('abort', settle);
    if (cause === 'offline') window.addEventListener('online', settle);
    function settle(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', settle);
      window.removeEventListener('online', settle);
      if (signal.aborted) reject(signal.reason as Error);
      else resolve();
    }
  });
}
