import { afterAll, describe, expect, test } from 'vitest';
import { DOWNLOAD_LIMITS_DEFAULT } from '#server/features/downloads/limits.ts';
import { deleteOldDownloadData } from '#server/features/downloads/cleanup.ts';
import { listHeldCredits } from '#server/features/downloads/review.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { createTestApi } from '#support/http/api.ts';
import { bothDatabases, listRows } from '#support/databases/databases.ts';
import {
  addArtist,
  addSoundOf,
  createVisitor,
  readDownloadCount,
  readEarned,
  readVerdicts,
  toNewAddress,
} from '#support/sounds/downloads.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const DAY_MS = 86_400_000;

describe.each(bothDatabases)('what downloads are credited with on $name', ({ open }) => {
  const { database, api } = useApiOnce(open, () => ({ rewardYenPerDownload: 3 }));

  afterAll(async () => expect(await verifyLedger(database.db)).toEqual([]));

  const addMemberId = async () => (await addArtist(database)).artistId;

  test('is the yen rate at that time, booked under the sound’s name', async () => {
    const { artistId, soundId } = await addArtist(database);
    await createVisitor(api).download(soundId);
    const raised = createTestApi(database, { rewardYenPerDownload: 8 });
    raised.clock.advance(api.clock.now() - raised.clock.now());
    await createVisitor(raised).download(soundId);
    const entries = await everyTable(database.db)
      .selectFrom('ledger_entries')
      .select(['amount', 'downloads', 'reference'])
      .where('to_account', '=', `artist:${artistId}`)
      .orderBy('seq')
      .execute();
    const reference = `sound:${soundId}`;
    expect(entries).toEqual([
      { amount: 3, downloads: 1, reference },
      { amount: 8, downloads: 1, reference },
    ]);
  });

  test('is counted without yen where the rate is zero', async () => {
    const { artistId, soundId } = await addArtist(database);
    const free = createTestApi(database, { rewardYenPerDownload: 0 });
    await createVisitor(free).download(soundId);
    expect(await readVerdicts(database, soundId)).toEqual(['credited']);
    expect(await api.json('/api/account/profile/', artistId)).toMatchObject({ total_download_balance: 1 });
    expect(await readEarned(database, artistId)).toBe(0);
  });

  test('M6 is once in 30 days for a visitor, and for a member from any place', async () => {
    const { artistId, soundId } = await addArtist(database);
    const memberId = await addMemberId();
    const visitor = createVisitor(api);
    await visitor.download(soundId);
    await createVisitor(api, { memberId }).download(soundId);
    api.clock.advance(2 * DAY_MS);
    await visitor.download(soundId);
    await createVisitor(api, { memberId }).download(soundId);
    expect(await readVerdicts(database, soundId)).toEqual(['credited', 'credited', 'repeat', 'repeat']);
    expect(await readDownloadCount(database, soundId)).toBe(2);
    api.clock.advance(28 * DAY_MS);
    await visitor.download(soundId);
    expect(await readEarned(database, artistId)).toBe(9);
    expect(await readDownloadCount(database, soundId)).toBe(3);
  });

  test('M6 is at most 20 a day for a visitor, also one who changes networks', async () => {
    const cookies = createVisitor(api).cookies;
    const verdicts = [];
    for (let time = 0; time < 21; time += 1) {
      const { soundId } = await addArtist(database);
      const visitor = createVisitor(api);
      for (const [name, value] of cookies) visitor.cookies.set(name, value);
      expect(await visitor.download(soundId)).toBe(200);
      for (const [name, value] of visitor.cookies) cookies.set(name, value);
      verdicts.push(...(await readVerdicts(database, soundId)));
    }
    expect(verdicts).toEqual([...Array.from({ length: 20 }, () => 'credited'), 'visitor-day']);
  });

  test('M6 is at most 60 a day for a network, whatever cookies are discarded, and five to one artist', async () => {
    const network = toNewAddress().replace(/\d+$/, '');
    let host = 0;
    const download = async (soundId: string) => {
      const visitor = createVisitor(api, { address: `${network}${(host += 1)}` });
      expect(await visitor.download(soundId)).toBe(200);
      return (await readVerdicts(database, soundId)).at(-1);
    };
    const verdicts = [];
    const first = await addArtist(database);
    for (let time = 0; time < 6; time += 1) verdicts.push(await download(first.soundId));
    expect(verdicts).toEqual([...Array.from({ length: 5 }, () => 'credited'), 'network-artist-day']);
    // The held credit counts among the sixty.
    for (let time = 6; time < 60; time += 1)
      expect(await download((await addArtist(database)).soundId)).toBe('credited');
    const last = await addArtist(database);
    expect(await download(last.soundId)).toBe('network-day');
    expect((await listHeldCredits({ database })).map(({ sound_id }) => sound_id)).toContain(last.soundId);
    api.clock.advance(DAY_MS);
    expect(await download(last.soundId)).toBe('credited');
  });

  test('is nothing while the artist is blocked, or the sound private', async () => {
    const { artistId, soundId } = await addArtist(database);
    const hidden = await addSoundOf(database, artistId, { is_published: false });
    const users = everyTable(database.db).updateTable('users').where('id', '=', artistId);
    await users.set({ is_blocked: 1 }).execute();
    expect(await createVisitor(api).download(soundId)).toBe(200);
    await users.set({ is_blocked: 0 }).execute();
    await createVisitor(api, { memberId: artistId }).download(hidden);
    expect(await readVerdicts(database, soundId)).toEqual(['artist-blocked']);
    expect(await readVerdicts(database, hidden)).toEqual(['own']);
    expect(await readEarned(database, artistId)).toBe(0);
  });

  test('M2 U20: is one credit for fifty concurrent completions', async () => {
    const { artistId, soundId } = await addArtist(database);
    const visitor = createVisitor(api);
    const { id } = await visitor.begin(soundId);
    api.clock.advance(5_000);
    const ask = () => visitor.ask(soundId, { intent: id, log: true, provider: 'gpt' });
    const answers = await Promise.all(Array.from({ length: 50 }, ask));
    for (const answer of answers) expect(answer.status).toBe(200);
    expect(await readEarned(database, artistId)).toBe(3);
    expect(await readDownloadCount(database, soundId)).toBe(1);
    expect(await readVerdicts(database, soundId)).toEqual(['credited']);
  });

  test('M6 is limited for many /64s of one /48 like for one network', async () => {
    const { artistId, soundId } = await addArtist(database);
    const download = async (address: string) => {
      const visitor = createVisitor(api, { address });
      expect(await visitor.download(soundId)).toBe(200);
    };
    for (let subnet = 0; subnet < 8; subnet += 1) await download(`2001:db8:56:${subnet + 1}210::1`);
    expect(await readVerdicts(database, soundId)).toEqual([
      ...Array.from({ length: 5 }, () => 'credited'),
      ...Array.from({ length: 3 }, () => 'network-artist-day'),
    ]);
    await download('2001:db8:57:1210::1');
    expect(await readEarned(database, artistId)).toBe(18);
  });

  test('M6 is one for fifty concurrent intents of a visitor, five for fifty visitors in one network', async () => {
    const { artistId, soundId } = await addArtist(database);
    const one = createVisitor(api);
    const address = toNewAddress();
    const visitors = Array.from({ length: 50 }, () => createVisitor(api, { address }));
    await one.begin(soundId);
    const begun = await Promise.all(Array.from({ length: 50 }, () => one.begin(soundId)));
    const theirs = await Promise.all(visitors.map((visitor) => visitor.begin(soundId)));
    api.clock.advance(5_000);
    const ask = { log: true, provider: 'gpt' } as const;
    await Promise.all(begun.map(({ id }) => one.ask(soundId, { ...ask, intent: id })));
    expect(await readEarned(database, artistId)).toBe(3);
    await Promise.all(
      visitors.map((visitor, index) => visitor.ask(soundId, { ...ask, intent: theirs[index]?.id ?? '' })),
    );
    expect(await readEarned(database, artistId)).toBe(18);
    expect(await readDownloadCount(database, soundId)).toBe(6);
  });

  test('U20 (the call’s half) is nothing for a HEAD or GET of the call that returns a file’s address', async () => {
    const { artistId, soundId } = await addArtist(database);
    for (const method of ['HEAD', 'GET']) {
      const asked = await api.app.request(`/api/sounds/${soundId}/download?log=true`, { method });
      expect(asked.status).toBe(404);
    }
    expect([await readEarned(database, artistId), await readDownloadCount(database, soundId)]).toEqual([
      0, 0,
    ]);
  });

  test('updates the sound’s search order once its count has doubled', async () => {
    const { soundId } = await addArtist(database);
    const orderOf = async () => {
      const { results } = (await api.json('/api/sounds/?ordering=-downloads&page_size=100')) as {
        results: { id: string }[];
      };
      return results.findIndex(({ id }) => id === soundId);
    };
    for (let time = 0; time < 8; time += 1) await createVisitor(api).download(soundId);
    expect(await readDownloadCount(database, soundId)).toBe(8);
    expect(await orderOf()).toBeGreaterThanOrEqual(0);
    expect(await orderOf()).toBeLessThan(3);
  });

  test('stores no address, and deletes visitors when no rule needs them any more', async () => {
    const { soundId } = await addArtist(database);
    const address = '203.0.113.77';
    const visitor = createVisitor(api, { address, memberId: await addMemberId() });
    await visitor.download(soundId);
    await visitor.begin(soundId);
    const dump = async () => {
      const tables = [
        'download_intents',
        'download_credits',
        'download_counts',
        'member_traces',
        'address_keys',
      ] as const;
      const rows = await Promise.all(
        tables.map((table) => everyTable(database.db).selectFrom(table).selectAll().execute()),
      );
      return JSON.stringify([rows, api.logged]);
    };
    expect(await dump()).not.toContain('203.0.113');
    for (const value of visitor.cookies.values()) expect(await dump()).not.toContain(value);

    const deps = { database, clock: api.clock, downloadLimits: DOWNLOAD_LIMITS_DEFAULT };
    const { db } = database;
    const countOf = async (table: 'download_intents' | 'member_traces' | 'address_keys') =>
      (await everyTable(db).selectFrom(table).selectAll().execute()).length;
    await deleteOldDownloadData(deps);
    expect(await countOf('download_intents')).toBeGreaterThan(1);
    // Some of these tests used days ahead of this one.
    api.clock.advance(6 * DAY_MS);
    await deleteOldDownloadData(deps);
    expect(await countOf('download_intents')).toBe(0);
    expect(await countOf('address_keys')).toBe(0);
    const networks = await listRows({ db }, 'download_counts', {}, ['subject']);
    expect(networks.filter(({ subject }) => subject !== 'site' && !subject.startsWith('artist:'))).toEqual(
      [],
    );
    const credit = () =>
      listRows({ db }, 'download_credits', { sound_id: soundId }, ['visitor', 'user_id', 'network', 'state']);
    expect((await credit())[0]?.visitor).not.toBeNull();
    api.clock.advance(25 * DAY_MS);
    await deleteOldDownloadData(deps);
    expect(await credit()).toEqual([{ visitor: null, user_id: null, network: null, state: 'credited' }]);
    expect(await countOf('member_traces')).toBe(0);
  });
});
