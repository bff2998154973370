import { describe, expect, test } from 'vitest';
import { ANNOUNCEMENTS_MAX, ANNOUNCEMENT_LENGTH_MAX } from '#contract/operator/announcements.ts';
import type { ListedAnnouncement } from '#contract/operator/announcements.ts';
import type { StaffAction } from '#contract/operator/actions.ts';
import { toMinute } from '#contract/operator/minutes.ts';
import { type Announcement, ANNOUNCEMENTS_SHOWN_MAX } from '#contract/site/site.ts';
import { useApi } from '#support/http/use-api.ts';
import { bothDatabases } from '#support/databases/databases.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const HOUR_MS = 3_600_000;

describe.each(bothDatabases)('announcements on $name', ({ open, rule }) => {
  const { database, api, useStaff } = useApi(open);
  const staff = useStaff({ username: '運営' });
  const other = useStaff({ username: '別の運営' });

  /** From now, in hours. */
  const period = (begins: number, ends: number) => ({
    begins: toMinute(api.clock.now() + begins * HOUR_MS),
    ends: toMinute(api.clock.now() + ends * HOUR_MS),
  });
  const fields = (change: object = {}) => ({
    text: '点検のお知らせ',
    link: '',
    audience: 'everyone',
    ...period(0, 2),
    ...change,
  });
  const post = async (path: string, body: object, userId = staff) => {
    api.clock.advance(1);
    const response = await api.post(`/api/operator/announcements/${path}`, body, userId);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const list = async () =>
    ((await api.json('/api/operator/announcements/', staff)) as { results: ListedAnnouncement[] }).results;
  const first = async () => (await list())[0]!;
  const shown = async () =>
    ((await api.json('/api/site-config')) as { announcements: Announcement[] }).announcements;

  test('are shown from their begin to their end, and the staff sees all of them', async () => {
    await post('', fields({ text: ' いま\u200bの\n告知 ', link: ' /content/faq ', ...period(0, 1) }));
    await post('', fields({ text: '明日の告知', audience: 'members', ...period(24, 48) }));
    expect((await list()).map(({ text, state }) => [text, state])).toEqual([
      ['明日の告知', 'planned'],
      ['いまの 告知', 'current'],
    ]);
    expect(await shown()).toMatchObject([
      { text: 'いまの 告知', link: '/content/faq', audience: 'everyone' },
    ]);
    api.clock.advance(HOUR_MS);
    expect(await shown()).toEqual([]);
    api.clock.advance(23 * HOUR_MS);
    expect(await shown()).toMatchObject([{ text: '明日の告知', link: null, audience: 'members' }]);
    expect((await list()).map(({ state }) => state)).toEqual(['current', 'past']);
  });

  test('are changed, ended and deleted; each of it drops the pages and is on record by its text', async () => {
    await post('', fields());
    const before = await first();
    const [{ version }] = (await shown()) as [Announcement];
    const { id } = before;
    const change = fields({ text: '新しい文章', updated_at: before.updated_at });
    expect((await post(`${id}/`, change)).status).toBe(200);
    expect(await shown()).toMatchObject([{ id, text: '新しい文章' }]);
    expect((await shown())[0]!.version).toBeGreaterThan(version);
    expect((await post(`${id}/end/`, await first())).body).toEqual({ state: 'past' });
    expect(await shown()).toEqual([]);
    expect((await first()).state).toBe('past');
    expect((await post(`${id}/remove/`, await first())).body).toEqual({ state: 'removed' });
    expect(await list()).toEqual([]);
    expect(api.countChanges()).toBe(4);

    const search = new URLSearchParams({ search: '告知：', kind: 'site' });
    const { results } = (await api.json(`/api/operator/actions/?${search}`, staff)) as {
      results: StaffAction[];
    };
    expect(results.map(({ action, staff: by, note }) => [action, by, note])).toEqual([
      ['remove announcement', '運営', '新しい文章'],
      ['end announcement', '運営', '新しい文章'],
      ['change announcement', '運営', '新しい文章'],
      ['make announcement', '運営', '点検のお知らせ'],
    ]);
  });

  test('of two who change one, the second is told who was first', async () => {
    await post('', fields());
    const seen = await first();
    const change = fields({ updated_at: seen.updated_at });
    expect((await post(`${seen.id}/`, { ...change, text: '先' }, other)).status).toBe(200);
    for (const path of ['', 'end/', 'remove/']) {
      expect(await post(`${seen.id}/${path}`, { ...change, text: '後' })).toEqual({
        status: 409,
        body: { detail: '別の運営 さんが先に変更しています。' },
      });
    }
    expect((await first()).text).toBe('先');
    await post(`${seen.id}/remove/`, await first(), other);
    expect((await post(`${seen.id}/end/`, change)).body).toEqual({
      detail: '別の運営 さんが先に削除しています。',
    });
    expect((await post('never/', change)).status).toBe(404);
    expect((await post('never/end/', change)).status).toBe(404);
  });

  test('that have not begun cannot be ended', async () => {
    await post('', fields(period(1, 2)));
    expect((await post(`${(await first()).id}/end/`, await first())).status).toBe(409);
    expect((await first()).state).toBe('planned');
  });

  rule('name the field that is wrong', async () => {
    const wrong: [string, object][] = [
      ['text', { text: ' \u200b ' }],
      ['text', { text: '長'.repeat(ANNOUNCEMENT_LENGTH_MAX + 1) }],
      ['link', { link: 'javascript:alert(1)' }],
      ['link', { link: 'http://example.test/' }],
      ['link', { link: '//example.test/' }],
      ['link', { link: '/\\example.test/' }],
      ['link', { link: `/${'x'.repeat(2_000)}` }],
      ['audience', { audience: 'staff' }],
      ['begins', { begins: '2026-02-31T10:00' }],
      ['ends', { ends: '' }],
      ['ends', period(2, 2)],
      ['ends', period(-3, -1)],
    ];
    for (const [field, change] of wrong) {
      const { status, body } = await post('', fields(change));
      expect([status, Object.keys(body)], JSON.stringify(change)).toEqual([400, [field]]);
    }
    expect(await list()).toEqual([]);
  });

  rule('are at most a hundred, of which pages show the newest three', async () => {
    const row = { text: '告知', audience: 'everyone' as const, begins_at: 0, updated_at: 0 };
    const rows = Array.from({ length: ANNOUNCEMENTS_MAX - 1 }, (_, index) => ({
      ...row,
      id: `a${index}`,
      ends_at: api.clock.now() + HOUR_MS,
    }));
    await everyTable(database.db).insertInto('announcements').values(rows).execute();
    expect((await post('', fields({ text: '最新' }))).status).toBe(200);
    expect((await post('', fields())).status).toBe(400);
    const texts = (await shown()).map(({ text }) => text);
    expect(texts).toEqual(['最新', ...Array.from({ length: ANNOUNCEMENTS_SHOWN_MAX - 1 }, () => '告知')]);
  });
});
