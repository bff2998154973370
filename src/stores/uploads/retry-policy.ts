import { ApiError } from '../../../contract/calls/errors.ts';

/** Why an upload waits: the host is unreachable, is busy, or its disk is full. */
export type PauseCause = 'offline' | 'busy' | 'full';

export interface Pause {
  readonly cause: PauseCause;
  readonly ms: number;
}

const PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 30_000;
/** Number of retries for a busy host; a lost connection is retried without limit. */
const BUSY_MAX = 4;
/** A host without disk room is retried while the page is open, but rarely: room returns slowly. */
const FULL_STATUS = 507;
const FULL_PAUSE_MS = 30_000;
const FULL_PAUSE_MS_MAX = 300_000;
/** Users watch a row no longer than this; after it, the row shows the time of the next attempt. */
const RETRY_AFTER_SEC_MAX = 300;
/** 423: an earlier request of the same upload is still running. */
const BUSY_STATUSES: readonly number[] = [408, 423, 425, 429, 500, 502, 503, 504];

/** Decides how long to wait after each consecutive failure. */
export function createRetryPolicy() {
  let failures = 0;
  let refusals = 0;
  return {
    /** A request succeeded: the next failure starts a new series. */
    reset(): void {
      failures = 0;
      refusals = 0;
    },
    /** null: the error is not temporary, or the retries are used up. `temporary`: further statuses that are. */
    toPause(error: unknown, temporary: readonly number[] = []): Pause | null {
      if (!(error instanceof ApiError) || error.kind === 'unexpected-reply') return null;
      const ms = Math.min(PAUSE_MS_MAX, PAUSE_MS * 2 ** failures);
      failures += 1;
      if (error.status === 0) return { cause: 'offline', ms };
      if (error.status === FULL_STATUS) {
        return { cause: 'full', ms: Math.min(FULL_PAUSE_MS_MAX, FULL_PAUSE_MS * 2 ** (failures - 1)) };
      }
      if (![...BUSY_STATUSES, ...temporary].includes(error.status)) return null;
      refusals += 1;
      const { retryAfterSec = 0 } = error;
      if (refusals > BUSY_MAX || retryAfterSec > RETRY_AFTER_SEC_MAX) return null;
      return { cause: 'busy', ms: Math.max(ms, retryAfterSec * 1_000) };
    },
  };
}

/** Waits; if the connection is lost, only until it returns. Rejects when aborted. */
export function waitForRetry({ cause, ms }: Pause, signal: AbortSignal): Promise<void> {
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
