import { describe, expect, test } from 'vitest';
import { Busy } from '#server/platform/limits/busy.ts';
import { createPasswords } from '#server/platform/crypto/passwords.ts';

describe('hashing passwords', () => {
  test('S7 hashes two at a time, queues fifty, refuses further ones at once, and then continues', async () => {
    const passwords = createPasswords();
    const started = performance.now();
    let refusedAfter = 0;
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) =>
        (index % 2 === 0 ? passwords.hash('x') : passwords.matches('x', null)).catch((error: unknown) => {
          refusedAfter = performance.now() - started;
          throw error;
        }),
      ),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(refused).toHaveLength(60 - 52);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(Busy);
    expect(refusedAfter).toBeLessThan(300);
    expect(await passwords.matches('x', await passwords.hash('x'))).toBe(true);
  });

  test('S5 takes the same time with and without an account', async () => {
    const passwords = createPasswords();
    const hash = await passwords.hash('x');
    const times = { somebody: [] as number[], nobody: [] as number[] };
    for (let round = 0; round < 7; round++) {
      for (const [who, known] of [
        ['somebody', hash],
        ['nobody', null],
      ] as const) {
        const started = performance.now();
        expect(await passwords.matches('y', known)).toBe(false);
        times[who].push(performance.now() - started);
      }
    }
    const median = (list: number[]) => list.toSorted((a, b) => a - b)[3] ?? 0;
    // The point is that both hash. The tolerance allows for a busy machine.
    expect(median(times.nobody)).toBeGreaterThan(median(times.somebody) / 3);
    expect(median(times.nobody)).toBeLessThan(median(times.somebody) * 3);
  });
});
