import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { expectReply } from '#support/http/replies.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { ruleDatabases, updateRows } from '#support/databases/databases.ts';
import {
  addArtist,
  createVisitor,
  readDownloadCount,
  readEarned,
  readVerdicts,
} from '#support/sounds/downloads.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const MINUTE_MS = 60_000;

describe.each(ruleDatabases)('watching a house notice on $name', ({ open }) => {
  const { database, api } = useApiOnce(open);

  afterAll(async () => expect(await verifyLedger(database.db)).toEqual([]));

  test('is timed by the host’s clock, between two reports', async () => {
    const { soundId } = await addArtist(database);
    const visitor = createVisitor(api);
    const { id } = await visitor.begin(soundId);
    const report = async (state: 'begin' | 'rest' | 'end') => (await visitor.report(id, state)).json();
    expect(await report('begin')).toEqual({ watched_ms: 0, needed_ms: 5_000 });
    api.clock.advance(2_000);
    expect(await report('rest')).toEqual({ watched_ms: 2_000, needed_ms: 5_000 });
    api.clock.advance(10 * MINUTE_MS);
    expect(await report('begin')).toEqual({ watched_ms: 2_000, needed_ms: 5_000 });
    api.clock.advance(3_000);
    expect(await report('end')).toEqual({ watched_ms: 5_000, needed_ms: 5_000 });
    expect(await report('end')).toEqual({ watched_ms: 5_000, needed_ms: 5_000 });
  });

  test('stops counting when no report arrives for longer than a notice lasts', async () => {
    const { soundId } = await addArtist(database);
    const visitor = createVisitor(api);
    const { id } = await visitor.begin(soundId);
    await visitor.report(id, 'begin', 'long');
    api.clock.advance(45_001);
    expect(await (await visitor.report(id, 'begin', 'long')).json()).toEqual({
      watched_ms: 0,
      needed_ms: 30_000,
    });
    api.clock.advance(45_000);
    expect(await (await visitor.report(id, 'end', 'long')).json()).toMatchObject({ watched_ms: 45_000 });
  });

  test('takes no time back when the host’s clock is set back', async () => {
    const { soundId } = await addArtist(database);
    const visitor = createVisitor(api);
    const { id } = await visitor.begin(soundId);
    await visitor.report(id, 'begin', 'long');
    api.clock.advance(20_000);
    await visitor.report(id, 'begin', 'long');
    api.clock.advance(-1_000);
    expect(await (await visitor.report(id, 'end', 'long')).json()).toMatchObject({ watched_ms: 20_000 });
    api.clock.advance(1_000);
  });

  test('starts again with another notice', async () => {
    const { soundId } = await addArtist(database);
    const visitor = createVisitor(api);
    const { id } = await visitor.begin(soundId);
    await visitor.report(id, 'begin', 'short');
    api.clock.advance(4_000);
    expect(await (await visitor.report(id, 'begin', 'long')).json()).toEqual({
      watched_ms: 0,
      needed_ms: 30_000,
    });
    api.clock.advance(4_000);
    expect(await (await visitor.report(id, 'end', 'short')).json()).toEqual({
      watched_ms: 0,
      needed_ms: 5_000,
    });
  });

  test('is refused for an intent that is another visitor’s, unknown, expired or completed', async () => {
    const { soundId } = await addArtist(database);
    const visitor = createVisitor(api);
    const other = createVisitor(api);
    await other.begin(soundId);
    const { id } = await visitor.begin(soundId);
    expect((await other.report(id, 'begin')).status).toBe(404);
    for (const unknown of ['nothing', 'x'.repeat(65), '%00'])
      expect((await visitor.report(unknown, 'begin')).status).toBe(404);
    await visitor.ask(soundId, { intent: id, log: false });
    expect((await visitor.report(id, 'begin')).status).toBe(404);
    const old = await visitor.begin(soundId);
    api.clock.advance(60 * MINUTE_MS);
    expect((await visitor.report(old.id, 'begin')).status).toBe(404);
  });

  test('is refused when the report does not match the contract', async () => {
    const { soundId } = await addArtist(database);
    const visitor = createVisitor(api);
    const { id } = await visitor.begin(soundId);
    expect((await visitor.report(id, 'stare' as 'begin')).status).toBe(400);
    expect((await visitor.report(id, 'begin', 'x'.repeat(65))).status).toBe(400);
  });

  test('M6 of an unknown notice on a house site takes no time, allows the file and earns nothing', async () => {
    for (const notice of ['elsewhere', 'nul\u0000', '<x>', '']) {
      const { artistId, soundId } = await addArtist(database);
      const visitor = createVisitor(api);
      const { id } = await visitor.begin(soundId);
      const ask = { intent: id, log: true, provider: 'house' } as const;
      expect((await visitor.ask(soundId, ask)).status).toBe(409);
      await expectReply(visitor.report(id, 'begin', notice), 200, { watched_ms: 0, needed_ms: 0 });
      api.clock.advance(60_000);
      expect(await (await visitor.report(id, 'end', notice)).json()).toMatchObject({ needed_ms: 0 });
      expect((await visitor.ask(soundId, ask)).status).toBe(200);
      expect(await readVerdicts(database, soundId)).toEqual(['unknown-notice']);
      expect(await readEarned(database, artistId)).toBe(0);
      expect(await readDownloadCount(database, soundId)).toBe(1);
      // No repeat was granted.
      expect((await visitor.begin(soundId)).is_granted).toBe(false);
    }
  });

  test('M6 of a known notice counts after an unknown one, and vice versa', async () => {
    const { artistId, soundId } = await addArtist(database);
    const visitor = createVisitor(api);
    const { id } = await visitor.begin(soundId);
    const ask = { intent: id, log: true, provider: 'house' } as const;
    await visitor.report(id, 'begin', 'elsewhere');
    await visitor.report(id, 'begin', 'short');
    expect((await visitor.ask(soundId, ask)).status).toBe(409);
    api.clock.advance(5_000);
    await visitor.report(id, 'end', 'elsewhere');
    expect((await visitor.ask(soundId, ask)).status).toBe(200);
    expect(await readEarned(database, artistId)).toBe(0);
  });

  test('continues for a notice that this host learns of only while it is watched', async () => {
    const { artistId, soundId } = await addArtist(database);
    const visitor = createVisitor(api);
    const { id } = await visitor.begin(soundId);
    await visitor.report(id, 'begin');
    // The stored form of a notice that is not known yet.
    await updateRows(database, 'download_intents', { needed_ms: null }, { id });
    api.clock.advance(5_000);
    expect(await (await visitor.report(id, 'end')).json()).toEqual({ watched_ms: 5_000, needed_ms: 5_000 });
    expect((await visitor.ask(soundId, { intent: id, log: true, provider: 'house' })).status).toBe(200);
    expect(await readEarned(database, artistId)).toBe(1);
  });

  test('M6 of a house notice is not credited as another provider’s advertisement', async () => {
    const { artistId, soundId } = await addArtist(database);
    for (const notice of ['short', 'elsewhere']) {
      const visitor = createVisitor(api);
      const { id } = await visitor.begin(soundId);
      await visitor.report(id, 'begin', notice);
      const ask = { intent: id, log: true, provider: 'gpt' } as const;
      api.clock.advance(4_999);
      expect((await visitor.ask(soundId, ask)).status).toBe(409);
      api.clock.advance(1);
      expect((await visitor.ask(soundId, ask)).status).toBe(200);
    }
    expect(await readVerdicts(database, soundId)).toEqual(['no-reward', 'no-reward']);
    expect(await readEarned(database, artistId)).toBe(0);
  });

  test('M6 of several notices counts for one at a time: starting one pauses the others', async () => {
    const visitor = createVisitor(api);
    const watched = [];
    for (let index = 0; index < 3; index += 1) {
      const { soundId } = await addArtist(database);
      watched.push({ soundId, id: (await visitor.begin(soundId)).id });
    }
    const stranger = createVisitor(api);
    const theirs = await stranger.begin(watched[0]?.soundId ?? '');
    await stranger.report(theirs.id, 'begin');
    for (const { id } of watched) {
      await visitor.report(id, 'begin');
      api.clock.advance(1_000);
    }
    api.clock.advance(4_000);
    const ask = (id: string) => ({ intent: id, log: true, provider: 'house' }) as const;
    const statuses = await Promise.all(
      watched.map(async ({ id, soundId }) => (await visitor.ask(soundId, ask(id))).status),
    );
    expect(statuses).toEqual([409, 409, 200]);
    // Time watched before counts.
    expect(await (await visitor.report(watched[0]?.id ?? '', 'begin')).json()).toMatchObject({
      watched_ms: 1_000,
    });
    const { status } = await stranger.ask(watched[0]?.soundId ?? '', ask(theirs.id));
    expect(status).toBe(200);
  });

  test('M6 counts for one notice at a time when all start at once', async () => {
    const visitor = createVisitor(api);
    const { soundId } = await addArtist(database);
    await visitor.begin(soundId);
    const intents = await Promise.all(Array.from({ length: 20 }, () => visitor.begin(soundId)));
    const begun = await Promise.all(
      [...intents, ...intents].map(({ id }) => visitor.report(id, 'begin').then(({ status }) => status)),
    );
    expect(new Set(begun)).toEqual(new Set([200]));
    const watching = await everyTable(database.db)
      .selectFrom('download_intents')
      .select('id')
      .where('sound_id', '=', soundId)
      .where('watching_since', 'is not', null)
      .execute();
    expect(watching).toHaveLength(1);
  });

  test('M6 is credited no faster than the shortest notice lasts, for any provider', async () => {
    const visitor = createVisitor(api);
    const begun = [];
    for (let index = 0; index < 3; index += 1) {
      const { soundId } = await addArtist(database);
      begun.push({ soundId, id: (await visitor.begin(soundId)).id });
    }
    api.clock.advance(5_000);
    const verdicts = [];
    for (const [index, { soundId, id }] of begun.entries()) {
      api.clock.advance([0, 4_999, 1][index] ?? 0);
      expect((await visitor.ask(soundId, { intent: id, log: true, provider: 'gpt' })).status).toBe(200);
      verdicts.push(...(await readVerdicts(database, soundId)));
      expect(await readDownloadCount(database, soundId)).toBe(1);
    }
    expect(verdicts).toEqual(['credited', 'too-fast', 'credited']);
  });
});
