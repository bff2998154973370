import { describe, expect, test } from 'vitest';
import { toDay } from '#contract/values/months.ts';
import type { FoundSound, ReviewedSound } from '#contract/operator/sounds.ts';
import { findSounds } from '#server/features/console/sound-search.ts';
import { suspendMember } from '#server/features/takedowns/suspensions.ts';
import { bothDatabases, getRow, insertMany } from '#support/databases/databases.ts';
import { expectReply } from '#support/http/replies.ts';
import { useApi } from '#support/http/use-api.ts';
import { readMails } from '#support/members/accounts.ts';
import { readActions } from '#support/members/profiles.ts';
import { REPORT, reportSound } from '#support/members/reports.ts';
import { addSoundOf } from '#support/sounds/downloads.ts';
import { readPlans } from './query-plans.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const DAY_MS = 86_400_000;

describe.each(bothDatabases)('sounds in the console on $name', ({ open, rule }) => {
  const { database, api, useMember, useStaff } = useApi(open);
  const first = useStaff({ username: '担当一' });
  const second = useStaff({ username: '担当二' });
  const artist = useMember({ username: 'Oto工房', email: 'oto@example.test' });
  const other = useMember({ username: '風の人' });

  const search = (query: Record<string, string>): Promise<{ results: FoundSound[]; has_more: boolean }> =>
    api.json(`/api/operator/sounds/?${new URLSearchParams(query)}`, first);
  const findTitles = async (query: Record<string, string>) =>
    (await search(query)).results.map(({ title }) => title);
  const view = (id: string, staff = first): Promise<ReviewedSound> =>
    api.json(`/api/operator/sounds/${id}/`, staff);
  const decide = async (staff: string, id: string, action: string, reason?: string) => {
    api.clock.advance(1);
    const body = { action, ...(reason !== undefined && { reason }) };
    return api.post(`/api/operator/sounds/${id}/decide/`, body, staff);
  };
  const change = (id: string, values: object) =>
    everyTable(database.db).updateTable('sounds').set(values).where('id', '=', id).execute();

  test('are found by the beginning of the title, the artist, the state and the id', async () => {
    const rain = await addSoundOf(database, artist, { title: 'Rain 雨の朝' });
    await addSoundOf(database, artist, { title: 'rain 雨の夜', is_published: false });
    await addSoundOf(database, other, { title: 'Rainbow' });
    await addSoundOf(database, other, { title: '朝の雨' });
    expect(await findTitles({ search: 'RAIN' })).toEqual(['rain 雨の夜', 'Rain 雨の朝', 'Rainbow']);
    expect(await findTitles({ search: 'rain 雨' })).toEqual(['rain 雨の夜', 'Rain 雨の朝']);
    expect(await findTitles({ search: 'rain', state: 'private' })).toEqual(['rain 雨の夜']);
    expect(await findTitles({ artist: 'ＯＴＯ工房' })).toEqual(['rain 雨の夜', 'Rain 雨の朝']);
    expect(await findTitles({ artist: 'Oto工房', search: 'rain', state: 'public' })).toEqual(['Rain 雨の朝']);
    expect(await findTitles({ artist: '風の人' })).toEqual(['朝の雨', 'Rainbow']);
    expect(await findTitles({ search: rain, state: 'hidden' })).toEqual(['Rain 雨の朝']);
    expect(await findTitles({})).toEqual(['朝の雨', 'Rainbow', 'rain 雨の夜', 'Rain 雨の朝']);
    for (const query of [{ search: '%' }, { search: 'ainbow' }, { search: '\0x' }, { artist: 'Oto' }])
      expect([query, await findTitles(query)]).toEqual([query, []]);
    for (const query of ['state=gone', 'page=0', 'page=101', `search=${'a'.repeat(201)}`])
      expect((await api.get(`/api/operator/sounds/?${query}`, first)).status).toBe(400);
  });

  test('have one state each, and are listed by it', async () => {
    const titles = ['公開', '非公開', '運営', '停止', '削除'];
    const ids: string[] = [];
    for (const title of titles)
      ids.push(await addSoundOf(database, title === '停止' ? other : artist, { title }));
    const [, kept = '', hidden = '', , deleted = ''] = ids;
    await change(kept, { is_published: 0 });
    expect((await decide(first, hidden, 'hide', '確認中')).status).toBe(200);
    await suspendMember(api.deps, other, first, '理由');
    await change(deleted, { is_published: 0, is_withheld: 1, deleted_at: 1 });
    for (const [index, state] of ['public', 'private', 'hidden', 'withheld', 'deleted'].entries()) {
      expect([state, await findTitles({ state })]).toEqual([state, [titles[index]]]);
      expect(await view(ids[index] ?? '')).toMatchObject({ state });
    }
    expect((await view(deleted)).audio).toBe(null);
  });

  test('are listed in pages, in the order of their titles', async () => {
    const titles = Array.from({ length: 52 }, (_, index) => `曲${String(index).padStart(2, '0')}`);
    for (const [index, title] of titles.toReversed().entries())
      await addSoundOf(database, artist, { title, is_published: index % 2 === 0 });
    const page = await search({ search: '曲' });
    expect([page.results.map(({ title }) => title), page.has_more]).toEqual([titles.slice(0, 50), true]);
    expect(await findTitles({ search: '曲', page: '2' })).toEqual(titles.slice(50));
    expect(await findTitles({ page: '2' })).toEqual(titles.slice(50));
    expect(await findTitles({ artist: 'Oto工房', page: '2' })).toEqual(titles.slice(50));
  });

  test('are found by indexes alone', async () => {
    const { type_id } = await getRow(database, 'sounds', {
      id: await addSoundOf(database, artist, { title: '一' }),
    });
    await insertMany(
      database,
      'sounds',
      Array.from({ length: 1_500 }, (_, index) => ({
        id: `id${index}`,
        artist_id: index % 20 === 0 ? artist : other,
        type_id,
        title: `曲${index}`,
        audio_key: `key${index}`,
        audio_mime: 'audio/mpeg',
        audio_size: 1,
        is_published: index % 3 === 0 ? (0 as const) : (1 as const),
        created_at: 1,
        updated_at: 1,
      })),
    );
    const filters = [
      { search: '曲12', artist: '', state: undefined },
      { search: '曲12', artist: '', state: 'public' },
      { search: '', artist: '', state: 'hidden' },
      { search: '', artist: '', state: undefined },
      { search: '曲', artist: 'Oto工房', state: 'public' },
    ] as const;
    for (const filter of filters) {
      const plans = await readPlans(database, 'sounds', (watched) =>
        findSounds(watched, { ...filter, page: 1 }),
      );
      expect(plans).toHaveLength(filter.search === '' && filter.state === 'hidden' ? 1 : 2);
      expect(plans.join('\n')).not.toMatch(/Seq Scan on (sounds|users)|SCAN (sounds|users)(?! USING)/);
    }
  });

  test('are shown with an address that plays them, reports, downloads, credits and the record', async () => {
    const id = await addSoundOf(database, artist, { title: '朝の音', is_published: false });
    const report = await reportSound(api, await publish(id));
    const now = api.clock.now();
    const credit = { sound_id: id, artist_id: artist, reason: '', is_counted: 1 as const };
    const credits = (['credited', 'credited', 'held', 'refused', 'rejected', 'reversed'] as const).map(
      (state, index) => ({
        ...credit,
        id: `credit${index}`,
        intent_id: `intent${index}`,
        state,
        yen: state === 'refused' ? 0 : 2,
        created_at: index === 0 ? now - 40 * DAY_MS : now - (index % 2) * DAY_MS,
      }),
    );
    await everyTable(database.db).insertInto('download_credits').values(credits).execute();
    await decide(second, id, 'hide', '権利の侵害');
    const sound = await view(id);
    expect(sound).toMatchObject({
      id,
      title: '朝の音',
      artist: 'Oto工房',
      artist_id: artist,
      state: 'hidden',
      hidden_reason: '権利の侵害',
      credits: { credited: { count: 2, yen: 4 }, held: { count: 1, yen: 2 }, refused: { count: 3, yen: 4 } },
      actions: [{ action: 'hide sound', staff: '担当二', note: '権利の侵害' }],
      is_own: false,
      allowed: ['unhide', 'delete'],
    });
    expect(sound.audio).toBe(`/audio/${id}?signed`);
    expect(sound.reports).toMatchObject([{ id: report, state: 'waiting', reason: REPORT.reason }]);
    expect(JSON.stringify(sound)).not.toContain(REPORT.name);
    expect(sound.days).toHaveLength(30);
    expect(sound.days.slice(-2)).toEqual([
      { day: toDay(now) - 1, downloads: 3, yen: 2 },
      { day: toDay(now), downloads: 2, yen: 0 },
    ]);
    expect((await api.get('/api/operator/sounds/nothing/', first)).status).toBe(404);
  });

  async function publish(id: string): Promise<string> {
    await change(id, { is_published: 1 });
    return id;
  }

  test('are hidden, shown again and deleted with a mail, and each decision is on record', async () => {
    const id = await addSoundOf(database, artist, { title: '朝の音' });
    const isPublic = async () => (await api.get(`/api/sounds/${id}/`)).status === 200;
    await expectReply(decide(first, id, 'hide', ' '), 400, { reason: '理由を入力してください。' });
    expect((await decide(first, id, 'hide', '確認中のため')).status).toBe(200);
    expect(await isPublic()).toBe(false);
    expect((await view(id)).allowed).toEqual(['unhide', 'delete']);
    expect((await decide(first, id, 'unhide')).status).toBe(200);
    expect(await isPublic()).toBe(true);
    expect((await decide(first, id, 'delete', '権利の侵害')).status).toBe(200);
    expect((await api.get(`/api/operator/sounds/${id}/`, first)).status).toBe(404);
    expect((await readMails(database, 'oto@example.test')).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('サウンドを非公開にしました'),
      expect.stringContaining('サウンドの非公開を解除しました'),
      expect.stringContaining('サウンドを削除しました'),
    ]);
    expect((await readActions(database)).map(({ action, note }) => [action, note])).toEqual([
      ['hide sound', '確認中のため'],
      ['unhide sound', ''],
      ['delete sound', 'Oto工房: 朝の音: 権利の侵害'],
    ]);
    for (const action of ['hide', 'unhide', 'delete'])
      expect((await decide(first, id, action, '理由')).status).toBe(404);
  });

  test('are decided on once by two who hide them at once', async () => {
    const id = await addSoundOf(database, artist, { title: '朝の音' });
    const replies = await Promise.all([decide(first, id, 'hide', '一'), decide(second, id, 'hide', '二')]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const winner = replies[0]?.status === 200 ? '担当一' : '担当二';
    const loser = replies.find(({ status }) => status === 409);
    expect(await loser?.json()).toEqual({ detail: `${winner} さんが先に非公開にしています。` });
  });

  rule('of the caller cannot be decided on', async () => {
    const id = await addSoundOf(database, first, { title: '自分の音' });
    expect(await view(id)).toMatchObject({ is_own: true, allowed: [] });
    expect((await view(id, second)).allowed).toEqual(['hide', 'delete']);
    for (const action of ['hide', 'unhide', 'delete'])
      expect((await decide(first, id, action, '理由')).status).toBe(403);
    expect(await readActions(database)).toEqual([]);
  });
});
