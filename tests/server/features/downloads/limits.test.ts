import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { createRateLimits } from '#server/platform/limits/counting.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { readCookies } from '#support/members/accounts.ts';
import { type TestApi, createTestApi } from '#support/http/api.ts';
import { bothDatabases } from '#support/databases/databases.ts';
import {
  VISITOR_COOKIE,
  addArtist,
  createVisitor,
  readEarned,
  readVerdicts,
  toNewAddress,
} from '#support/sounds/downloads.ts';
import type { TestVisitor } from '#support/sounds/downloads.ts';

const MINUTE_MS = 60_000;

describe.each(bothDatabases)('download limits on $name', ({ open }) => {
  const { database, api } = useApiOnce(open);

  afterAll(async () => expect(await verifyLedger(database.db)).toEqual([]));

  describe('the visitor’s cookie', () => {
    test('sets a cookie that only this host reads, and keeps an existing one', async () => {
      const { soundId } = await addArtist(database);
      const visitor = createVisitor(api);
      const cookie = readCookies(await visitor.tryToBegin(soundId)).get(VISITOR_COOKIE);
      expect(Buffer.from(cookie?.value ?? '', 'base64url')).toHaveLength(16);
      expect(cookie?.attributes).toEqual(['httponly', 'max-age=2678400', 'path=/', 'samesite=lax', 'secure']);
      const again = readCookies(await visitor.tryToBegin(soundId)).get(VISITOR_COOKIE);
      expect(again?.value).toBe(cookie?.value);
    });

    test('rejects cookies that the host did not sign', async () => {
      const { soundId } = await addArtist(database);
      const visitor = createVisitor(api);
      visitor.cookies.set(VISITOR_COOKIE, 'x');
      await visitor.begin(soundId);
      expect(visitor.cookies.get(VISITOR_COOKIE)).toMatch(/^[\w-]{22}$/);
    });

    test('omits Secure where there is no https', async () => {
      const plain = createTestApi(database, { siteUrl: 'http://127.0.0.1:4321' });
      const { soundId } = await addArtist(database);
      const cookie = readCookies(await createVisitor(plain).tryToBegin(soundId)).get('visitor');
      expect(cookie?.attributes).not.toContain('secure');
    });

    test.each([
      ['https://web.example', 'https://site.example', 'none partitioned'],
      ['https://web.example.com', 'https://api.example.com', 'none partitioned'],
      ['http://site.example', 'https://site.example', 'none partitioned'],
      ['https://notsite.example', 'https://site.example', 'none partitioned'],
      ['https://www.site.example', 'https://site.example', 'lax'],
      ['https://site.example', 'https://api.site.example', 'lax'],
      ['https://site.example:8443', 'https://site.example', 'lax'],
      ['', 'https://site.example', 'lax'],
      [null, 'https://site.example', 'lax'],
      // Without https, browsers accept no other cookie.
      ['http://web.example', 'http://site.example', 'lax'],
    ])('of a client on %s and a host on %s is %s', async (webOrigin, siteUrl, wanted) => {
      const shared = createTestApi(database, { webOrigin, siteUrl });
      const { soundId } = await addArtist(database);
      const origin = { origin: webOrigin || siteUrl, host: new URL(siteUrl).host };
      const response = await shared.post(`/api/sounds/${soundId}/download-intents`, {}, origin);
      expect(response.status).toBe(200);
      if (webOrigin) {
        expect(response.headers.get('access-control-allow-origin')).toBe(webOrigin);
        expect(response.headers.get('access-control-allow-credentials')).toBe('true');
      }
      const cookies = readCookies(response);
      const { attributes = [] } = cookies.get(VISITOR_COOKIE) ?? cookies.get('visitor') ?? {};
      const isPartitioned = attributes.includes('partitioned');
      expect(isPartitioned).toBe(wanted !== 'lax');
      expect(attributes).toContain(`samesite=${isPartitioned ? 'none' : 'lax'}`);
      expect(attributes.includes('secure')).toBe(siteUrl.startsWith('https:'));
    });
  });

  describe('beginning', () => {
    test('is limited to 10 a minute for one visitor, and 100 for one address', async () => {
      const limited = createTestApi(database, { rateLimits: createRateLimits(database) });
      const { soundId } = await addArtist(database);
      const address = toNewAddress();
      const tries = async (count: number, make: () => TestVisitor) => {
        const statuses = [];
        for (let time = 0; time < count; time += 1) statuses.push((await make().tryToBegin(soundId)).status);
        return statuses;
      };
      const one = createVisitor(limited, { address });
      await one.begin(soundId);
      expect(await tries(11, () => one)).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
      // Ten more people behind the same address, and a program that discards cookies.
      for (let person = 0; person < 7; person += 1) {
        const other = createVisitor(limited, { address });
        expect(await tries(10, () => other)).toEqual(Array.from({ length: 10 }, () => 200));
      }
      const nobody = () => createVisitor(limited, { address });
      expect(await tries(20, nobody)).toEqual([...Array.from({ length: 19 }, () => 200), 429]);
      expect((await createVisitor(limited).tryToBegin(soundId)).status).toBe(200);
    });

    test('is refused with Retry-After', async () => {
      const limited = createTestApi(database, {
        rateLimits: createRateLimits(database),
        downloadLimits: { begunPerMinute: 1 },
      });
      const { soundId } = await addArtist(database);
      const visitor = createVisitor(limited);
      await visitor.begin(soundId);
      await visitor.begin(soundId);
      const refused = await visitor.tryToBegin(soundId);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    });
  });

  test('progress can be reported 30 times a minute by one visitor, and by others at the same address', async () => {
    const limited = createTestApi(database, { rateLimits: createRateLimits(database) });
    const { soundId } = await addArtist(database);
    const address = toNewAddress();
    const [one, other] = [createVisitor(limited, { address }), createVisitor(limited, { address })];
    const [mine, theirs] = [await one.begin(soundId), await other.begin(soundId)];
    const statuses = [];
    for (let time = 0; time < 31; time += 1) statuses.push((await one.report(mine.id, 'begin')).status);
    expect(statuses).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
    expect((await other.report(theirs.id, 'begin')).status).toBe(200);
  });

  describe('the cap on a day’s downloads', () => {
    const strictly = () => createTestApi(database, { downloadLimits: { perDay: 5, begunPerMinute: 2 } });
    async function expectRefusal(api: TestApi, refused: Response) {
      expect(refused.status).toBe(429);
      // It is 09:00 in Japan, on a day that ends fifteen hours later.
      const waitSec = Number(refused.headers.get('retry-after'));
      expect((api.clock.now() / 1000 + waitSec) % 86_400).toBe(15 * 3_600);
    }
    const statusesOf = async (count: number, ask: () => Promise<Response>) => {
      const statuses = [];
      for (let time = 0; time < count; time += 1) statuses.push((await ask()).status);
      return statuses;
    };
    const allGiven = (count: number) => Array.from({ length: count }, () => 200);

    test('refuses with Retry-After, for the visitor and the address', async () => {
      const strict = strictly();
      const { soundId } = await addArtist(database);
      const [visitor, address] = [createVisitor(strict), toNewAddress()];
      const stranger = () => createVisitor(strict, { address });
      await visitor.begin(soundId);
      expect(await statusesOf(5, () => stranger().ask(soundId))).toEqual(allGiven(5));
      expect(await statusesOf(5, () => visitor.ask(soundId))).toEqual(allGiven(5));
      await expectRefusal(strict, await visitor.ask(soundId));
      await expectRefusal(strict, await visitor.ask(soundId, { intent: 'unknown', log: true }));
      await expectRefusal(strict, await visitor.tryToBegin(soundId));
      await expectRefusal(strict, await stranger().ask(soundId));
      expect(await readVerdicts(database, soundId)).toEqual([]);
      // The next day has its own cap.
      strict.clock.advance(15 * 60 * MINUTE_MS);
      expect((await visitor.tryToBegin(soundId)).status).toBe(200);
    });

    test('lets only downloads finish that were admitted at the beginning', async () => {
      const strict = strictly();
      const { artistId, soundId } = await addArtist(database);
      const visitor = createVisitor(strict);
      const another = createVisitor(strict);
      const begun = [];
      for (let time = 0; time < 3; time += 1) begun.push(await visitor.begin(soundId));
      const theirs = await another.begin(soundId);
      expect(await statusesOf(5, () => visitor.ask(soundId))).toEqual(allGiven(5));
      strict.clock.advance(5_000);
      const ask = (intent: string) => visitor.ask(soundId, { intent, log: true, provider: 'gpt' });
      expect((await ask(theirs.id)).status).toBe(429);
      expect((await ask(begun[0]?.id ?? '')).status).toBe(200);
      expect((await ask(begun[1]?.id ?? '')).status).toBe(200);
      const last = await ask(begun[2]?.id ?? '');
      expect([last.status, last.headers.has('retry-after')]).toEqual([429, true]);
      expect((await visitor.ask(soundId)).status).toBe(429);
      expect(await readEarned(database, artistId)).toBe(1);
    });

    test('counts logged-in members by visitor and member, not by address', async () => {
      const strict = strictly();
      const { soundId } = await addArtist(database);
      const address = toNewAddress();
      const memberIds = [];
      for (let index = 0; index < 3; index += 1) memberIds.push((await addArtist(database)).artistId);
      for (const memberId of memberIds) {
        const member = createVisitor(strict, { address, memberId });
        expect(await statusesOf(5, () => member.ask(soundId))).toEqual(allGiven(5));
        await expectRefusal(strict, await member.ask(soundId));
        // Another browser, in another network.
        const away = createVisitor(strict, { memberId });
        await expectRefusal(strict, await away.ask(soundId));
        await expectRefusal(strict, await away.tryToBegin(soundId));
      }
      const nobody = () => createVisitor(strict, { address });
      expect(await statusesOf(6, () => nobody().ask(soundId))).toEqual([...allGiven(5), 429]);
      const newcomer = createVisitor(strict, { address, memberId: (await addArtist(database)).artistId });
      expect((await newcomer.ask(soundId)).status).toBe(200);
    });
  });
});
