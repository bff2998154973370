import { describe, expect, test } from 'vitest';
import { toDayStart } from '#contract/values/months.ts';
import { listHeldCredits } from '#server/features/downloads/review.ts';
import { requestPayout } from '#server/features/ledger/payout-requests.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { createTestApi } from '#support/http/api.ts';
import {
  bothDatabases,
  insertMany,
  listRows,
  openLocated,
  updateRows,
} from '#support/databases/databases.ts';
import { addSoundOf, createVisitor, readEarned } from '#support/sounds/downloads.ts';
import { addPayee, toAddress, toPayoutDeps } from '#support/members/payouts.ts';
import { makeFolder } from '#support/files/folders.ts';
import { runCommand } from '#support/processes/operator.ts';

/** 2024-10-04 in Japan. */
const DAY = 20_000;

describe.each(bothDatabases)('npm run operator -- credits on $name', ({ locate, rule }) => {
  async function makePlace() {
    const dataDir = await makeFolder();
    const place = await locate();
    const env = { DATA_DIR: dataDir, OPERATOR_AS: toAddress('staff'), ...place.env };
    const database = await openLocated(place);
    const staff = await addPayee(database, 'staff', { is_staff: true });
    const artist = await addPayee(database, '音の人');
    const soundId = await addSoundOf(database, artist);
    let made = 0;

    const run = (...args: string[]) => runCommand(env, 'credits', ...args);

    async function hold(count: number, { day = DAY, of = artist } = {}) {
      const nobody = { visitor: null, user_id: null, network: null, decided_at: null, decided_by: null };
      const held = { state: 'held', reason: 'velocity', is_counted: 1, yen: 3, sound_id: soundId } as const;
      const rows = Array.from({ length: count }, () => {
        const id = `held${(made += 1)}`;
        const created_at = toDayStart(day) + made;
        return { ...nobody, ...held, id, intent_id: id, artist_id: of, created_at };
      });
      await insertMany(database, 'download_credits', rows);
    }

    const countActions = async (action: string) =>
      (await listRows(database, 'operator_actions', { action }, ['id'])).length;
    const countHeldCredits = async () => (await listHeldCredits({ database })).length;
    return { database, staff, artist, soundId, run, hold, countActions, countHeldCredits };
  }

  rule('approves and rejects all held credits of an artist, or those of a day', async () => {
    const { database, artist, staff, run, hold, countActions, countHeldCredits } = await makePlace();
    await hold(401);
    await hold(2, { day: DAY + 1 });
    await hold(3, { of: staff });
    const ofDay = ['--artist', '音の人', '--day', '2024-10-05'];
    const rejected = await run('reject-all', ...ofDay, '--reason', '同じ人です');
    expect(rejected).toEqual({ code: 0, out: 'Rejected: 2 credits, 6 yen.', err: '' });
    expect(await run('approve', 'held1')).toEqual({ code: 0, out: 'state  credited', err: '' });
    expect((await run('approve', 'held1')).err).toContain('staff さんが先に承認');
    const approved = await run('approve-all', '--artist', '音の人');
    expect(approved).toEqual({ code: 0, out: 'Approved: 400 credits, 1200 yen.', err: '' });
    expect(await readEarned(database, artist)).toBe(1_203);
    expect([await countActions('approve credit'), await countActions('reject credit')]).toEqual([401, 2]);
    expect((await run('approve-all', '--artist', '音の人')).out).toBe('Approved: 0 credits, 0 yen.');
    expect(await countHeldCredits()).toBe(3);
    expect(await verifyLedger(database.db)).toEqual([]);
    expect((await run('list')).out).toMatch(/^ID .*\nheld404 .* staff +3 +velocity +音の?/);
  });

  test('approves no credits of a blocked artist, nor the staff member’s own', async () => {
    const { database, artist, staff, run, hold } = await makePlace();
    await hold(201);
    await hold(1, { of: staff });
    await updateRows(database, 'users', { is_blocked: 1 }, { id: artist });
    const skipped =
      'Approved: 0 credits, 0 yen.\nSkipped: 201 credits; アーティストが利用停止中のため、承認できません。';
    expect(await run('approve-all', '--artist', '音の人')).toEqual({ code: 1, out: skipped, err: '' });
    expect(await run('approve', 'held1')).toEqual({
      code: 1,
      out: '',
      err: 'operator: held1: アーティストが利用停止中のため、承認できません。',
    });
    expect(await run('approve-all', '--artist', 'staff')).toMatchObject({
      code: 1,
      out: 'Approved: 0 credits, 0 yen.\nSkipped: 1 credits; 自分のクレジットは承認できません。',
    });
    expect((await run('approve', 'held202')).err).toMatch(/自分のクレジット/);
    await run('reject-all', '--artist', '音の人', '--reason', '停止中');
    expect(await run('reject', 'held202', '--reason', '自作自演')).toMatchObject({ out: 'state  rejected' });
    expect((await run()).out).toBe('None.');
  });

  rule('lists credits by artist, day and state, and reverses one that is booked', async () => {
    const { database, artist, soundId, run, hold } = await makePlace();
    const api = createTestApi(database, { rewardYenPerDownload: 3_000 });
    for (let time = 0; time < 2; time += 1) await createVisitor(api).download(soundId);
    await hold(2);
    const ids = async (...args: string[]) =>
      (JSON.parse((await run('list', '--json', ...args)).out) as { id: string }[]).map(({ id }) => id);
    const booked = await ids('--artist', '音の人', '--state', 'credited');
    expect(booked).toHaveLength(2);
    expect(await ids('--state', 'credited', '--day', '2026-04-01')).toEqual(booked);
    expect(await ids('--state', 'credited', '--day', '2026-04-02')).toEqual([]);
    expect(await ids('--artist', '音の人')).toEqual(['held1', 'held2']);
    expect(await ids('--day', '2024-10-04')).toEqual(['held1', 'held2']);
    expect(await ids('--artist', 'staff')).toEqual([]);

    const [first = '', second = ''] = booked;
    expect((await run('reverse', first)).err).toMatch(/reverse needs --reason TEXT/);
    const reversed = await run('reverse', first, '--reason', '不正なアクセス');
    expect(reversed).toEqual({ code: 0, out: 'state  reversed', err: '' });
    expect((await run('list', '--state', 'reversed')).out).toMatch(
      new RegExp(`^ID .*\n${first} .*不正なアクセス`),
    );
    expect((await run('reverse', first, '--reason', 'x')).err).toMatch(/先に取り消し/);
    const wish = { email: toAddress('音の人') };
    const laterMs = api.clock.now() + 70 * 86_400_000;
    await requestPayout(toPayoutDeps(database, { now: () => laterMs }), artist, wish);
    expect(await run('reverse', second, '--reason', 'x')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/送金済み、または送金手続き中/),
    });
  });

  rule('reports options that it does not understand', async () => {
    const { run, hold } = await makePlace();
    await hold(1);
    for (const [args, reason] of [
      [['approve'], /needs ID/],
      [['approve', 'held1', '--artist', 'staff'], /does not accept --artist/],
      [['approve-all', '--day', '2024-10-04'], /needs --artist NAME/],
      [['reject-all', '--artist', 'staff'], /needs --reason/],
      [['list', '--artist', ' '], /--artist needs NAME/],
      [['list', '--day', '2024-02-30'], /--day must be a date/],
      [['list', '--page', 'two'], /^operator: --page: /],
      [['list', '--state', 'paid'], /--state: .*held、credited/],
      [['approve-all', '--artist', '音の人', '--day', '1'], /--day must be a date/],
    ] as const) {
      const { code, out, err } = await run(...args);
      expect([code, out], args.join(' ')).toEqual([2, '']);
      expect(err).toMatch(reason);
    }
    expect(await run('approve-all', '--artist', 'だれか')).toMatchObject({
      code: 1,
      err: 'operator: だれか: no member has this name',
    });
  });
});
