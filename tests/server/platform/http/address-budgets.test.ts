import { describe, expect, test } from 'vitest';
import { createAddressBudgets } from '#server/platform/http/address-budgets.ts';
import { createAdmissions } from '#server/platform/http/admissions.ts';
import { createProcessorMeter } from '#server/platform/limits/processor-time.ts';
import { PROCESSOR_LIMITS } from '#server/platform/limits/read-limits.ts';

/** A page is compressed on another thread. */
const COMPRESSION = 1.5;

describe('a budget of 100 uses', () => {
  const countTaken = (addresses: readonly string[]) => {
    const budgets = createAddressBudgets({ burst: 100, perSec: 1, now: () => 0 });
    return addresses.filter((address) => budgets.take(address) === 0).length;
  };
  const rotate = (toAddress: (index: number) => string) =>
    Array.from({ length: 1_000 }, (_, at) => toAddress(at));

  test.each<[what: string, addresses: readonly string[], taken: number]>([
    ['one address', rotate(() => '203.0.113.9'), 90],
    ['one IPv6 /64', rotate((at) => `2001:db8:1:2::${at.toString(16)}`), 90],
    ['an IPv4 /24', rotate((at) => `203.0.113.${at % 250}`), 100],
    ['an IPv6 /48', rotate((at) => `2001:db8:1:${at.toString(16)}::1`), 100],
    ['a provider’s IPv6 /32', rotate((at) => `2001:db8:${at.toString(16)}::1`), 400],
    ['a provider’s IPv4 /16', rotate((at) => `203.0.${at % 250}.1`), 400],
    ['many providers', rotate((at) => `${1 + (at % 200)}.${at % 250}.0.1`), 1_000],
  ])('P20 is all that %s has', (_, addresses, taken) => {
    expect(countTaken(addresses)).toBe(taken);
  });

  test('P20 costs the neighbours of a refused address nothing', () => {
    const budgets = createAddressBudgets({ burst: 100, perSec: 1, now: () => 0 });
    for (let time = 0; time < 1_000; time += 1) budgets.take('203.0.113.9');
    const neighbours = Array.from({ length: 20 }, () => budgets.take('203.0.113.10'));
    expect(neighbours.filter((wait) => wait === 0)).toHaveLength(10);
    expect(budgets.take('203.0.114.1')).toBe(0);
  });
});

describe('the processor time of a network', () => {
  /** Asks for so long by a simulated clock. Returns the share of a core that this took, and the share of refused calls. */
  async function useFor(
    seconds: number,
    perSec: number,
    {
      ms,
      kind,
      toAddress,
    }: { ms: number; kind: (at: number) => 'pages' | 'reads'; toAddress: (at: number) => string },
  ) {
    let nowMs = 0;
    let usedMs = 0;
    let refused = 0;
    const meter = createProcessorMeter(() => usedMs);
    const budgets = createAddressBudgets({ ...PROCESSOR_LIMITS, now: () => nowMs });
    const server = { apiOrigin: null, database: { kind: 'sqlite' } } as const;
    const admissions = createAdmissions(server, meter, budgets);
    let elsewhereMs = 0;
    for (let at = 0; at < seconds * perSec; at += 1) {
      const work = async () => {
        usedMs += ms;
        if (kind(at) === 'pages') elsewhereMs += ms * COMPRESSION;
      };
      await admissions[kind(at)].run(toAddress(at), work).catch(() => (refused += 1));
      nowMs += 1_000 / perSec;
    }
    return { share: (usedMs + elsewhereMs) / (seconds * 1_000), refused: refused / (seconds * perSec) };
  }

  test.each([
    ['calls that take a while', 4, 20],
    ['a few that take very long', 2, 500],
  ])('P20 is less than a tenth of a core in its first hour: %s', async (_, perSec, ms) => {
    const attack = await useFor(3_600, perSec, {
      ms,
      kind: (at) => (at % 2 === 0 ? 'pages' : 'reads'),
      toAddress: (at) => `2001:db8:7:${(at % 65_536).toString(16)}::1`,
    });
    expect(attack.share).toBeLessThan(0.1);
    expect(attack.share).toBeGreaterThan(0.08);
    expect(attack.refused).toBeGreaterThan(0.1);
  });

  test('is enough for a school of 1,000 pupils at one address for 20 minutes', async () => {
    // 36 renderings a second of 1.8 ms, in four pieces of nine.
    const school = { ms: 9 * 1.8, kind: () => 'pages' as const, toAddress: () => '203.0.113.9' };
    expect((await useFor(20 * 60, 4, school)).refused).toBe(0);
    expect((await useFor(30 * 60, 4, school)).refused).toBeLessThan(0.3);
  });
});
