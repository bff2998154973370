import { setTimeout as sleep } from 'node:timers/promises';
import { createBudgets } from './budgets.ts';
import type { BudgetOptions } from './budgets.ts';
import { Turns } from '../turns.ts';
import { Busy } from './busy.ts';
import { TooManyRequests } from './rate-limits.ts';

/** Limits the work on the single processor, and shares it fairly between callers. */
export interface Admission {
  /**
   * Runs the work when it is the turn of `key` (an address group; '' for this process itself, which queues like the
   * others but has no budget). Keys are served in turn, so one with many requests delays another by one piece of work.
   * Throws `Busy` when the queue is full or the wait too long, and `TooManyRequests` when the key's budget is used up.
   */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Delays a refusal, so that a client that retries at once uses little processor time. Returns at once while too many
   * refusals are being delayed.
   */
  delayRefusal(): Promise<void>;
  /** The number of callers in the queue. */
  countWaiting(): number;
}

export interface AdmissionOptions extends BudgetOptions {
  readonly concurrency: number;
  /** Maximum queue length; beyond it, a new caller replaces the last one of the key with the most waiting callers. */
  readonly waitingMax: number;
  readonly waitMsMax: number;
  /** How long a refusal is delayed. 0 by default. */
  readonly refusalDelayMs?: number;
}

/** Work that takes longer is waiting for I/O: the next one starts in the meantime. */
const SLOT_MS_MAX = 10_000;
/** Refusals that are delayed at the same time; further ones are sent at once. About 1 KB each, with their request. */
const DELAYED_MAX = 4_096;

/** Admits everything at once. For benches (RATE_LIMITS=off). */
export const unlimitedAdmission: Admission = {
  run: (_, work) => work(),
  delayRefusal: () => Promise.resolve(),
  countWaiting: () => 0,
};

export function createAdmission(options: AdmissionOptions): Admission {
  const { concurrency, waitingMax, waitMsMax, refusalDelayMs = 0 } = options;
  const budgets = createBudgets(options);
  const turns = new Turns({
    parallel: concurrency,
    waitingMax,
    waitMs: waitMsMax,
    toRefusal: () => new Busy(),
  });
  let delayed = 0;

  function charge(key: string): void {
    const retryAfterSec = budgets.take(key);
    if (retryAfterSec > 0) throw new TooManyRequests(retryAfterSec);
  }

  return {
    async run(key, work) {
      if (key !== '') charge(key);
      try {
        await turns.enter(key);
      } catch (error) {
        budgets.refund(key);
        throw error;
      }
      let hasSlot = true;
      const release = () => {
        // After the event loop has polled its connections, so that a full queue does not delay other work.
        if (hasSlot) setImmediate(() => turns.leave(key));
        hasSlot = false;
      };
      const limit = setTimeout(release, SLOT_MS_MAX);
      try {
        return await work();
      } finally {
        clearTimeout(limit);
        release();
      }
    },
    async delayRefusal() {
      if (refusalDelayMs === 0 || delayed >= DELAYED_MAX) return;
      delayed += 1;
      await sleep(refusalDelayMs);
      delayed -= 1;
    },
    countWaiting: () => turns.waitingCount,
  };
}

/** Whether work was refused because of load, or because a key's budget is used up. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Busy || error instanceof TooManyRequests;
}
