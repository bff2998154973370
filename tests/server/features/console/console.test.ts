import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ReviewedApplication } from '#contract/operator/operator.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { createSound } from '#server/features/catalogue/service.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { selectAlsoFrom } from '#server/features/reviews/quality-check/review-queries.ts';
import { createBackgroundJobs } from '#server/platform/concurrency/background-jobs.ts';
import { useApi } from '#support/http/use-api.ts';
import { toFile } from '#support/sounds/catalogue.ts';
import { bothDatabases, getRow, insertRow } from '#support/databases/databases.ts';
import { apply, makeSongs, openTestTemporaryFiles, toFileParts } from '#support/members/quality-checks.ts';
import { readPlans } from './query-plans.ts';
import { addUploader, sendSound } from '#support/sounds/uploads.ts';

const songs = await makeSongs();

describe.each(bothDatabases)('the console on $name', ({ open, rule }) => {
  const { database, api, backgroundJobs, useStaff } = useApi(open, async () => ({
    backgroundJobs: createBackgroundJobs(),
    temporaryFiles: await openTestTemporaryFiles(),
  }));
  const first = useStaff({ username: '運営一' });
  const second = useStaff({ username: '運営二' });
  let typeId: string;

  beforeEach(async () => {
    typeId = String(await createSoundType(database, { name: 'BGM' }));
  });
  afterEach(() => backgroundJobs.close());

  async function applyAs(username: string): Promise<string> {
    const member = await createUser(database, { username, email: `${username}@example.test` });
    const texts = [
      { name: 'user_id', content: member },
      { name: 'types', content: typeId },
    ];
    expect((await apply(api, member, [...toFileParts(songs), ...texts])).status).toBe(200);
    api.clock.advance(1_000);
    return ((await list()).at(-1) as { id: string }).id;
  }
  const list = async () =>
    ((await api.json('/api/operator/quality-checks/', first)) as { results: { id: string }[] }).results;
  const openApplication = (id: string): Promise<ReviewedApplication> =>
    api.json(`/api/operator/quality-checks/${id}/`, first);
  const review = async (staff: string, id: string, body: object) => {
    api.clock.advance(1);
    return api.post(`/api/operator/quality-checks/${id}/review/`, body, staff);
  };
  const readActions = () => api.json('/api/operator/actions/', first);

  rule('shows an application with signed files, its measures, and who sent the same audio', async () => {
    const id = await applyAs('音の人');
    await applyAs('別の人');
    await expect
      .poll(async () => (await openApplication(id)).files.map(({ analysis }) => analysis?.state))
      .toEqual(['read', 'read', expect.any(String)]);
    const application = await openApplication(id);
    expect(application).toMatchObject({
      username: '音の人',
      types: ['BGM'],
      state: 'pending',
      allowed: ['approve', 'reject', 'park'],
      history: [],
    });
    const [file] = application.files;
    expect(file?.analysis).toMatchObject({ state: 'read', findings: { is_silent: false } });
    expect(file?.url).toMatch(/^\/media\/quality-check\//);
    expect(file?.also_from).toEqual(['別の人']);
  });

  /** A sound that was not uploaded. */
  const addSound = (artist_id: string, file: ReturnType<typeof toFile>) =>
    createSound(database, { ...file, title: '音', artist_id, type_id: Number(typeId) });

  rule('shows who has uploaded the same audio as a sound', async () => {
    const uploader = await addUploader(database, '先に出した人');
    const [content = new Uint8Array()] = songs;
    expect((await sendSound(api, uploader, { content, type: typeId })).status).toBe(200);
    const { content_hash } = await getRow(database, 'sounds');
    const other = await addUploader(database, '見本の人');
    await addSound(other, { ...toFile('demo'), audio_key: content_hash ?? '' });
    const { files } = await openApplication(await applyAs('音の人'));
    expect(files.map(({ also_from }) => also_from)).toEqual([['先に出した人', '見本の人'], [], []]);
  });

  rule('finds sounds with the same audio by indexes', async () => {
    const artist = await addUploader(database, '作者');
    for (let index = 0; index < 300; index += 1) {
      await addSound(artist, toFile(`sound-${index}`));
    }
    const plans = await readPlans(database, 'sounds', (watched) =>
      selectAlsoFrom(watched.db, first, ['a', 'b', 'c']),
    );
    expect(plans.join('\n')).toContain('sounds_content');
    expect(plans.join('\n')).not.toMatch(/Seq Scan on sounds|SCAN sounds/);
  });

  rule('lists applications by age, with those put aside last', async () => {
    const [a, b, c] = [await applyAs('あ'), await applyAs('い'), await applyAs('う')];
    expect((await review(first, a, { action: 'park' })).status).toBe(200);
    expect((await list()).map(({ id }) => id)).toEqual([b, c, a]);
    expect((await openApplication(a)).allowed).toEqual(['approve', 'reject', 'unpark']);
    expect((await review(first, a, { action: 'unpark' })).status).toBe(200);
    expect((await list()).map(({ id }) => id)).toEqual([a, b, c]);
    expect(
      ((await readActions()) as { results: { action: string }[] }).results.map((done) => done.action),
    ).toEqual(['unpark quality check', 'park quality check']);
  });

  test('tells the second of two who decide at once who was first, and records one decision', async () => {
    const id = await applyAs('音の人');
    const replies = await Promise.all([
      review(first, id, { action: 'approve' }),
      review(second, id, { action: 'reject', reason: '音が割れています。' }),
    ]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const loser = replies.find(({ status }) => status === 409);
    expect(await loser?.text()).toMatch(/運営(一|二) さんが先に(合格|不合格)にしています。/);
    expect((await readActions()) as object).toMatchObject({ results: [{ subject: id }], next: null });
    const decided = await openApplication(id);
    expect(decided.allowed).toEqual([]);
    expect(decided.files.every(({ url }) => url === null)).toBe(true);
  });

  test('counts the queues with the age of the oldest, and searches the record literally', async () => {
    const id = await applyAs('音の人');
    const overview = (await api.json('/api/operator/overview/', first)) as {
      queues: { name: string; count: number; oldest_at: number | null }[];
      storage: { database: number; free: number };
    };
    expect(overview.queues.find(({ name }) => name === 'quality-checks')).toEqual({
      name: 'quality-checks',
      count: 1,
      oldest_at: api.clock.now() - 1_000,
    });
    expect(overview.queues.find(({ name }) => name === 'credits')).toEqual({
      name: 'credits',
      count: 0,
      oldest_at: null,
    });
    expect(overview.storage.database).toBeGreaterThan(10_000);
    await review(first, id, { action: 'reject', reason: '100%_割れ' });
    const find = async (search: string) =>
      (
        (await api.json(`/api/operator/actions/?search=${encodeURIComponent(search)}`, first)) as {
          results: object[];
        }
      ).results.length;
    expect(await Promise.all(['100%_', '%', 'QUALITY', '運営一', '0_割'].map(find))).toEqual([1, 1, 1, 1, 0]);
  });

  rule('shows the folders of backups that other machines report', async () => {
    const nowMs = api.clock.now();
    const state = {
      lastBackup: { atMs: nowMs - 5, path: '/backups/one', bytes: 1 },
      lastVerified: null,
      lastDrill: { atMs: nowMs - 9, path: '/backups/one', tookMs: 12_001, fault: null },
      failing: null,
    };
    const row = { host: 'other', folder: '/backups', every_hours: 24, state: JSON.stringify(state) };
    await insertRow(database, 'backup_places', { ...row, erasures_fault: 'disk full', seen_at: nowMs });
    expect(await api.json('/api/operator/overview/', first)).toMatchObject({
      backups: [
        {
          host: 'other',
          folder: '/backups',
          condition: 'working',
          last_at: nowMs - 5,
          verified_at: null,
          drill: { at: nowMs - 9, seconds: 13, is_good: true },
          has_erasures: false,
        },
      ],
    });
  });

  rule('does not exist for visitors and blocked staff, like an unknown path', async () => {
    const blocked = await createUser(database, {
      username: '元運営',
      email: 'x@example.test',
      is_staff: true,
      is_blocked: true,
    });
    const unknown = await (await api.get('/api/nothing/')).text();
    for (const caller of [undefined, blocked]) {
      const response = await api.get('/api/operator/overview/', caller);
      expect([response.status, await response.text()]).toEqual([404, unknown]);
    }
  });
});
