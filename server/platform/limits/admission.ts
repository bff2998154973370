import { setTimeout as sleep } from 'node:timers/promises';
import { createBudgets } from './budgets.ts';
import type { BudgetOptions } from './budgets.ts';
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

interface Waiter {
  readonly start: () => void;
  readonly reject: () => void;
}

/** Admits everything at once. For benches (RATE_LIMITS=off). */
export const unlimitedAdmission: Admission = {
  run: (_, work) => work(),
  delayRefusal: () => Promise.resolve(),
  countWaiting: () => 0,
};

export function createAdmission(options: AdmissionOptions): Admission {
  const { concurrency, waitingMax, waitMsMax, refusalDelayMs = 0 } = options;
  const budgets = createBudgets(options);
  /** In the order in which keys are served. No list is empty. */
  const waiting = new Map<string, Waiter[]>();
  let waitingCount = 0;
  let underWay = 0;
  let delayed = 0;

  function charge(key: string): void {
    const retryAfterSec = budgets.take(key);
    if (retryAfterSec > 0) throw new TooManyRequests(retryAfterSec);
  }

  function wait(key: string): Promise<void> {
    if (waitingCount >= waitingMax) rejectLastOfLongest(key);
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        remove(key, waiter);
      };
      const waiter: Waiter = {
        start: () => (leave(), resolve()),
        reject: () => (leave(), reject(new Busy())),
      };
      const timer = setTimeout(waiter.reject, waitMsMax);
      const line = waiting.get(key);
      if (line === undefined) waiting.set(key, [waiter]);
      else line.push(waiter);
      waitingCount += 1;
    });
  }

  function remove(key: string, waiter: Waiter): void {
    const line = waiting.get(key) ?? [];
    line.splice(line.indexOf(waiter), 1);
    if (line.length === 0) waiting.delete(key);
    waitingCount -= 1;
  }

  function rejectLastOfLongest(key: string): void {
    let longest: readonly Waiter[] = [];
    for (const line of waiting.values()) if (line.length > longest.length) longest = line;
    if (longest.length <= (waiting.get(key)?.length ?? 0) + 1) throw new Busy();
    longest.at(-1)?.reject();
  }

  /** Passes the slot to the next key, which then moves to the end. */
  function startNext(): void {
    const [key = '', line] = waiting.entries().next().value ?? [];
    if (line === undefined) {
      underWay -= 1;
      return;
    }
    line[0]?.start();
    if (!waiting.delete(key) || line.length === 0) return;
    waiting.set(key, line);
  }

  return {
    async run(key, work) {
      if (key !== '') charge(key);
      try {
        if (underWay >= concurrency) await wait(key);
        else underWay += 1;
      } catch (error) {
        budgets.refund(key);
        throw error;
      }
      let hasSlot = true;
      const release = () => {
        // After the event loop has polled its connections, so that a full queue does not delay other work.
        if (hasSlot) setImmediate(startNext);
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
    countWaiting: () => waitingCount,
  };
}

/** Whether work was refused because of load, or because a key's budget is used up. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Busy || error instanceof TooManyRequests;
}
