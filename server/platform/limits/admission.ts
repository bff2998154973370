import { setTimeout as sleep } from 'node:timers/promises';
import type { Budgets } from './budgets.ts';
import type { ProcessorMeter } from './processor-time.ts';
import { Turns } from '../turns.ts';
import { Busy } from './busy.ts';
import { TooManyRequests } from './rate-limits.ts';

/** Limits the work on the single processor, and shares it fairly between callers. */
export interface Admission {
  /**
   * Runs the work when it is the turn of the caller (an address; '' for this process itself, which queues like the
   * others but has no budget). Lines are served in turn, so one with many requests delays another by one piece of work.
   * Throws `Busy` when the queue is full or the wait too long, and `TooManyRequests` when the caller's budget is used up.
   */
  run<Result>(caller: string, work: () => Promise<Result>): Promise<Result>;
  /**
   * Delays a refusal, so that a client that retries at once uses little processor time. Returns at once while too many
   * refusals are being delayed.
   */
  delayRefusal(): Promise<void>;
  /** The number of callers in the queue. */
  countWaiting(): number;
}

/** How many may be served at a time, and how many wait. */
export interface QueueLimits {
  readonly concurrency: number;
  /** Maximum queue length; beyond it, a new caller replaces the last one of the line with the most waiting callers. */
  readonly waitingMax: number;
  readonly waitMsMax: number;
  /** Work that takes longer is waiting for something: the next one starts in the meantime. 10 s by default. */
  readonly slotMsMax?: number;
  /** How long a refusal is delayed. 0 by default. */
  readonly refusalDelayMs?: number;
}

export interface AdmissionOptions extends QueueLimits {
  readonly budgets: Budgets;
  /** What one piece of work takes from its caller's budget, or is expected to take if it is measured. 1 by default. */
  readonly cost?: number;
  /** Measures what it really takes; `toCost` says what so many milliseconds count. */
  readonly measured?: { readonly meter: ProcessorMeter; readonly toCost: (ms: number) => number } | undefined;
  /** The line in which a caller waits; by default one of its own. */
  readonly toLine?: (caller: string) => string;
}

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
  const { budgets, cost = 1, measured, toLine = (caller) => caller } = options;
  const { concurrency, waitingMax, waitMsMax, slotMsMax = SLOT_MS_MAX, refusalDelayMs = 0 } = options;
  const turns = new Turns({
    parallel: concurrency,
    waitingMax,
    waitMs: waitMsMax,
    toRefusal: () => new Busy(),
  });
  let delayed = 0;

  function charge(caller: string): void {
    const retryAfterSec = caller === '' ? 0 : budgets.take(caller, cost);
    if (retryAfterSec > 0) throw new TooManyRequests(retryAfterSec);
  }

  function settle(caller: string, amount: number): void {
    if (caller !== '') budgets.settle(caller, amount);
  }

  function measure<Result>(caller: string, work: () => Promise<Result>): Promise<Result> {
    if (measured === undefined) return work();
    const { meter, toCost } = measured;
    return meter.measure(caller, work, (ms) => settle(caller, toCost(ms) - cost));
  }

  return {
    async run(caller, work) {
      charge(caller);
      const line = toLine(caller);
      try {
        await turns.enter(line);
      } catch (error) {
        settle(caller, -cost);
        throw error;
      }
      let hasSlot = true;
      const release = () => {
        // After the event loop has polled its connections, so that a full queue does not delay other work.
        if (hasSlot) setImmediate(() => turns.leave(line));
        hasSlot = false;
      };
      const limit = setTimeout(release, slotMsMax);
      try {
        return await measure(caller, work);
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

/** Whether work was refused because of load, or because a caller's budget is used up. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Busy || error instanceof TooManyRequests;
}
