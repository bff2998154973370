import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { addProcessorMs, createProcessorMeter, findCaller } from '#server/platform/limits/processor-time.ts';

/** A meter of a processor whose use the test says, and what it has reported by caller. */
function makeMeter() {
  let usedMs = 0;
  const { measure } = createProcessorMeter(() => usedMs);
  const reported: [caller: string, ms: number][] = [];
  return {
    use: (ms: number) => void (usedMs += ms),
    reported,
    measure: (caller: string, work: () => Promise<void>) =>
      measure(caller, work, (ms) => reported.push([caller, ms])),
  };
}

describe('measured work', () => {
  test('has all of what the thread does while it is alone', async () => {
    const { use, measure, reported } = makeMeter();
    use(100);
    await measure('a', async () => use(7));
    use(100);
    await measure('b', async () => use(3));
    expect(reported).toEqual([
      ['a', 7],
      ['b', 3],
    ]);
  });

  test('shares with others what the thread does meanwhile', async () => {
    const { use, measure, reported } = makeMeter();
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const long = measure('long', () => gates[0].promise);
    use(10);
    const short = measure('short', () => gates[1].promise);
    use(8);
    gates[1].resolve();
    await short;
    use(5);
    gates[0].resolve();
    await long;
    expect(reported).toEqual([
      ['short', 4],
      ['long', 19],
    ]);
  });

  test('is reported if it fails, and counts what it causes on other threads', async () => {
    const { use, measure, reported } = makeMeter();
    const failing = measure('a', async () => {
      use(2);
      await setImmediate();
      addProcessorMs(1_400);
      throw new Error(findCaller());
    });
    await expect(failing).rejects.toThrow('a');
    expect(reported).toEqual([['a', 1_402]]);
    addProcessorMs(5);
    expect(findCaller()).toBe('');
  });

  test('is measured in processor time of this thread', async () => {
    const { measure } = createProcessorMeter();
    let ms = 0;
    const report = (each: number) => (ms = each);
    const before = process.threadCpuUsage();
    await measure(
      'a',
      async () => {
        for (const end = performance.now() + 20; performance.now() < end;);
      },
      report,
    );
    const { user, system } = process.threadCpuUsage(before);
    expect(ms).toBeGreaterThan(0);
    expect(ms).toBeLessThan((user + system) / 1_000 + 1);
  });
});
