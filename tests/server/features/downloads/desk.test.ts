import { beforeEach, describe, expect, test } from 'vitest';
import type { Credit, HeldGroup } from '#contract/operator/credits.ts';
import { toDay } from '#contract/values/months.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { expectReply } from '#support/http/replies.ts';
import { useApi } from '#support/http/use-api.ts';
import { bothDatabases, listRows, updateRows } from '#support/databases/databases.ts';
import { addPayee } from '#support/members/payouts.ts';
import { readEarned } from '#support/sounds/downloads.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

describe.each(bothDatabases)('held credits in the console on $name', ({ open, rule }) => {
  const { database, api, useStaff } = useApi(open);
  const first = useStaff({ username: '運営一' });
  const second = useStaff();
  let artist: string;
  let serial: number;

  beforeEach(async () => {
    artist = await addPayee(database, '作り手');
    serial = 0;
  });

  /** Credits, `agoMs` ago. */
  async function hold(count: number, agoMs: number, { artistId = artist, reason = 'velocity' } = {}) {
    const rows = Array.from({ length: count }, () => {
      serial += 1;
      const id = `credit${String(serial).padStart(5, '0')}`;
      const ids = { id, intent_id: `intent-${id}`, sound_id: 'gone', artist_id: artistId };
      const marks = { visitor: 'abcdefghij', user_id: null, network: 'klmnopqrst' };
      const created_at = api.clock.now() - agoMs + serial;
      return { ...ids, ...marks, reason, yen: 2, created_at, state: 'held' as const, is_counted: 1 as const };
    });
    await everyTable(database.db).insertInto('download_credits').values(rows).execute();
    return rows.map(({ id }) => id);
  }
  const listGroups = (query = ''): Promise<{ results: HeldGroup[]; has_more: boolean }> =>
    api.json(`/api/operator/credit-groups/${query}`, first);
  const listCredits = async (state: string, page = 1, day = toDay(api.clock.now())) => {
    const query = `?artist=${artist}&day=${day}&state=${state}&page=${page}`;
    return (await api.json(`/api/operator/credits/${query}`, first)) as {
      results: Credit[];
      has_more: boolean;
    };
  };
  const post = async (path: string, body: object, staff = first) =>
    api.post(`/api/operator/${path}`, body, staff);
  const decideGroup = (group: HeldGroup, body: object, staff = first) => {
    const { artist_id, day, newest_at: until } = group;
    return post('credit-groups/decide/', { artist_id, day, until, ...body }, staff);
  };
  const decide = (id: string, body: object, staff = first) => post(`credits/${id}/decide/`, body, staff);
  const verify = () => database.db.transaction().execute(verifyLedger);

  rule('are grouped by artist and day in Japan, with reasons, number and yen', async () => {
    const other = await addPayee(database, '別の作り手');
    // The clock stands at 09:00 in Japan.
    await hold(2, 8 * HOUR_MS);
    await hold(1, 8 * HOUR_MS, { reason: 'network-day' });
    await hold(1, 10 * HOUR_MS);
    await hold(1, 10 * HOUR_MS, { artistId: other });
    const { results, has_more } = await listGroups();
    const today = toDay(api.clock.now());
    expect(results.map(({ username, day, credits, yen }) => [username, day, credits, yen])).toEqual(
      expect.arrayContaining([
        ['作り手', today - 1, 1, 2],
        ['別の作り手', today - 1, 1, 2],
        ['作り手', today, 3, 6],
      ]),
    );
    expect(results.map(({ day }) => day)).toEqual([today - 1, today - 1, today]);
    expect(results[2]?.reasons).toEqual([
      { reason: 'network-day', credits: 1 },
      { reason: 'velocity', credits: 2 },
    ]);
    expect(has_more).toBe(false);
  });

  test('are listed in pages without gaps', async () => {
    for (let ago = 0; ago < 60; ago += 1) await hold(1, ago * DAY_MS);
    const page = await listGroups();
    expect([page.results.length, page.has_more]).toEqual([50, true]);
    const { day, artist_id } = page.results[49] ?? expect.unreachable();
    const next = await listGroups(`?after_day=${day}&after_artist=${artist_id}`);
    expect([next.results.length, next.has_more]).toEqual([10, false]);
    const days = [...page.results, ...next.results].map((group) => group.day);
    expect(days).toEqual(Array.from({ length: 60 }, (_, index) => toDay(api.clock.now()) - 59 + index));

    await hold(60, 0);
    expect((await listCredits('held')).has_more).toBe(true);
    expect((await listCredits('held', 2)).results).toHaveLength(11);
  });

  rule('of a group are approved together, but none that was downloaded since', async () => {
    await hold(3, HOUR_MS);
    const [group] = (await listGroups()).results;
    await hold(1, 0);
    await expectReply(decideGroup(group ?? expect.unreachable(), { action: 'approve' }), 200, {
      credits: 3,
      yen: 6,
      remaining: 0,
    });
    expect(await readEarned(database, artist)).toBe(6);
    expect(await verify()).toEqual([]);
    expect((await listGroups()).results).toMatchObject([{ credits: 1, yen: 2 }]);
    const credited = (await listCredits('credited')).results;
    expect(credited).toHaveLength(3);
    expect(credited[0]).toMatchObject({ decided_by: '運営一', allowed: ['reverse'], visitor: 'abcdef' });
    const actions = await listRows(database, 'operator_actions', {}, ['action']);
    expect(actions.map(({ action }) => action)).toEqual(Array(3).fill('approve credit'));
  });

  rule('of a large group are decided in several calls', async () => {
    await hold(1_300, HOUR_MS);
    const [group = expect.unreachable()] = (await listGroups()).results;
    const rejection = { action: 'reject', reason: '同じ端末からの連打です。' };
    expect(await (await decideGroup(group, rejection)).json()).toEqual({
      credits: 1_000,
      yen: 2_000,
      remaining: 300,
    });
    expect(await (await decideGroup(group, rejection)).json()).toEqual({
      credits: 300,
      yen: 600,
      remaining: 0,
    });
    expect(await readEarned(database, artist)).toBe(0);
  });

  test('name who was first to the second of two', async () => {
    const [id = ''] = await hold(2, HOUR_MS);
    const [group = expect.unreachable()] = (await listGroups()).results;
    expect((await decide(id, { action: 'approve' })).status).toBe(200);
    const late = await decide(id, { action: 'reject', reason: '連打' }, second);
    expect([late.status, await late.text()]).toEqual([
      409,
      expect.stringContaining('運営一 さんが先に承認しています。'),
    ]);
    // The rest of the group waits.
    expect(await (await decideGroup(group, { action: 'approve' }, second)).json()).toMatchObject({
      credits: 1,
    });
    api.clock.advance(1);
    const none = await decideGroup(group, { action: 'reject', reason: '連打' });
    expect([none.status, await none.text()]).toEqual([
      409,
      expect.stringContaining('さんが先に承認しています。'),
    ]);
    expect((await decide('nothing', { action: 'approve' })).status).toBe(404);
  });

  rule('are rejected, and taken back by a mirror posting once approved, with a reason only', async () => {
    const [id = '', other = ''] = await hold(2, HOUR_MS);
    const [group = expect.unreachable()] = (await listGroups()).results;
    expect((await decideGroup(group, { action: 'reject', reason: ' ' })).status).toBe(400);
    expect((await decide(other, { action: 'reject' })).status).toBe(400);
    expect((await listCredits('held')).results[0]).toMatchObject({ allowed: ['approve', 'reject'] });
    expect((await decide(other, { action: 'reject', reason: '連打' })).status).toBe(200);
    expect((await listCredits('rejected')).results).toMatchObject([
      { id: other, reason: '連打', allowed: [] },
    ]);
    await decide(id, { action: 'approve' });
    expect((await decide(id, { action: 'reverse' })).status).toBe(400);
    expect((await decide(id, { action: 'reverse', reason: '誤って承認しました。' })).status).toBe(200);
    expect(await verify()).toEqual([]);
    expect((await listCredits('reversed')).results).toMatchObject([{ id, allowed: [] }]);
    expect((await decide(id, { action: 'reverse', reason: 'もう一度' }, second)).status).toBe(409);
  });

  test('of a blocked artist, and of the caller, can only be rejected', async () => {
    await hold(1, HOUR_MS);
    await hold(1, HOUR_MS, { artistId: first });
    await updateRows(database, 'users', { is_blocked: 1 }, { id: artist });
    const groups = (await listGroups()).results;
    const ofArtist = groups.find(({ artist_id }) => artist_id === artist) ?? expect.unreachable();
    const own = groups.find(({ artist_id }) => artist_id === first) ?? expect.unreachable();
    expect([ofArtist.obstacle, own.obstacle]).toEqual([
      expect.stringContaining('利用停止中'),
      expect.stringContaining('自分の'),
    ]);
    expect((await decideGroup(ofArtist, { action: 'approve' })).status).toBe(409);
    expect((await decideGroup(own, { action: 'approve' })).status).toBe(403);
    expect((await listCredits('held')).results).toMatchObject([{ allowed: ['reject'] }]);
    expect((await decideGroup(ofArtist, { action: 'reject', reason: '連打' })).status).toBe(200);
  });
});
