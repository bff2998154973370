import type { Clock } from '#src/lib/clock.ts';

export interface TestClock extends Clock {
  /** Advances the clock, runs due callbacks, and lets promises settle in between. */
  pass(ms: number): Promise<void>;
  readonly waiting: number;
}

/** A clock that only advances on request. */
export function createTestClock(nowMs = 1_000_000): TestClock {
  const timers = new Map<object, { at: number; callBack: () => void }>();
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  return {
    now: () => nowMs,
    after(ms, callBack) {
      const key = {};
      timers.set(key, { at: nowMs + ms, callBack });
      return () => void timers.delete(key);
    },
    async pass(ms) {
      const end = nowMs + ms;
      await settle();
      for (;;) {
        const next = [...timers].toSorted(([, a], [, b]) => a.at - b.at)[0];
        if (!next || next[1].at > end) break;
        timers.delete(next[0]);
        nowMs = Math.max(nowMs, next[1].at);
        next[1].callBack();
        await settle();
      }
      nowMs = end;
      await settle();
    },
    get waiting() {
      return timers.size;
    },
  };
}
