import * as fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { listMonths, toMonth } from '#contract/values/months.ts';
import { type Statement, getStatement } from '#contract/payouts/statements.ts';
import { toCallPath } from '#contract/calls/endpoint.ts';
import { readFigures } from '#server/features/ledger/figures.ts';
import { recordReward } from '#server/features/ledger/postings.ts';
import { refusePayout } from '#server/features/ledger/payout-decisions.ts';
import { expectReply } from '#support/http/replies.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { type TestCatalogue, DEFAULT_ARTIST, fillCatalogue } from '#support/sounds/catalogue.ts';
import { bothDatabases, updateRows } from '#support/databases/databases.ts';
import {
  addPayee,
  askForPayout,
  findOpenPayoutId,
  toAddress,
  toPayoutDeps,
} from '#support/members/payouts.ts';
import { removeSound } from '#support/sounds/uploads.ts';
import type { Handle } from '#server/platform/database/handle.ts';

const MARCH_MS = Date.UTC(2026, 2, 10);
const EMPTY = { reward: 0, downloads: 0, sounds: [] };

describe.each(bothDatabases)('a statement on $name', ({ open }) => {
  // What a power cut would leave is another test's matter; this one commits thousands of times.
  const { database, api } = useApiOnce(open);
  let catalogue: TestCatalogue;
  let artistId: string;
  let count = 0;

  beforeAll(async () => {
    catalogue = await fillCatalogue(database, [
      { key: 'rain', title: '雨' },
      { key: 'wind', title: '風', isPublished: false },
      { key: 'nameless', title: '' },
      { key: 'sea', title: '海' },
      { key: 'foreign', title: '人の曲', artist: 'another' },
    ]);
    artistId = catalogue.artistIds.get(DEFAULT_ARTIST) ?? '';
  });

  const pathOf = (month: string) => toCallPath(getStatement, { month });
  const read = (month: string, userId = artistId) => api.json(pathOf(month), userId) as Promise<Statement>;

  async function credit(
    reference: string,
    yen: number,
    { to = artistId, downloads = 1, atMs = MARCH_MS } = {},
  ): Promise<void> {
    const reward = { artistId: to, yen, downloads, atMs, reference, idempotencyKey: `${(count += 1)}` };
    await database.db.transaction().execute((transaction: Handle) => recordReward(transaction, reward));
  }
  const creditSound = (key: string, yen: number, options?: Parameters<typeof credit>[2]) =>
    credit(`sound:${catalogue.idOf(key)}`, yen, options);

  test('adds up each sound, ordered by yen, then by downloads', async () => {
    await creditSound('rain', 3);
    await creditSound('sea', 5);
    await creditSound('rain', 4, { downloads: 2 });
    await creditSound('wind', 5, { downloads: 2 });
    await creditSound('nameless', 0, { downloads: 9 });
    expect(await read('2026-03')).toEqual({
      month: '2026-03',
      reward: 17,
      downloads: 15,
      sounds: [
        { sound_id: catalogue.idOf('rain'), title: '雨', reward: 7, downloads: 3 },
        { sound_id: catalogue.idOf('wind'), title: '風', reward: 5, downloads: 2 },
        { sound_id: catalogue.idOf('sea'), title: '海', reward: 5, downloads: 1 },
        { sound_id: catalogue.idOf('nameless'), title: '', reward: 0, downloads: 9 },
      ],
    });
  });

  test('has entries without a single sound in one last line', async () => {
    const to = await addPayee(database, 'corrected');
    await credit('demo 2026-02', 900, { to, downloads: 300 });
    await credit('correction of a count', 50, { to });
    await creditSound('rain', 1, { to });
    const { sounds } = await read('2026-03', to);
    // Another artist’s sound does not provide the title.
    expect(sounds).toEqual([
      { sound_id: catalogue.idOf('rain'), title: null, reward: 1, downloads: 1 },
      { sound_id: null, title: null, reward: 950, downloads: 301 },
    ]);
  });

  test('uses the present title of a sound, and keeps the line of a deleted one', async () => {
    const atMs = Date.UTC(2026, 1, 10);
    await creditSound('sea', 8, { atMs });
    const id = catalogue.idOf('sea');
    const titles = async () => (await read('2026-02')).sounds.map(({ title }) => title);
    await updateRows(database, 'sounds', { title: '夜の海' }, { id });
    expect(await titles()).toEqual(['夜の海']);
    expect((await removeSound(api, artistId, id)).status).toBe(200);
    expect(await read('2026-02')).toEqual({
      month: '2026-02',
      reward: 8,
      downloads: 1,
      sounds: [{ sound_id: id, title: null, reward: 8, downloads: 1 }],
    });
  });

  test('uses months in Japanese time', async () => {
    const to = await addPayee(database, 'midnight');
    await creditSound('rain', 10, { to, atMs: Date.UTC(2026, 2, 31, 14, 59, 59, 999) });
    await creditSound('rain', 100, { to, atMs: Date.UTC(2026, 2, 31, 15) });
    expect((await read('2026-03', to)).reward).toBe(10);
    expect((await read('2026-04', to)).reward).toBe(100);
  });

  test('is empty before the first month, after the last, and for a member without earnings', async () => {
    for (const month of ['0001-01', '2025-12', '2199-12']) {
      expect(await read(month)).toEqual({ month, ...EMPTY });
    }
    const nobody = await addPayee(database, 'listener');
    expect(await read('2026-03', nobody)).toEqual({ month: '2026-03', ...EMPTY });
  });

  test('omits a refused payout, which is not an earning', async () => {
    const to = await addPayee(database, 'refused');
    const staffId = await addPayee(database, 'staff', { is_staff: true });
    await creditSound('rain', 5_000, { to, atMs: Date.UTC(2026, 0, 5) });
    expect((await askForPayout(api, to, { email: toAddress('refused') })).status).toBe(200);
    const requestId = await findOpenPayoutId(database, to);
    await refusePayout(toPayoutDeps(database, api.clock), requestId, staffId, '理由');
    const month = toMonth(api.clock.now());
    expect(await read(month, to)).toEqual({ month, ...EMPTY });
    expect((await read('2026-01', to)).reward).toBe(5_000);
  });

  test('contains only the member’s entries and no visitors, and is not cached', async () => {
    const other = catalogue.artistIds.get('another') ?? '';
    await creditSound('foreign', 77, { to: other });
    const { sounds } = await read('2026-03', other);
    expect(sounds).toEqual([
      { sound_id: catalogue.idOf('foreign'), title: '人の曲', reward: 77, downloads: 1 },
    ]);
    expect((await read('2026-03')).sounds.map(({ title }) => title)).not.toContain('人の曲');
    const response = await api.get(pathOf('2026-03').replace(/\/$/, ''), artistId);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });

  test.each([
    '2026-13',
    '2026-00',
    '2026-1',
    '2026',
    '26-11',
    '2026-11-01',
    '２０２６-11',
    'x',
    "2026-11'--",
    ' 2026-11',
  ])('refuses %j and names the field', async (month) => {
    await expectReply(api.get(pathOf(month), artistId), 400, {
      month: '月は2026-11の形で指定してください。',
    });
  });

  test('adds up to the figures of every month, for any bookings', async () => {
    const references = ['rain', 'wind', 'nameless', 'foreign']
      .map((key) => `sound:${catalogue.idOf(key)}`)
      .concat(['sound:', 'sound:gone', 'sound', 'Sound:x', 'demo 2026-01', 'correction', '']);
    const entry = fc.record({
      reference: fc.constantFrom(...references),
      yen: fc.oneof(fc.nat(5), fc.nat(1_000_000)),
      downloads: fc.integer({ min: 1, max: 40 }),
      // Three months, with moments around their ends.
      atMs: fc.integer({ min: Date.UTC(2026, 0, 31, 14), max: Date.UTC(2026, 3, 30, 16) }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 25 }), async (entries) => {
        const to = await addPayee(database, `earner${(count += 1)}`);
        for (const { reference, yen, ...rest } of entries) await credit(reference, yen, { to, ...rest });
        for (const month of listMonths('2026-05', 5)) {
          const { sounds, ...whole } = await read(month, to);
          const figures = await readFigures(database.db, to, MARCH_MS, month);
          const ofMonth = entries.filter(({ atMs }) => toMonth(atMs) === month);
          expect([whole.reward, whole.downloads]).toEqual([
            figures.month_reward_balance,
            figures.month_total_download_balance,
          ]);
          expect([sum(sounds, 'reward'), sum(sounds, 'downloads')]).toEqual([whole.reward, whole.downloads]);
          for (const { sound_id, reward, downloads } of sounds) {
            const own = ofMonth.filter(({ reference }) => toSoundId(reference) === sound_id);
            expect([reward, downloads]).toEqual([
              own.reduce((all, { yen }) => all + yen, 0),
              sum(own, 'downloads'),
            ]);
          }
          const ids = sounds.map(({ sound_id }) => sound_id);
          expect(new Set(ids)).toEqual(new Set(ofMonth.map(({ reference }) => toSoundId(reference))));
          expect(new Set(ids).size).toBe(ids.length);
        }
      }),
      { numRuns: 40 },
    );
  });
});

function toSoundId(reference: string): string | null {
  return /^sound:(.*)$/.exec(reference)?.[1] ?? null;
}

function sum<Key extends string>(values: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return values.reduce((total, value) => total + value[key], 0);
}
