import { setTimeout as wait } from 'node:timers/promises';
import { WriteQueueError, classifyFailure } from './failure.ts';

/** The most callers that may wait to write; each holds the memory of a request. */
const WAITING_MAX = 1_000;
/** Longest pause between two attempts while another process holds the lock. */
const PAUSE_MS_MAX = 25;

interface Waiter {
  readonly timer: NodeJS.Timeout;
  readonly enter: () => void;
}

/** Admits one writer at a time, in order of arrival. */
export class WriteQueue {
  readonly #waiting: Waiter[] = [];
  readonly #waitingMax: number;
  #isHeld = false;

  constructor(waitingMax = WAITING_MAX) {
    this.#waitingMax = waitingMax;
  }

  /** Takes the write lock if it is free. */
  tryEnter(): boolean {
    if (this.#isHeld) return false;
    this.#isHeld = true;
    return true;
  }

  /**
   * Resolves when the caller may write. Rejects with `WriteQueueError` at the deadline, or at once if the queue is
   * full.
   */
  async enter(deadlineMs: number): Promise<void> {
    if (this.tryEnter()) return;
    if (this.#waiting.length >= this.#waitingMax) throw new WriteQueueError('too many writes are waiting');
    await new Promise<void>((resolve, reject) => {
      const waiter: Waiter = {
        enter: resolve,
        timer: setTimeout(() => {
          this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
          reject(new WriteQueueError('waited too long for the turn to write'));
        }, deadlineMs - performance.now()),
      };
      this.#waiting.push(waiter);
    });
  }

  /** Passes the write lock on. */
  leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) {
      this.#isHeld = false;
      return;
    }
    clearTimeout(next.timer);
    next.enter();
  }
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
