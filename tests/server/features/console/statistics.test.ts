import { describe, expect, test } from 'vitest';
import { toDay, toDayStart } from '#contract/values/months.ts';
import type { Statistics } from '#contract/operator/statistics.ts';
import { createStatisticsReader } from '#server/features/console/statistics.ts';
import { deleteOldCounts } from '#server/features/downloads/counts.ts';
import { bothDatabases, insertRow, updateRows } from '#support/databases/databases.ts';
import { useApi } from '#support/http/use-api.ts';
import { addPayee, earn } from '#support/members/payouts.ts';
import { addArtist } from '#support/sounds/downloads.ts';
import { readPlans } from './query-plans.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const DAY_MS = 86_400_000;
/** The tests' clock stands at 1 April 2026, 9:00 in Japan, a Wednesday. */
const MONDAY_MS = Date.UTC(2026, 2, 29, 15);

describe.each(bothDatabases)('statistics in the console on $name', ({ open, rule }) => {
  const { database, api, useStaff } = useApi(open);
  const staff = useStaff();
  const read = () => api.json('/api/operator/statistics/', staff) as Promise<Statistics>;
  const count = (day: number, counted: number, credits: number) =>
    insertRow(database, 'download_counts', { subject: 'site', day, downloads: 0, counted, credits });

  test('sum up weeks from Monday and months in Japan', async () => {
    const now = api.clock.now();
    const today = toDay(now);
    await count(today, 5, 4);
    await count(today - 2, 3, 3);
    await count(today - 3, 7, 0);
    await count(today - 500, 100, 100);
    const member = await addPayee(database, '受取人');
    await earn(database, member, 120, now);
    const { soundId } = await addArtist(database);
    await updateRows(
      database,
      'sounds',
      { created_at: now - 40 * DAY_MS, audio_size: 1_000, download_count: 15 },
      { id: soundId },
    );
    const { weeks, months, top } = await read();
    expect([weeks.length, months.length]).toEqual([12, 12]);
    expect(weeks.at(-1)).toMatchObject({ starts_at: MONDAY_MS, downloads: 8, credits: 7, yen: 120 });
    expect(weeks.at(-2)).toMatchObject({
      starts_at: MONDAY_MS - 7 * DAY_MS,
      downloads: 7,
      credits: 0,
      yen: 0,
    });
    expect(months.at(-1)).toMatchObject({ starts_at: Date.UTC(2026, 2, 31, 15), downloads: 5 });
    expect(months.at(-2)).toMatchObject({ starts_at: Date.UTC(2026, 1, 28, 15), downloads: 10 });
    expect(months[0]?.starts_at).toBe(Date.UTC(2025, 3, 30, 15));
    expect(months.reduce((sum, { downloads }) => sum + downloads, 0)).toBe(15);
    const month = months.find(({ sounds }) => sounds > 0);
    expect(month).toMatchObject({ starts_at: Date.UTC(2026, 0, 31, 15), sounds: 1, sound_bytes: 1_000 });
    expect(weeks.at(-1)?.members).toBeGreaterThanOrEqual(2);
    expect(top).toMatchObject([{ id: soundId, downloads: 15 }]);
  });

  test('count mails while they are stored, and what the staff refused', async () => {
    const now = api.clock.now();
    const mail = { to_address: 'a@example.test', subject: '', text: '', html: '', next_attempt_at: 0 };
    const mails = [
      ['sent', 0],
      ['sent', 0],
      ['given-up', 0],
      ['sent', 8],
      ['sent', 29],
      ['sent', 31],
    ] as const;
    const rows = mails.map(([state, daysAgo], index) => ({
      ...mail,
      id: `m${index}`,
      state,
      created_at: 0,
      finished_at: now - daysAgo * DAY_MS,
    }));
    await everyTable(database.db).insertInto('mail_outbox').values(rows).execute();
    await insertRow(database, 'mail_outbox', {
      ...mail,
      id: 'waiting',
      state: 'waiting',
      created_at: now,
      finished_at: null,
    });
    const actions = ['reject quality check', 'hide sound', 'delete sound', 'view personal info'];
    for (const [index, action] of actions.entries()) {
      const row = { id: `a${index}`, staff_id: staff, subject: '', at: now - DAY_MS, action };
      await everyTable(database.db).insertInto('operator_actions').values(row).execute();
    }
    const { weeks, months } = await read();
    expect(weeks.at(-1)).toMatchObject({
      mails_sent: 2,
      mails_failed: 1,
      refused_checks: 1,
      refused_ids: 0,
      removed_sounds: 2,
    });
    expect(weeks.map(({ mails_sent }) => mails_sent).slice(-6)).toEqual([null, null, 0, 0, 1, 2]);
    expect(months.map(({ mails_failed }) => mails_failed).slice(-3)).toEqual([null, null, 1]);
    expect(months.at(-2)).toMatchObject({ refused_checks: 1, removed_sounds: 2 });
  });

  rule('read mails and refusals from an index alone', async () => {
    const plans = await readPlans(database, 'mail_outbox', (watched) =>
      createStatisticsReader({ database: watched, clock: api.clock }, 30)(),
    );
    const covered = plans.join('\n').match(/COVERING INDEX (\w+)/g);
    expect(covered).toContain('COVERING INDEX mail_outbox_result');
    expect(covered).toContain('COVERING INDEX operator_actions_action');
  });

  test('are read once in ten minutes', async () => {
    const before = await read();
    await count(toDay(api.clock.now()) + 1, 1, 1);
    expect(await read()).toEqual(before);
  });

  test('have the counts of the site for more than a year, and no others', async () => {
    const now = api.clock.now();
    const today = toDay(now);
    for (const [subject, day] of [
      ['site', today - 399],
      ['site', today - 401],
      ['host:x', today - 1],
      ['artist:x', today - 89],
      ['artist:x', today - 91],
    ] as const)
      await insertRow(database, 'download_counts', { subject, day, downloads: 1, counted: 1, credits: 1 });
    await deleteOldCounts(database.db, now);
    const left = await everyTable(database.db)
      .selectFrom('download_counts')
      .select(['subject', 'day'])
      .orderBy('day')
      .execute();
    expect(left).toEqual([
      { subject: 'site', day: today - 399 },
      { subject: 'artist:x', day: today - 89 },
    ]);
    expect(toDayStart(today)).toBeLessThanOrEqual(now);
  });
});
