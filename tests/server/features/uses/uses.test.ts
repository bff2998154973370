import { describe, expect, test } from 'vitest';
import { type OwnUse, type Use, OWN_USES_PAGE_SIZE, USES_SHOWN_MAX } from '#contract/artists/uses.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { FEATURES } from '#server/features.ts';
import { eraseDueAccounts } from '#server/features/own-data/erasure.ts';
import { WAITING_PER_ARTIST_MAX } from '#server/features/uses/limits.ts';
import { createRateLimits } from '#server/platform/limits/counting.ts';
import { bothDatabases, deleteRows, getRow, listRows, updateRows } from '#support/databases/databases.ts';
import { expectProblems } from '#support/http/replies.ts';
import { type TestApi, createTestApi } from '#support/http/api.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { from, readMails } from '#support/members/accounts.ts';
import { XSS_TEXTS, changeUser, readActions } from '#support/members/profiles.ts';
import { addCertificate, addUse } from '#support/members/uses.ts';
import { addArtist, addSoundOf, createVisitor } from '#support/sounds/downloads.ts';

const DAY_MS = 86_400_000;
const WORK = { address: 'https://video.example.com/watch?v=1', title: '週末の旅', message: 'ありがとう' };

describe.each(bothDatabases)('uses on $name', ({ open, rule }) => {
  const { database, api } = useApiOnce(open);

  const tell = (certificate: string, work: object = {}, headers = {}, on: TestApi = api) =>
    on.post(`/api/certificates/${certificate}/uses/`, { ...WORK, ...work }, headers);
  const decide = (artistId: string, ids: readonly string[], state: string) =>
    api.post('/api/account/use-decisions/', { ids, state }, artistId);
  const own = async (artistId: string, query = '') =>
    (await api.json(`/api/account/uses/?${query}`, artistId)) as {
      results: OwnUse[];
      next: string | null;
      is_mailed: boolean;
    };
  const shown = async (query: Record<string, string>) =>
    ((await api.json(`/api/uses/?${new URLSearchParams(query)}`)) as { results: Use[] }).results;
  const nameOf = async (artistId: string) => (await getRow(database, 'users', { id: artistId })).username;
  const runJob = (name: string) => api.scheduledJobs.find((job) => job.name === name)?.run();

  test('are told with the certificate of a download, and public once the artist confirms them', async () => {
    const { artistId, soundId } = await addArtist(database);
    const visitor = createVisitor(api);
    const { id: intent } = await visitor.begin(soundId);
    const { certificate } = (await (await visitor.ask(soundId, { intent })).json()) as {
      certificate: string;
    };
    expect((await tell(certificate)).status).toBe(200);
    const { results } = await own(artistId);
    expect(results).toMatchObject([{ ...WORK, state: 'waiting', sound: soundId }]);
    expect(JSON.stringify(results)).not.toContain(certificate);
    expect(await shown({ sound: soundId })).toEqual([]);

    const before = api.changedTags.length;
    const [use] = results;
    expect((await decide(artistId, [use?.id ?? ''], 'confirmed')).status).toBe(200);
    const artist = await nameOf(artistId);
    expect(api.changedTags.slice(before)).toEqual([[`sound ${soundId}`, `artist ${artist}`]]);
    const [publicUse] = await shown({ sound: soundId });
    expect(publicUse).toEqual({
      id: use?.id,
      address: WORK.address,
      title: WORK.title,
      sound: soundId,
      sound_title: use?.sound_title,
    });
    expect(await shown({ artist })).toEqual([publicUse]);

    expect((await decide(artistId, [use?.id ?? ''], 'hidden')).status).toBe(200);
    expect(api.changedTags.length).toBe(before + 2);
    expect(await shown({ artist })).toEqual([]);
    expect((await own(artistId, 'state=hidden')).results).toHaveLength(1);
  });

  rule.each([
    ['javascript:alert(1)', 'address'],
    ['https://video.example.com@evil.example.com/', 'address'],
    ['x'.repeat(60_000), 'address'],
  ])('refuse the address %.30s with its field', async (address, field) => {
    const { soundId } = await addArtist(database);
    await expectProblems(tell(await addCertificate(database, soundId), { address }), 400, [field]);
  });

  rule('W25: keep bounded texts that read as they are written', async () => {
    const { artistId, soundId } = await addArtist(database);
    const certificate = await addCertificate(database, soundId);
    for (const work of [
      { title: 'あ'.repeat(101) },
      { message: 'あ'.repeat(501) },
      { title: '\u202e\u200b' },
    ]) {
      await expectProblems(tell(certificate, work), 400, Object.keys(work));
    }
    expect((await tell(certificate, { title: 'x'.repeat(70_000) })).status).toBe(413);
    const work = { title: '\u202e題\u0000\n名\u2066', message: 'a\u202eb\r\nc\u0007' };
    expect((await tell(certificate, work)).status).toBe(200);
    expect((await own(artistId)).results).toMatchObject([{ title: '題 名', message: 'ab\nc' }]);
  });

  rule.each(XSS_TEXTS)('carry %j as text', async (title) => {
    const { artistId, soundId } = await addArtist(database);
    expect((await tell(await addCertificate(database, soundId), { title })).status).toBe(200);
    expect((await own(artistId)).results).toHaveLength(1);
  });

  test('W25: are three for a certificate, once each, also at once', async () => {
    const { artistId, soundId } = await addArtist(database);
    const certificate = await addCertificate(database, soundId);
    const toAddress = (index: number) => ({ address: `https://video.example.com/${index}` });
    const replies = await Promise.all([0, 0, 1, 2, 3, 4].map((index) => tell(certificate, toAddress(index))));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409, 409, 409]);
    const told = (await own(artistId)).results.map(({ address }) => address);
    expect(new Set(told).size).toBe(3);
    // Hidden ones count as well.
    await decide(artistId, [(await own(artistId)).results[0]?.id ?? ''], 'hidden');
    const again = await tell(certificate, toAddress(9));
    expect([again.status, await again.text()]).toEqual([409, expect.stringContaining('3件まで')]);
    await expectProblems(tell(certificate, { address: told[0] }), 409, ['address']);
  });

  rule('W25: are a few a day from an address and from a network, whatever the certificate', async () => {
    const { soundId } = await addArtist(database);
    const limited = createTestApi(database, { rateLimits: createRateLimits(database) });
    const tellFrom = async (address: string) =>
      (await tell(await addCertificate(database, soundId), {}, from(address), limited)).status;
    const statuses: number[] = [];
    for (let index = 0; index < 6; index += 1) statuses.push(await tellFrom('198.51.100.1'));
    for (let index = 2; index < 9; index += 1) statuses.push(await tellFrom(`198.51.100.${index}`));
    expect(statuses).toEqual([...Array<number>(5).fill(200), 429, ...Array<number>(5).fill(200), 429, 429]);
    expect(await tellFrom('198.51.101.1')).toBe(200);
    // What is refused does not count.
    for (let index = 0; index < 12; index += 1) {
      expect((await tell('A'.repeat(22), {}, from('203.0.113.1'), limited)).status).toBe(404);
    }
    expect(await tellFrom('203.0.113.1')).toBe(200);
  });

  test('W25: a bounded number waits for an artist, until some are decided', async () => {
    const { artistId, soundId } = await addArtist(database);
    const certificateId = await addCertificate(database, soundId);
    const ids: string[] = [];
    for (let index = 0; index < WAITING_PER_ARTIST_MAX; index += 1) {
      ids.push(await addUse(database, soundId, { certificateId, atMs: index + 1 }));
    }
    const certificate = await addCertificate(database, soundId);
    expect((await tell(certificate)).status).toBe(409);
    expect((await decide(artistId, ids.slice(0, OWN_USES_PAGE_SIZE), 'hidden')).status).toBe(200);
    expect((await tell(certificate)).status).toBe(200);
    const pages = [await own(artistId)];
    for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) {
      pages.push(await own(artistId, `cursor=${next}`));
    }
    const listed = pages.flatMap(({ results }) => results.map(({ id }) => id));
    expect(pages.map(({ results }) => results.length)).toEqual([50, 50, 50, 1]);
    expect(listed.slice(1)).toEqual(
      ids
        .slice(OWN_USES_PAGE_SIZE)
        .toReversed()
        .toSorted(() => 0),
    );
  });

  test('are decided by the artist of the sound only', async () => {
    const [mine, other] = [await addArtist(database), await addArtist(database)];
    const ids = [await addUse(database, mine.soundId), await addUse(database, other.soundId)];
    expect((await decide(mine.artistId, ids, 'confirmed')).status).toBe(404);
    expect((await decide(mine.artistId, ids.slice(1), 'hidden')).status).toBe(404);
    expect(await shown({ sound: other.soundId })).toEqual([]);
    expect((await own(other.artistId)).results).toHaveLength(1);
    expect((await own(mine.artistId)).results.map(({ id }) => id)).toEqual(ids.slice(0, 1));
  });

  test('that are reported wait for the staff, who deletes them or leaves them hidden', async () => {
    const { artistId, soundId } = await addArtist(database);
    const staff = await createUser(database, {
      username: `staff-${soundId}`,
      email: `${soundId}@staff.example.test`,
      is_staff: true,
    });
    const bad = await addUse(database, soundId, { message: '脅し', atMs: 1 });
    const fine = await addUse(database, soundId, { atMs: 2, message: 'こんにちは' });
    const secret = await addUse(database, soundId, { atMs: 3, message: 'アーティストだけに' });
    expect((await decide(artistId, [bad, fine], 'reported')).status).toBe(200);
    expect((await decide(artistId, [bad], 'confirmed')).status).toBe(409);
    const listed = async (query = '') =>
      (
        (await api.json(`/api/operator/uses/?${query}`, staff)) as {
          results: { id: string; message: string }[];
        }
      ).results;
    const reported = (await listed()).filter(({ id }) => [bad, fine, secret].includes(id));
    expect(reported.map(({ id, message }) => [id, message])).toEqual([
      [bad, '脅し'],
      [fine, 'こんにちは'],
    ]);
    expect((await listed(`sound=${soundId}`)).find(({ id }) => id === secret)?.message).toBe('');

    const judge = (id: string, action: string, who = staff) => {
      // Actions are told apart by their time.
      api.clock.advance(1);
      return api.post(`/api/operator/uses/${id}/decide/`, { action, reason: '規約違反' }, who);
    };
    expect((await judge(bad, 'delete', artistId)).status).toBe(404);
    expect((await judge(bad, 'delete')).status).toBe(200);
    expect((await judge(bad, 'delete')).status).toBe(404);
    expect((await judge(fine, 'dismiss')).status).toBe(200);
    expect((await judge(fine, 'dismiss')).status).toBe(409);
    expect((await own(artistId, 'state=hidden')).results.map(({ id }) => id)).toEqual([fine]);
    // A public one, too: its page changes.
    await decide(artistId, [secret], 'confirmed');
    const before = api.countChanges();
    expect((await judge(secret, 'delete')).status).toBe(200);
    expect(api.countChanges()).toBe(before + 1);
    expect(await shown({ sound: soundId })).toEqual([]);
    const done = (await readActions(database)).filter(({ subject }) => subject === soundId);
    expect(done.map(({ action, note }) => [action, note])).toEqual([
      ['delete use', '規約違反'],
      ['dismiss use', '規約違反'],
      ['delete use', '規約違反'],
    ]);
  });

  rule('of a sound that is not public are neither told nor shown', async () => {
    const { soundId, artistId } = await addArtist(database);
    const certificate = await addCertificate(database, soundId);
    const use = await addUse(database, soundId, { state: 'confirmed' });
    const setPublished = (is_published: 0 | 1) =>
      updateRows(database, 'sounds', { is_published }, { id: soundId });
    await setPublished(0);
    expect((await tell(certificate)).status).toBe(409);
    expect(await shown({ sound: soundId })).toEqual([]);
    expect(await shown({ artist: await nameOf(artistId) })).toEqual([]);
    await setPublished(1);
    expect((await shown({ sound: soundId })).map(({ id }) => id)).toEqual([use]);
    expect(await shown({ sound: '%_\u0000' })).toEqual([]);
    expect(await shown({ artist: 'だれも\u0000いない' })).toEqual([]);
  });

  rule('are ten on a page, the newest first', async () => {
    const { soundId } = await addArtist(database);
    const ids: string[] = [];
    for (let atMs = 1; atMs <= USES_SHOWN_MAX + 2; atMs += 1) {
      ids.push(await addUse(database, soundId, { state: 'confirmed', atMs }));
    }
    expect((await shown({ sound: soundId })).map(({ id }) => id)).toEqual(ids.slice(2).toReversed());
  });

  test('go with their sound, and with the account of whoever told of them', async () => {
    const { artistId, soundId } = await addArtist(database);
    const other = await addSoundOf(database, artistId);
    await addUse(database, soundId, { state: 'confirmed' });
    const reader = await createUser(database, {
      username: `r-${soundId}`,
      email: `${soundId}@r.example.test`,
    });
    const certificateId = await addCertificate(database, other, reader);
    await addUse(database, other, { state: 'confirmed', certificateId });
    const kept = await addUse(database, other, { state: 'confirmed', atMs: 2 });
    await deleteRows(database, 'sounds', { id: soundId });
    await changeUser(database, reader, { deletion_requested_at: 0, is_blocked: 1 });
    await eraseDueAccounts({ ...api.deps, features: FEATURES });
    const left = await listRows(database, 'uses', { artist_id: artistId }, ['id']);
    expect(left).toEqual([{ id: kept }]);
  });

  test('nobody decides about are deleted in time, but not reported or confirmed ones', async () => {
    const { artistId, soundId } = await addArtist(database);
    const nowMs = api.clock.now();
    const add = (state: OwnUse['state'], days: number) =>
      addUse(database, soundId, { state, atMs: nowMs - days * DAY_MS });
    await add('waiting', 181);
    await add('hidden', 91);
    const kept = [
      await add('waiting', 179),
      await add('hidden', 89),
      await add('confirmed', 999),
      await add('reported', 999),
    ];
    await runJob('old uses');
    const left = await listRows(database, 'uses', { artist_id: artistId }, ['id']);
    expect(left.map(({ id }) => id).toSorted()).toEqual(kept.toSorted());
  });

  test('are mailed once a week, by one of several processes, to an artist who wants it', async () => {
    const { artistId, soundId } = await addArtist(database);
    const email = `${soundId}@artist.example.test`;
    await changeUser(database, artistId, { email });
    const setMails = (is_mailed: boolean) => api.post('/api/account/use-mails/', { is_mailed }, artistId);
    const run = () => Promise.all([1, 2, 3].map(() => runJob('mails about uses')));
    const toNow = () => ({ atMs: api.clock.now(), title: '危険なリンク' });
    await addUse(database, soundId, toNow());
    await run();
    expect((await own(artistId)).is_mailed).toBe(false);
    expect((await setMails(true)).status).toBe(200);
    expect((await own(artistId)).is_mailed).toBe(true);
    api.clock.advance(DAY_MS);
    await addUse(database, soundId, toNow());
    await addUse(database, soundId, toNow());
    await run();
    expect(await readMails(database, email)).toEqual([]);
    api.clock.advance(6 * DAY_MS);
    await run();
    const [mail, ...others] = await readMails(database, email);
    expect(others).toEqual([]);
    expect(mail?.subject).toBe('【Otoichi】使用報告が2件届いています');
    expect(mail?.text).toContain('https://site.example/profile/uses');
    expect(mail?.text).not.toContain('危険');
    // Without new ones there is none.
    api.clock.advance(8 * DAY_MS);
    await run();
    await addUse(database, soundId, toNow());
    expect((await setMails(false)).status).toBe(200);
    api.clock.advance(8 * DAY_MS);
    await run();
    expect(await readMails(database, email)).toHaveLength(1);
  });
});
