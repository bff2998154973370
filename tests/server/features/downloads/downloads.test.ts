import { afterAll, describe, expect, test } from 'vitest';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { expectProblems, expectReply } from '#support/http/replies.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { createTestApi } from '#support/http/api.ts';
import { bothDatabases } from '#support/databases/databases.ts';
import {
  addArtist,
  addSoundOf,
  createVisitor,
  readDownloadCount,
  readEarned,
  readVerdicts,
} from '#support/sounds/downloads.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

describe.each(bothDatabases)('downloads on $name', ({ open }) => {
  const { database, api } = useApiOnce(open);

  afterAll(async () => expect(await verifyLedger(database.db)).toEqual([]));

  describe('beginning', () => {
    test('returns a new, unguessable id each time (A3)', async () => {
      const { soundId } = await addArtist(database);
      const visitor = createVisitor(api);
      const ids = [];
      for (let time = 0; time < 20; time += 1) ids.push((await visitor.begin(soundId)).id);
      expect(new Set(ids).size).toBe(20);
      for (const id of ids) expect(Buffer.from(id, 'base64url')).toHaveLength(16);
    });

    test('A3 is refused for a missing or private sound, unless the caller owns it', async () => {
      const { artistId } = await addArtist(database);
      const hidden = await addSoundOf(database, artistId, { is_published: false });
      for (const id of ['nothing', '..%2f', hidden]) {
        expect((await createVisitor(api).tryToBegin(id)).status).toBe(404);
        expect((await createVisitor(api).ask(id, { log: true })).status).toBe(404);
      }
      expect((await createVisitor(api, { memberId: artistId }).tryToBegin(hidden)).status).toBe(200);
    });
  });

  describe('the file', () => {
    test('is served after the notice was watched, with one second of tolerance, and is credited once', async () => {
      const { artistId, soundId } = await addArtist(database);
      const visitor = createVisitor(api);
      const { id } = await visitor.begin(soundId);
      await visitor.report(id, 'begin');
      api.clock.advance(3_999);
      await expectReply(visitor.ask(soundId, { intent: id, log: true, provider: 'house' }), 409, {
        detail: expect.stringMatching(/まだ終わっていません/),
      });
      api.clock.advance(1);
      // Without a provider, the time is checked as well.
      const inTime = await visitor.ask(soundId, { intent: id, log: true });
      const file = { url: `/download/${soundId}?signed`, certificate: expect.any(String) as string };
      await expectReply(inTime, 200, file);
      await expectReply(visitor.ask(soundId, { intent: id, log: true, provider: 'house' }), 200, file);
      expect(await readEarned(database, artistId)).toBe(1);
      expect(await readVerdicts(database, soundId)).toEqual(['credited']);
      expect(await readDownloadCount(database, soundId)).toBe(1);
    });

    test('M6 is not credited when nothing was watched, or 50 ms, and the intent stays open', async () => {
      const { artistId, soundId } = await addArtist(database);
      const visitor = createVisitor(api);
      const { id } = await visitor.begin(soundId);
      api.clock.advance(50);
      for (const provider of ['house', 'gpt'] as const)
        expect((await visitor.ask(soundId, { intent: id, log: true, provider })).status).toBe(409);
      await visitor.report(id, 'end');
      api.clock.advance(MINUTE_MS);
      const ask = { intent: id, log: true, provider: 'house' } as const;
      expect((await visitor.ask(soundId, ask)).status).toBe(409);
      expect(await readEarned(database, artistId)).toBe(0);
      await visitor.report(id, 'begin');
      api.clock.advance(5_000);
      expect((await visitor.ask(soundId, ask)).status).toBe(200);
      expect(await readEarned(database, artistId)).toBe(1);
    });

    test('is served without credit where no advertisement was shown', async () => {
      const { artistId, soundId } = await addArtist(database);
      for (const query of [{ log: false }, { log: true, provider: 'none' }] as const) {
        expect(await createVisitor(api).download(soundId, query)).toBe(200);
      }
      expect(await readVerdicts(database, soundId)).toEqual(['no-reward', 'no-reward']);
      expect(await readEarned(database, artistId)).toBe(0);
      expect(await readDownloadCount(database, soundId)).toBe(2);
    });

    test('is not credited for a provider that the operator has not configured', async () => {
      const house = createTestApi(database, { adProviders: ['house'] });
      const { artistId, soundId } = await addArtist(database);
      expect(await createVisitor(house).download(soundId, { provider: 'gpt' })).toBe(200);
      expect(await readEarned(database, artistId)).toBe(0);
    });

    test('M6 is served without credit for an unknown or expired intent, another’s, or another sound’s', async () => {
      const { artistId, soundId } = await addArtist(database);
      const another = await addSoundOf(database, artistId);
      const [owner, thief] = [createVisitor(api), createVisitor(api)];
      const { id } = await owner.begin(soundId);
      await thief.begin(soundId);
      api.clock.advance(10_000);
      const ask = { log: true, provider: 'gpt' } as const;
      expect((await thief.ask(soundId, { ...ask, intent: id })).status).toBe(200);
      expect((await createVisitor(api).ask(soundId, { ...ask, intent: id })).status).toBe(200);
      expect((await owner.ask(another, { ...ask, intent: id })).status).toBe(200);
      expect((await owner.ask(soundId, { ...ask, intent: 'unknown' })).status).toBe(200);
      api.clock.advance(60 * MINUTE_MS);
      expect((await owner.ask(soundId, { ...ask, intent: id })).status).toBe(200);
      expect(await readEarned(database, artistId)).toBe(0);
      expect(await readVerdicts(database, soundId)).toEqual([]);
      expect(await readDownloadCount(database, soundId)).toBe(0);
    });

    test('M6 is served without an intent, neither counted nor credited, for any claimed advertisement', async () => {
      const { artistId, soundId } = await addArtist(database);
      const visitor = createVisitor(api);
      await visitor.begin(soundId);
      api.clock.advance(10_000);
      for (const provider of ['house', 'gpt'] as const)
        expect((await visitor.ask(soundId, { log: true, provider })).status).toBe(200);
      expect((await visitor.ask(soundId, { log: true })).status).toBe(200);
      expect(await readVerdicts(database, soundId)).toEqual([]);
      expect(await readEarned(database, artistId)).toBe(0);
      expect(await readDownloadCount(database, soundId)).toBe(0);
    });

    test('M7 is refused for an invalid query, and names the field', async () => {
      const { soundId } = await addArtist(database);
      for (const [query, field] of [
        ['log=maybe', 'log'],
        ['intent=%00', 'intent'],
        ['intent=' + 'x'.repeat(65), 'intent'],
        ['provider=banner', 'provider'],
      ] as const) {
        await expectProblems(api.post(`/api/sounds/${soundId}/download?${query}`, {}), 400, [field]);
      }
    });

    test('can be downloaded again for a day without an advertisement, and not longer', async () => {
      const { artistId, soundId } = await addArtist(database);
      const visitor = createVisitor(api);
      await visitor.download(soundId);
      api.clock.advance(DAY_MS - MINUTE_MS);
      const repeat = await visitor.begin(soundId);
      expect(repeat.is_granted).toBe(true);
      const file = await visitor.ask(soundId, { intent: repeat.id, log: true, provider: 'house' });
      expect(file.status).toBe(200);
      expect(await readVerdicts(database, soundId)).toEqual(['credited', 'repeat']);
      expect((await visitor.begin(await addSoundOf(database, artistId))).is_granted).toBe(false);
      api.clock.advance(MINUTE_MS);
      expect((await visitor.begin(soundId)).is_granted).toBe(false);
      expect(await readEarned(database, artistId)).toBe(1);
      expect(await readDownloadCount(database, soundId)).toBe(1);
    });

    test('can be downloaded again by the same member in another browser', async () => {
      const { soundId } = await addArtist(database);
      const memberId = (await addArtist(database)).artistId;
      await createVisitor(api, { memberId }).download(soundId);
      expect((await createVisitor(api, { memberId }).begin(soundId)).is_granted).toBe(true);
      expect((await createVisitor(api).begin(soundId)).is_granted).toBe(false);
    });

    test('is not granted again without an advertisement where the first download was not credited', async () => {
      const { soundId } = await addArtist(database);
      const visitor = createVisitor(api);
      await visitor.download(soundId, { log: false });
      expect((await visitor.begin(soundId)).is_granted).toBe(false);
    });

    test('does not clear the page cache', async () => {
      const { soundId } = await addArtist(database);
      const before = api.countChanges();
      await createVisitor(api).download(soundId);
      expect(api.countChanges()).toBe(before);
    });
  });
});
