import { beforeAll, describe, expect, test } from 'vitest';
import { getRequestListener } from '@hono/node-server';
import {
  acquireByAddress,
  takeByAddress,
  toAddressGroup,
  toNetworkGroup,
  toProviderGroup,
} from '#server/platform/http/address-limits.ts';
import { createMemoryRateLimits, createRateLimits } from '#server/platform/limits/counting.ts';
import type { RateLimit } from '#server/platform/limits/rate-limits.ts';
import { useDatabaseOnce } from '#support/databases/use-database.ts';
import { addMember, createCountingPasswords, tryToLogIn } from '#support/members/accounts.ts';
import { type TestApi, createTestApi } from '#support/http/api.ts';
import { openTestDatabase } from '#support/databases/databases.ts';
import { startWeb } from '#support/http/web.ts';

describe('toAddressGroup', () => {
  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['::FFFF:203.0.113.9', '203.0.113.9'],
    ['::203.0.113.9', '203.0.113.9'],
    ['::ffff:cb00:7109', '203.0.113.9'],
    ['0:0:0:0:0:ffff:cb00:7109', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2::ffff', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:192.0.2.1', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['not an address', 'not an address'],
  ])('P11 counts %s as %s', (address, group) => {
    expect(toAddressGroup(address)).toBe(group);
  });
});

describe('larger groups', () => {
  test.each([
    ['203.0.113.9', '203.0.113.0/24', '203.0.0.0/16'],
    ['::ffff:203.0.113.9', '203.0.113.0/24', '203.0.0.0/16'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48', '2001:db8::/32'],
    ['2001:DB8::1%eth0', '2001:db8:0::/48', '2001:db8::/32'],
    ['', '', ''],
    ['not an address', 'not an address', 'not an address'],
  ])('%s is of the network %s and the provider’s %s', (address, network, provider) => {
    expect([toNetworkGroup(address), toProviderGroup(address)]).toEqual([network, provider]);
  });
});

describe('a limit of 2 by address', () => {
  const LIMIT = { name: 'test', points: 2, perSec: 60 };
  const rotate = (count: number, toAddress: (index: number) => string) =>
    Array.from({ length: count }, (_, i) => toAddress(i));
  const ofNetwork = (count: number) => rotate(count, (i) => `2001:db8:7:${i.toString(16)}::1`);
  const ofProvider = (count: number) => rotate(count, (i) => `2001:db8:${i.toString(16)}::1`);

  async function countAccepted(
    addresses: readonly string[],
    rateLimits = createMemoryRateLimits(),
  ): Promise<number> {
    let accepted = 0;
    for (const address of addresses) {
      await takeByAddress(rateLimits, LIMIT, address).then(
        () => (accepted += 1),
        () => undefined,
      );
    }
    return accepted;
  }

  test.each<[what: string, addresses: readonly string[], accepted: number]>([
    ['one address', rotate(9, () => '203.0.113.9'), 2],
    ['the addresses of an IPv6 /48', ofNetwork(200), 16],
    ['the addresses of an IPv4 /24', rotate(200, (i) => `203.0.113.${i}`), 16],
    ['the networks of an IPv6 /32', ofProvider(300), 128],
    ['the networks of an IPv4 /16', rotate(250, (i) => `203.0.${i}.1`), 128],
    ['several providers', rotate(200, (i) => `${i + 1}.0.0.1`), 200],
  ])('P11 gives %s its share', async (_, addresses, accepted) => {
    expect(await countAccepted(addresses)).toBe(accepted);
  });

  test('P11 costs neighbours nothing once an address is refused', async () => {
    const rateLimits = createMemoryRateLimits();
    expect(
      await countAccepted(
        rotate(500, () => '2001:db8:7:9::1'),
        rateLimits,
      ),
    ).toBe(2);
    expect(await countAccepted(ofNetwork(8), rateLimits)).toBe(8);
    expect(await countAccepted(ofProvider(20), rateLimits)).toBe(20);
  });

  test('P11 counts a reverted use for no group', async () => {
    const rateLimits = createMemoryRateLimits();
    for (let time = 0; time < 200; time++) await (await takeByAddress(rateLimits, LIMIT, '203.0.113.9'))();
    expect(await countAccepted(['203.0.113.9', '203.0.113.9'], rateLimits)).toBe(2);
  });
});

describe('keys of one network', () => {
  const LIMIT = { name: 'test', points: 5, perSec: 3_600 };
  const toAddress = (index: number) => `2001:db8:bad:${index.toString(16)}::1`;

  test('P11 20,500 calls free neither its own counter nor that of anybody else', async () => {
    const memory = createMemoryRateLimits();
    const keys = new Set<string>();
    const rateLimits = {
      ...memory,
      take: async (limit: RateLimit, key: string) => {
        await memory.take(limit, key);
        keys.add(`${limit.name} ${key}`);
      },
    };
    const isAccepted = (address: string) =>
      takeByAddress(rateLimits, LIMIT, address).then(
        () => true,
        () => false,
      );
    const other = '203.0.113.9';
    for (let time = 0; time < 5; time++) expect(await isAccepted(other)).toBe(true);
    let accepted = 0;
    for (let index = 0; index < 20_500; index++) if (await isAccepted(toAddress(index))) accepted += 1;
    expect(accepted).toBe(8 * LIMIT.points);
    for (const address of [toAddress(0), toAddress(20_499), other]) {
      expect(await isAccepted(address)).toBe(false);
    }
    // An address each, their network and provider, and the three groups of the other one.
    expect(keys.size).toBe(8 * LIMIT.points + 5);
  });

  test('P11 divide concurrent uses: half for a network, three quarters for a provider', () => {
    const memory = createMemoryRateLimits();
    const readers = { name: 'readers', concurrency: 4 };
    const acquire = (address: string) => acquireByAddress(memory, readers, address);
    const many = (count: number, to: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => {
        try {
          return [acquire(to(index))];
        } catch {
          return [];
        }
      }).flat();
    const held = [
      ...many(9, () => '2001:db8:1:1::1'),
      ...many(9, (index) => `2001:db8:1:${index.toString(16)}::1`),
      ...many(20, (index) => `2001:db8:${(index + 2).toString(16)}::1`),
    ];
    expect(held).toHaveLength(12);
    expect(many(1, () => '203.0.113.9')).toHaveLength(1);
    held.forEach((release) => release());
    expect(many(9, () => '2001:db8:1:1::1')).toHaveLength(4);
  });
});

describe('a limit by address', () => {
  const database = useDatabaseOnce(() => openTestDatabase('sqlite'));
  let api: TestApi;

  beforeAll(async () => {
    await addMember(database, '音の人', 'member@example.test');
  });

  /** The number of 35 wrong log-ins, each with other headers, that are answered before the first 429. */
  async function countAnswers(hops: number, toHeaders: (index: number) => Record<string, string>) {
    api = createTestApi(database, {
      passwords: createCountingPasswords(),
      rateLimits: createRateLimits(database),
    });
    const listener = getRequestListener(api.app.fetch, { overrideGlobalObjects: false });
    const { url } = await startWeb({ api: (req, res) => void listener(req, res), trustedProxyHops: hops });
    for (let index = 0; index < 35; index++) {
      const response = await fetch(`${url}/api/account/login/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...toHeaders(index) },
        body: JSON.stringify({ email: `${index}@example.test`, password: 'x' }),
      });
      if (response.status === 429) return index;
    }
    return 35;
  }

  test.each<
    [what: string, hops: number, toHeaders: (index: number) => Record<string, string>, answers: number]
  >([
    ['our own header', 0, (index) => ({ 'x-client-address': `198.51.100.${index}` }), 30],
    ['our own header, empty', 0, () => ({ 'x-client-address': '' }), 30],
    ['X-Forwarded-For without a proxy', 0, (index) => ({ 'x-forwarded-for': `198.51.100.${index}` }), 30],
    [
      'Forwarded and X-Real-IP',
      0,
      (index) => ({ forwarded: `for=${index}`, 'x-real-ip': `198.51.100.${index}` }),
      30,
    ],
    [
      'what stands before the proxy’s entry',
      1,
      (index) => ({ 'x-forwarded-for': `1.2.3.${index}, 203.0.113.7` }),
      30,
    ],
    ['IPv6 addresses of one network', 1, (index) => ({ 'x-forwarded-for': `2001:db8:1:2::${index}` }), 30],
    [
      'nothing: a proxy that names 35 visitors',
      1,
      (index) => ({ 'x-forwarded-for': `203.0.113.${index}` }),
      35,
    ],
  ])('P11 is not escaped by %s', async (_, hops, toHeaders, answers) => {
    expect(await countAnswers(hops, toHeaders)).toBe(answers);
  });

  test('P11 does not count calls that a page makes in process', async () => {
    const limited = createTestApi(database, {
      passwords: createCountingPasswords(),
      rateLimits: createRateLimits(database),
    });
    for (let time = 0; time < 35; time++) {
      expect((await tryToLogIn(limited, `${time}@example.test`)).status).toBe(400);
    }
  });
});
