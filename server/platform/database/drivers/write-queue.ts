import { setTimeout as wait } from 'node:timers/promises';
import { Turns } from '../../turns.ts';
import { WriteQueueError, classifyFailure } from './failure.ts';

/** The most callers that may wait to write; each holds the memory of a request. */
const WAITING_MAX = 1_000;
/** Longest pause between two attempts while another process holds the lock. */
const PAUSE_MS_MAX = 25;

/** Admits one writer at a time, in order of arrival. Rejects with `WriteQueueError`. */
export function createWriteQueue(waitingMax = WAITING_MAX): Turns {
  return new Turns({
    parallel: 1,
    waitingMax,
    toRefusal: (why) =>
      new WriteQueueError(
        why === 'full' ? 'too many writes are waiting' : 'waited too long for the turn to write',
      ),
  });
}

/**
 * Retries an operation that locks of another process may prevent, until it succeeds or the deadline has passed. The
 * event loop stays free between attempts. `deadlineMs` is on the clock of `performance.now()`.
 */
export async function retryWhileBusy<Result>(run: () => Result, deadlineMs: number): Promise<Result> {
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
    try {
      return run();
    } catch (error) {
      if (classifyFailure(error) !== 'busy' || performance.now() + pauseMs > deadlineMs) throw error;
    }
    await wait(pauseMs);
  }
}
