import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type HashFor, createPasswords } from '#server/platform/crypto/passwords.ts';
import { Busy } from '#server/platform/limits/busy.ts';

const WHOM: HashFor = { network: '192.0.2.0/24' };

/** Passwords whose hashes end when the test says so. */
function holdHashes() {
  const underWay: { readonly whose: string; readonly end: () => void }[] = [];
  const work = (password: string) =>
    new Promise<void>((end) => underWay.push({ whose: password, end: () => end() }));
  const passwords = createPasswords({
    hash: async (password) => (await work(password), ''),
    isPassword: async (password) => (await work(password), true),
  });
  let asked = 0;
  let answered = 0;
  return {
    /** Asks for so many hashes; the result tells what has become of them. */
    start(count: number, whom: HashFor) {
      const state = { done: 0, refused: 0 };
      const whose = 'member' in whom ? 'members' : 'networks';
      for (let index = 0; index < count; index += 1) {
        asked += 1;
        (index % 2 === 0 ? passwords.hash(whose, whom) : passwords.matches(whose, '', whom)).then(
          () => ((state.done += 1), (answered += 1)),
          (error: unknown) => {
            expect(error).toBeInstanceOf(Busy);
            state.refused += 1;
            answered += 1;
          },
        );
      }
      return state;
    },
    countWaiting: () => asked - answered - underWay.length,
    /** Ends the hashes in their order, at most so many, and returns how many there were. */
    async finish(most = Infinity, whose?: 'members' | 'networks') {
      for (let ended = 0; ; ended += 1) {
        await setImmediate();
        const at = underWay.findIndex((each) => whose === undefined || each.whose === whose);
        if (ended >= most || at === -1) return ended;
        underWay.splice(at, 1)[0]?.end();
      }
    },
  };
}

describe('hashing passwords', () => {
  test('S7 has two places for a network and two that wait, and refuses the other calls of it at once', async () => {
    const line = holdHashes();
    const flood = line.start(64, { network: '2001:db8:7::/48' });
    await setImmediate();
    expect(flood.refused).toBe(60);
    for (let index = 0; index < 80; index += 1) line.start(1, { network: `198.51.${index}.0/24` });
    await setImmediate();
    // The last of whoever has most has made room for a newcomer.
    expect(line.countWaiting()).toBe(50);
    await line.finish();
    expect(flood.done).toBe(3);
    expect(line.start(1, { network: '2001:db8:7::/48' }).refused).toBe(0);
    await line.finish();
  });

  test('S7 lets a caller of another network wait for two hashes at most, and a known member for none', async () => {
    const line = holdHashes();
    const networks = Array.from({ length: 8 }, (_, index) => `203.0.${index}.0/24`);
    line.start(64, { network: '2001:db8:7::/48' });
    const stranger = line.start(1, { network: '198.51.100.0/24' });
    const member = line.start(1, { member: 'somebody' });
    await line.finish(1, 'members');
    expect([member.done, stranger.done]).toEqual([1, 0]);
    for (const network of networks) line.start(8, { network });
    await line.finish(4);
    expect(stranger.done).toBe(1);
    // One account that asks again and again delays other members by two hashes.
    const thief = line.start(20, { member: 'thief' });
    const owner = line.start(1, { member: 'owner' });
    await line.finish(3, 'members');
    expect([thief.done, thief.refused, owner.done]).toEqual([2, 17, 1]);
    await line.finish();
  });

  test('S7 continues after it was full', async () => {
    const passwords = createPasswords();
    const network = '198.51.100.0/24';
    await Promise.allSettled(Array.from({ length: 8 }, () => passwords.hash('x', { network })));
    const hash = await passwords.hash('x', { network });
    expect(await passwords.matches('x', hash, { network })).toBe(true);
    expect(await passwords.matches('x', null, { network })).toBe(false);
  });

  test('S5 takes the same time with and without an account', async () => {
    const passwords = createPasswords();
    const hash = await passwords.hash('x', WHOM);
    const times = { somebody: [] as number[], nobody: [] as number[] };
    for (let round = 0; round < 7; round++) {
      for (const [who, known] of [
        ['somebody', hash],
        ['nobody', null],
      ] as const) {
        const started = performance.now();
        expect(await passwords.matches('y', known, WHOM)).toBe(false);
        times[who].push(performance.now() - started);
      }
    }
    const median = (list: number[]) => list.toSorted((a, b) => a - b)[3] ?? 0;
    // The point is that both hash. The tolerance allows for a busy machine.
    expect(median(times.nobody)).toBeGreaterThan(median(times.somebody) / 3);
    expect(median(times.nobody)).toBeLessThan(median(times.somebody) * 3);
  });
});
