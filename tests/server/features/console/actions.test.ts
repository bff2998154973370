import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { toDay } from '#contract/values/months.ts';
import { type StaffAction, ACTIONS_PAGE_SIZE, ACTIONS_READ_MAX } from '#contract/operator/actions.ts';
import { bothDatabases, insertRow } from '#support/databases/databases.ts';
import { createTestApi } from '#support/http/api.ts';
import { useApi } from '#support/http/use-api.ts';
import { reportSound } from '#support/members/reports.ts';
import { addSoundOf } from '#support/sounds/downloads.ts';
import { readPlans } from './query-plans.ts';

const DAY_MS = 86_400_000;

interface Reply {
  readonly results: StaffAction[];
  readonly next: string | null;
  readonly unread_at: number | null;
}

describe.each(bothDatabases)('the record in the console on $name', ({ open, rule }) => {
  const { database, api, useMember, useStaff } = useApi(open);
  const first = useStaff({ username: '担当一' });
  const second = useStaff({ username: '担当二' });
  const artist = useMember({ username: '音の人' });

  const list = async (query: Record<string, string> = {}) =>
    (
      (await api.json(`/api/operator/actions/?${new URLSearchParams(query)}`, first)) as {
        results: StaffAction[];
      }
    ).results;
  const listNames = async (query: Record<string, string>) => (await list(query)).map(({ action }) => action);
  /** Each an hour later than the one before. */
  async function record(...actions: readonly (readonly [string, string, string?, (string | null)?])[]) {
    for (const [action, subject, note = '', staff_id = first] of actions) {
      api.clock.advance(3_600_000);
      await insertRow(database, 'operator_actions', {
        id: `action${api.clock.now()}`,
        staff_id,
        action,
        subject,
        note,
        at: api.clock.now(),
      });
    }
  }

  test('names what each action was done with', async () => {
    const sound = await addSoundOf(database, artist, { title: '朝の音' });
    const report = await reportSound(api, sound);
    const decided = { user_id: artist, decided_at: 2 };
    await insertRow(database, 'quality_checks', {
      ...decided,
      id: 'check',
      state: 'approved',
      submitted_at: 1,
    });
    await insertRow(database, 'transfer_requests', {
      ...decided,
      id: 'transfer',
      state: 'refused',
      amount: 1,
      email: 'x',
      created_at: 1,
    });
    await insertRow(database, 'download_credits', {
      id: 'credit',
      intent_id: 'intent',
      sound_id: sound,
      artist_id: artist,
      state: 'rejected',
      reason: '',
      is_counted: 1,
      yen: 1,
      created_at: 1,
    });
    await record(
      ['hide sound', sound],
      ['block member', artist],
      ['hide report', report],
      ['approve quality check', 'check'],
      ['refuse transfer', 'transfer'],
      ['reject credit', 'credit'],
      ['delete sound', 'gone'],
      ['save page', 'faq'],
    );
    const member = { kind: 'member', id: artist, name: '音の人' };
    expect((await list()).map(({ about }) => about).toReversed()).toEqual([
      { kind: 'sound', id: sound, name: '朝の音' },
      member,
      { kind: 'report', id: report, name: '朝の音' },
      member,
      member,
      member,
      null,
      null,
    ]);
  });

  test('is filtered by kind, staff member, days and Japanese words', async () => {
    await record(['hide sound', 'a'], ['report lapsed', 'b', '', null], ['hide report', 'c', '', second]);
    api.clock.advance(2 * DAY_MS);
    await record(['save page', 'faq', '', second]);
    expect(await listNames({ kind: 'reports' })).toEqual(['hide report', 'report lapsed']);
    expect(await listNames({ kind: 'sounds' })).toEqual(['hide sound']);
    expect(await listNames({ staff: '担当二' })).toEqual(['save page', 'hide report']);
    expect(await listNames({ staff: '担当' })).toEqual([]);
    expect(await listNames({ search: 'サウンド：非公開' })).toEqual(['hide sound']);
    expect(await listNames({ search: '担当二', kind: 'site' })).toEqual(['save page']);
    const today = toDay(api.clock.now());
    expect(await listNames({ from: String(today) })).toEqual(['save page']);
    expect(await listNames({ to: String(today - 1) })).toHaveLength(3);
    expect(await listNames({ from: String(today - 1), to: String(today - 1) })).toEqual([]);
    for (const query of ['kind=other', 'from=x', 'to=-1', 'cursor=0', `staff=${'a'.repeat(101)}`])
      expect((await api.get(`/api/operator/actions/?${query}`, first)).status).toBe(400);
  });

  test('is searched part by part, however long it is', async () => {
    const count = 200_000;
    // Two at each moment. One in 20,000 has the note.
    await sql`
      insert into operator_actions (id, staff_id, action, subject, at, note)
      with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
      select 'n' || n, ${first}, 'hide sound', 'sound', n / 2,
        case when n % 20000 = 0 then '雑音' else '' end from numbers`.execute(database.db);
    const reply = async (query: object, through = api) =>
      (await through.json(`/api/operator/actions/?${new URLSearchParams({ ...query })}`, first)) as Reply;

    const newest = await reply({});
    expect(newest.results).toHaveLength(ACTIONS_PAGE_SIZE);
    expect(newest.unread_at).toBeNull();
    const second = await reply({ cursor: newest.next });
    expect(new Set([...newest.results, ...second.results].map(({ id }) => id)).size).toBe(
      2 * ACTIONS_PAGE_SIZE,
    );

    const found: number[] = [];
    let cursor: string | null = null;
    let parts = 0;
    do {
      const startedMs = performance.now();
      const part: Reply = await reply({ search: '雑音', ...(cursor !== null && { cursor }) });
      expect(performance.now() - startedMs).toBeLessThan(1_000);
      parts += 1;
      found.push(...part.results.map(({ at }) => at));
      const unread = count - parts * ACTIONS_READ_MAX;
      expect(part.unread_at).toBe(unread === 0 ? null : unread / 2);
      cursor = part.next;
    } while (cursor !== null);
    expect(parts).toBe(count / ACTIONS_READ_MAX);
    expect(found).toEqual(Array.from({ length: 10 }, (_, ago) => 100_000 - ago * 10_000));
    const plans = await readPlans(database, 'operator_actions', (watched) =>
      reply({ kind: 'members' }, createTestApi(watched)),
    );
    // The bound is a condition on an index, so older rows are not read.
    expect(plans.at(-1)).toMatch(/INDEX operator_actions_\w+ \(.*at>\?|Index Cond: .*at >= '95000'/);
  });

  rule('is exported as CSV that a spreadsheet does not run', async () => {
    await record(['suspend member', artist, '=HYPERLINK("http://x")'], ['save page', 'faq', '', null]);
    const reply = await api.json('/api/operator/actions/csv/?kind=members', first);
    expect(reply).toEqual({ csv: expect.any(String), has_more: false });
    const [head, ...rows] = (reply as { csv: string }).csv.trimEnd().split('\r\n');
    expect(head).toBe('\uFEFF日時,担当,操作,対象,対象のID,メモ,記録上の操作');
    expect(rows).toEqual([
      expect.stringMatching(
        /^\d{4}年\d+月\d+日 \d+:\d\d:\d\d,担当一,メンバー：停止,音の人,\w+,"'=HYPERLINK\(""http:\/\/x""\)",suspend member$/,
      ),
    ]);
  });
});
