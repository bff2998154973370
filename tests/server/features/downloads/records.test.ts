import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deleteOldDownloadData } from '#server/features/downloads/cleanup.ts';
import { type DownloadLimits, DOWNLOAD_LIMITS_DEFAULT } from '#server/features/downloads/limits.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { useDatabaseOnce } from '#support/databases/use-database.ts';
import { expectProblems } from '#support/http/replies.ts';
import { type TestApi, createTestApi } from '#support/http/api.ts';
import { bothDatabases, listRows } from '#support/databases/databases.ts';
import { addArtist, createVisitor, readDownloadCount, toNewAddress } from '#support/sounds/downloads.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const DAY_MS = 86_400_000;
const SMALL: Partial<DownloadLimits> = {
  recordsPerNetwork: 1,
  recordsPerProvider: 2,
  recordsPerSite: 3,
  creditsPerNetworkAndArtist: 1_000,
};
/** A /48 has 65,536 networks of /64, a /32 as many of /48. */
const of48 = (index: number) => `2001:db8:48:${index.toString(16)}::1`;
const of32 = (index: number) => `2001:db8:${index.toString(16)}::1`;

describe.each(bothDatabases)('what downloads leave on $name', ({ open }) => {
  const database = useDatabaseOnce(open);
  let soundId: string;
  let days = 0;

  beforeAll(async () => {
    ({ soundId } = await addArtist(database));
  });
  afterAll(async () => expect(await verifyLedger(database.db)).toEqual([]));

  /** A host on a day of its own. */
  function createHost(changes: Parameters<typeof createTestApi>[1] = {}): TestApi {
    const api = createTestApi(database, { downloadLimits: SMALL, ...changes });
    api.clock.advance((days += 1) * DAY_MS);
    return api;
  }

  /** Downloads by browsers without cookies at these addresses; each gets the file. Counts the certificates. */
  async function flood(api: TestApi, addresses: readonly string[], isWatched = false): Promise<number> {
    let certificates = 0;
    for (const address of addresses) {
      const visitor = createVisitor(api, { address });
      const { id: intent } = await visitor.begin(soundId);
      if (isWatched) api.clock.advance(5_000);
      const query = isWatched ? ({ log: true, provider: 'gpt' } as const) : { log: false };
      const response = await visitor.ask(soundId, { ...query, intent });
      expect(response.status).toBe(200);
      const { url, certificate } = (await response.json()) as { url: string; certificate?: string };
      expect(url).toContain(soundId);
      if (certificate !== undefined) certificates += 1;
    }
    return certificates;
  }

  const repeat = (count: number, toAddress: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => toAddress(index));

  async function countRows() {
    const count = async (table: 'certificates' | 'download_credits' | 'download_intents') => {
      const row = await everyTable(database.db)
        .selectFrom(table)
        .select(({ fn }) => fn.countAll().as('rows'))
        .executeTakeFirstOrThrow();
      return Number(row.rows);
    };
    return {
      certificates: await count('certificates'),
      credits: await count('download_credits'),
      intents: await count('download_intents'),
    };
  }

  /** The rows that an attack adds. */
  async function measure(attack: () => Promise<unknown>) {
    const before = await countRows();
    await attack();
    const after = await countRows();
    return {
      certificates: after.certificates - before.certificates,
      credits: after.credits - before.credits,
      intents: after.intents - before.intents,
    };
  }

  test('M12 without an advertisement is limited by network, provider and site', async () => {
    const api = createHost();
    const counted = await readDownloadCount(database, soundId);
    const rows = await measure(async () => {
      expect(await flood(api, repeat(5, of48))).toBe(1);
      expect(await flood(api, repeat(5, of32))).toBe(1);
      expect(await flood(api, repeat(5, toNewAddress))).toBe(1);
    });
    expect(rows).toEqual({ certificates: 3, credits: 3, intents: 15 });
    expect((await readDownloadCount(database, soundId)) - counted).toBe(3);
  });

  test('M12 after an advertisement is limited by network, provider and site', async () => {
    const api = createHost();
    const rows = await measure(async () => {
      expect(await flood(api, repeat(12, of48), true)).toBe(10);
      expect(await flood(api, repeat(12, of32), true)).toBe(10);
      expect(await flood(api, repeat(12, toNewAddress), true)).toBe(10);
    });
    expect(rows).toEqual({ certificates: 30, credits: 30, intents: 36 });
  });

  test('M12 leaves room for those who watch their advertisement, and for the next day', async () => {
    const api = createHost();
    await flood(api, [...repeat(3, of48), ...repeat(3, of32), ...repeat(3, toNewAddress)]);
    expect(await flood(api, [of48(1)])).toBe(0);
    expect(await flood(api, [of48(1), of48(2), toNewAddress()], true)).toBe(3);
    api.clock.advance(DAY_MS);
    expect(await flood(api, [of48(1)])).toBe(1);
    days += 1;
  });

  test('M12 of one provider uses a tenth of the site', async () => {
    const { recordsPerProvider, recordsPerSite } = DOWNLOAD_LIMITS_DEFAULT;
    expect(recordsPerSite).toBe(10 * recordsPerProvider);
    const api = createHost({ downloadLimits: { ...SMALL, recordsPerSite: 10 * 2 } });
    expect(await flood(api, repeat(6, of32))).toBe(2);
    expect(await flood(api, [toNewAddress(), toNewAddress()])).toBe(2);
  });

  test('M12 is as after an advertisement where the host has none to show', async () => {
    for (const changes of [
      { adProviders: ['none'] as const },
      { hasNotices: false, adProviders: ['house'] as const },
    ])
      expect(await flood(createHost(changes), repeat(12, of48))).toBe(10);
    expect(await flood(createHost({ hasNotices: false }), repeat(3, of48))).toBe(1);
  });

  test('M12 without an intent is refused beyond 8 times the cap of an address, and leaves no further row', async () => {
    const api = createHost({ downloadLimits: { ...SMALL, perDay: 2 } });
    const countCounts = async () => {
      const rows = await listRows(database, 'download_counts', {}, ['subject']);
      return rows.length;
    };
    const before = await countCounts();
    const ask = async (address: string) => {
      const visitor = createVisitor(api, { address });
      // A cookie of its own, as those who rotate them have.
      await visitor.tryToBegin(soundId);
      return (await visitor.ask(soundId, { log: false })).status;
    };
    const statuses: number[] = [];
    for (const address of repeat(40, of48)) statuses.push(await ask(address));
    expect(statuses.filter((status) => status === 200)).toHaveLength(16);
    expect(statuses.at(-1)).toBe(429);
    // An address and a visitor each, their network and provider, and three of the room for begun downloads.
    expect((await countCounts()) - before).toBe(2 * 16 + 2 + 3);
    expect(await ask(toNewAddress())).toBe(200);
  });

  test('M12 begun and never completed is limited as well, and works without a stored row', async () => {
    const api = createHost();
    const beginAll = async (addresses: readonly string[]) => {
      for (const address of addresses) await createVisitor(api, { address }).begin(soundId);
    };
    const rows = await measure(async () => {
      await beginAll(repeat(103, of48));
      const visitor = createVisitor(api, { address: of48(1) });
      const { id: intent } = await visitor.begin(soundId);
      expect((await visitor.report(intent, 'begin')).status).toBe(404);
      await expectProblems(visitor.ask(soundId, { log: true, provider: 'house', intent }), 200, ['url']);
    });
    expect(rows).toEqual({ certificates: 0, credits: 0, intents: 100 });
    expect((await measure(() => beginAll([toNewAddress()]))).intents).toBe(1);
  });

  test('gives a certificate again beyond the cap', async () => {
    const api = createHost();
    const visitor = createVisitor(api, { address: of48(1) });
    const ask = async () => {
      const { id: intent } = await visitor.begin(soundId);
      return ((await (await visitor.ask(soundId, { intent })).json()) as { certificate?: string })
        .certificate;
    };
    const first = await ask();
    await flood(api, repeat(3, of48));
    expect(first).toBeDefined();
    expect(await ask()).toBe(first);
  });

  test('M12 is deleted by age, except for credits that were earned and certificates', async () => {
    const api = createHost();
    await flood(api, repeat(3, of48));
    await flood(api, repeat(2, toNewAddress), true);
    const { certificates } = await countRows();
    api.clock.advance(31 * DAY_MS);
    const downloadLimits = { ...DOWNLOAD_LIMITS_DEFAULT, ...SMALL };
    await deleteOldDownloadData({ database, clock: api.clock, downloadLimits });
    const left = await countRows();
    expect(left.certificates).toBe(certificates);
    expect(left.intents).toBe(0);
    const states = await everyTable(database.db)
      .selectFrom('download_credits')
      .select('state')
      .distinct()
      .execute();
    expect(states.map(({ state }) => state)).not.toContain('refused');
    const counts = await everyTable(database.db)
      .selectFrom('download_counts')
      .select('subject')
      .where('subject', 'not like', 'artist:%')
      .where('subject', '!=', 'site')
      .execute();
    expect(counts).toEqual([]);
  });
});
