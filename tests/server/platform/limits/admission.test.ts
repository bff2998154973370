import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Busy } from '#server/platform/limits/busy.ts';
import { TooManyRequests } from '#server/platform/limits/rate-limits.ts';
import { type CallLimits, limitCalls } from '#support/http/admissions.ts';

/** An admission whose tasks end when the test says so; started tasks are recorded. */
function makeAdmission(options: Partial<CallLimits> = {}) {
  const state = { now: 0, underWay: 0, most: 0 };
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const admission = limitCalls({
    concurrency: 1,
    waitingMax: 8,
    waitMsMax: 10_000,
    burst: 1_000,
    perSec: 10,
    now: () => state.now,
    ...options,
  });
  const run = (key: string) =>
    admission
      .run(key, async () => {
        begun.push(key);
        state.most = Math.max(state.most, ++state.underWay);
        await new Promise<void>((resolve) => ends.push(resolve));
        state.underWay -= 1;
        return 'done';
      })
      .catch((error: Error) => error);
  return {
    state,
    begun,
    run,
    /** Ends running tasks until none wait. */
    async drain() {
      await setImmediate();
      while (ends.length > 0) {
        ends.shift()?.();
        await setImmediate();
        await setImmediate();
      }
    },
  };
}

describe('admission', () => {
  test('runs up to its limit concurrently, and queues the rest', async () => {
    const { run, drain, state } = makeAdmission({ concurrency: 2 });
    const all = Promise.all(Array.from({ length: 7 }, () => run('a')));
    await drain();
    expect(await all).toEqual(Array(7).fill('done'));
    expect(state.most).toBe(2);
  });

  test('alternates between keys: one with many tasks does not delay the others', async () => {
    const { run, drain, begun } = makeAdmission();
    const all = Promise.all(['a', 'a', 'a', 'a', 'b', 'c', 'b', ''].map((key) => run(key)));
    await drain();
    await all;
    expect(begun).toEqual(['a', 'a', 'b', 'c', '', 'a', 'b', 'a']);
  });

  test('gives a newcomer the last place of the busiest key in a full queue', async () => {
    const { run, drain, begun } = makeAdmission();
    const flood = Array.from({ length: 20 }, () => run('a'));
    await setImmediate();
    const others = [run('b'), run('c')];
    await drain();
    expect(await Promise.all(others)).toEqual(['done', 'done']);
    expect(begun.slice(0, 4)).toEqual(['a', 'a', 'b', 'c']);
    const refused = (await Promise.all(flood)).filter((result) => result instanceof Busy);
    // One was running and eight waited, of which two made room.
    expect(refused).toHaveLength(20 - 7);
  });

  test('refuses a newcomer when every key has one place', async () => {
    const { run, drain } = makeAdmission({ waitingMax: 3 });
    const all = ['a', 'b', 'c', 'd'].map((key) => run(key));
    expect(await run('e')).toBeInstanceOf(Busy);
    await drain();
    expect(await Promise.all(all)).toEqual(Array(4).fill('done'));
  });

  test('refuses tasks that wait too long, and continues', async () => {
    const { run, drain } = makeAdmission({ waitMsMax: 10 });
    const first = run('a');
    expect(await run('b')).toBeInstanceOf(Busy);
    await drain();
    expect(await first).toBe('done');
    const next = run('b');
    await drain();
    expect(await next).toBe('done');
  });

  test('has a budget per key that refills with time, and none for internal work', async () => {
    const { run, drain, state } = makeAdmission({ burst: 3, perSec: 0.5, waitingMax: 100 });
    const all = async (key: string) => {
      const results = Promise.all(Array.from({ length: 5 }, () => run(key)));
      await drain();
      return (await results).filter((result) => result === 'done').length;
    };
    expect(await all('a')).toBe(3);
    expect(await all('b')).toBe(3);
    expect(await all('')).toBe(5);
    const refused = await run('a');
    expect(refused).toBeInstanceOf(TooManyRequests);
    expect(refused).toMatchObject({ retryAfterSec: 2 });
    state.now = 4_000;
    expect(await all('a')).toBe(2);
    state.now = 1_000_000;
    expect(await all('a')).toBe(3);
  });

  test('does not charge refused tasks', async () => {
    const { run, drain } = makeAdmission({ burst: 3, perSec: 0.001, waitingMax: 1 });
    const all = Promise.all([run('a'), run('a'), run('a'), run('a')]);
    await drain();
    expect((await all).filter((result) => result === 'done')).toHaveLength(2);
    const next = run('a');
    await drain();
    expect(await next).toBe('done');
  });

  test('serves connections between two tasks', async () => {
    const admission = limitCalls({
      concurrency: 1,
      waitingMax: 100,
      waitMsMax: 10_000,
      burst: 100,
      perSec: 1,
    });
    let done = 0;
    const all = Array.from({ length: 50 }, () => admission.run('a', async () => void (done += 1)));
    await setImmediate();
    expect(done).toBeLessThan(4);
    await Promise.all(all);
  });

  test('delays refusals, and bounds the number of concurrent ones', async () => {
    const limits = { concurrency: 1, waitingMax: 1, waitMsMax: 1_000, burst: 1, perSec: 1 };
    const admission = limitCalls({ ...limits, refusalDelayMs: 500 });
    let answered = 0;
    const all = Array.from({ length: 5_000 }, () => admission.delayRefusal().then(() => (answered += 1)));
    await setImmediate();
    expect(answered).toBe(5_000 - 4_096);
    await Promise.all(all);
    expect(answered).toBe(5_000);
  });
});
