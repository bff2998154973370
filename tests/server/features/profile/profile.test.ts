import * as v from 'valibot';
import { beforeEach, describe, expect, test } from 'vitest';
import { DONATION_URL_PROBLEM, LOCKED_PROBLEM } from '#contract/accounts/profile-fields.ts';
import { toMonth } from '#contract/values/months.ts';
import { ProfileSchema } from '#contract/accounts/profile.ts';
import { recordReward } from '#server/features/ledger/postings.ts';
import { expectProblems, expectReply } from '#support/http/replies.ts';
import { useFreshApi } from '#support/http/use-api.ts';
import { addMember } from '#support/members/accounts.ts';
import { PAYOUT_DETAILS } from '#support/members/payouts.ts';
import { bothDatabases, insertRow } from '#support/databases/databases.ts';
import { patchProfile, readUser } from '#support/members/profiles.ts';
import { everyTable } from '#server/platform/database/schema.ts';

describe.each(bothDatabases)('a profile on $name', ({ open, rule }) => {
  const { database, api } = useFreshApi(open);
  let serial = 0;
  let userId: string;
  let email: string;

  beforeEach(async () => {
    serial += 1;
    email = `owner-${serial}@example.test`;
    userId = await addMember(database, `持ち主 ${serial}番`, email);
  });

  const patch = (change: object | string) => patchProfile(api, userId, change);
  const read = (query = '') => api.json(`/api/account/profile/${query}`, userId);
  const set = (values: object) =>
    everyTable(database.db).updateTable('users').set(values).where('id', '=', userId).execute();

  describe('read', () => {
    rule('tells only staff that the console exists', async () => {
      expect(await read()).not.toHaveProperty('is_staff');
      await set({ is_staff: 1 });
      expect(await read()).toMatchObject({ is_staff: true });
      await set({ is_blocked: 1 });
      expect(await read()).not.toHaveProperty('is_staff');
    });

    rule('shows the owner all of it, and other callers nothing', async () => {
      await set({ picture_key: 'face', background_key: 'sky', is_verified: 1, bank_name: '音銀行' });
      const response = await api.get('/api/account/profile/', userId);
      expect(response.headers.get('cache-control')).toBe('private, no-store');
      const profile = await response.json();
      expect(v.parse(ProfileSchema, profile)).toEqual(profile);
      const { months, first_month, ...rest } = profile;
      expect(months).toHaveLength(12);
      expect(first_month).toBe(toMonth(Date.now()));
      expect(rest).toEqual({
        id: userId,
        username: `持ち主 ${serial}番`,
        email,
        profile_picture: '/pictures/avatar/face/1.webp',
        profile_background: '/pictures/background/sky/1.webp',
        name: '',
        furigana: '',
        name_reading: '',
        bio: '',
        message_email: '',
        donation_url: '',
        bank_name: '音銀行',
        branch_name: '',
        deposit_type: '',
        account_number: '',
        phone_number: '',
        personal_info_status: '',
        is_personal_info_verified: false,
        is_verified: true,
        is_blocked: false,
        status: '',
        reward_balance: 0,
        total_download_balance: 0,
        month_reward_balance: '-',
        month_total_download_balance: '-',
        pending_reward: 0,
        pending_days: 30,
      });
      const refused = await api.get('/api/account/profile/');
      expect(refused.status).toBe(401);
      expect(refused.headers.get('cache-control')).toContain('no-store');
    });

    rule('returns the figures of the requested month', async () => {
      const reward = { artistId: userId, reference: 'a test', atMs: Date.UTC(2026, 1, 10) };
      await recordReward(database.db, { ...reward, downloads: 4, yen: 120, idempotencyKey: `m-${serial}` });
      expect(await read('?month=2&year=2026')).toMatchObject({
        reward_balance: 120,
        total_download_balance: 4,
        month_reward_balance: 120,
        month_total_download_balance: 4,
      });
      expect(await read('?month=1&year=2026')).toMatchObject({
        month_reward_balance: 0,
        month_total_download_balance: 0,
      });
      const { months, first_month } = await read();
      expect(first_month).toBe('2026-02');
      expect(months[2]).toEqual({ month: '2026-02', reward: 120, downloads: 4 });
    });

    rule.each<[query: string, wrong: Record<string, string>]>([
      ['?month=2', { year: '月を指定するときは、年も指定してください。' }],
      ['?year=2026', { month: '年を指定するときは、月も指定してください。' }],
      ['?month=13&year=2026', { month: '月は1から12までの整数で指定してください。' }],
      ['?month=0&year=2026', { month: '月は1から12までの整数で指定してください。' }],
      ['?month=-1&year=2026', { month: '月は1から12までの整数で指定してください。' }],
      ['?month=2.5&year=2026', { month: '月は1から12までの整数で指定してください。' }],
      ['?month=&year=2026', { month: '月は1から12までの整数で指定してください。' }],
      ['?month=2&year=20260', { year: '年は2000から2100までの整数で指定してください。' }],
    ])('refuses %s, naming the other or what is wrong', async (query, wrong) => {
      await expectReply(api.get(`/api/account/profile/${query}`, userId), 400, wrong);
    });

    rule('reports when an ID was sent and why it was not approved', async () => {
      const submission = { id: `s-${serial}`, user_id: userId, object_key: null, decided_by: null };
      const times = { submitted_at: Date.UTC(2026, 1, 3), decided_at: Date.UTC(2026, 1, 4) };
      await insertRow(database, 'personal_info_submissions', {
        ...submission,
        ...times,
        state: 'rejected',
        reason: '写真が不鮮明です。',
      });
      expect(await read()).toMatchObject({
        personal_info_submitted_at: '2026-02-03T00:00:00.000Z',
        personal_info_reason: '写真が不鮮明です。',
      });
    });
  });

  describe('changed', () => {
    rule.each<[field: string, sent: string, kept: string]>([
      ['bio', ' 一行目\r\n二行目\u0000 ', '一行目\n二行目'],
      ['name', '山田　花子', '山田　花子'],
      ['furigana', 'やまだ　はなこ', 'やまだ　はなこ'],
      ['bank_name', '音銀行', '音銀行'],
      ['branch_name', '本店', '本店'],
      ['deposit_type', '普通', '普通'],
      ['account_number', '１２３４５６７', '1234567'],
      ['phone_number', '０９０ー１２３４ー５６７８', '090-1234-5678'],
      ['donation_url', 'ofuse.me/nagi', 'https://ofuse.me/nagi'],
    ])('keeps %s, and nothing else changes', async (field, sent, kept) => {
      const { payout_held_until: _, ...before } = await readUser(database, userId);
      const response = await patch({ [field]: sent });
      expect(response.status).toBe(200);
      expect(await response.json()).toMatchObject({ [field]: kept });
      expect(await readUser(database, userId)).toMatchObject({ ...before, [field]: kept });
      expect((await patch({ [field]: '' })).status).toBe(200);
      expect(await readUser(database, userId)).toMatchObject({ ...before, [field]: '' });
    });

    rule('changes several fields together or none of them', async () => {
      const before = await readUser(database, userId);
      await expectProblems(patch({ bio: '新しい', account_number: '12' }), 400, ['account_number']);
      expect(await readUser(database, userId)).toEqual(before);
      expect((await patch({ bio: '新しい', account_number: '1234' })).status).toBe(200);
      expect(await readUser(database, userId)).toMatchObject({ bio: '新しい', account_number: '1234' });
    });

    rule.each<[what: string, body: object | string, field: string]>([
      ['nothing', {}, 'detail'],
      ['a list', '["bio"]', 'detail'],
      ['no JSON', '{bio', 'detail'],
      ['a bio that is a number', { bio: 5 }, 'bio'],
      ['a bio that is null', { bio: null }, 'bio'],
      ['a bio too long', { bio: 'あ'.repeat(2_001) }, 'bio'],
      ['furigana in kanji', { furigana: '山田' }, 'furigana'],
      ['a reading in kanji', { name_reading: '凪' }, 'name_reading'],
      ['an unknown deposit type', { deposit_type: '定期' }, 'deposit_type'],
      ['letters for an account number', { account_number: '12a4' }, 'account_number'],
      ['a short phone number', { phone_number: '123' }, 'phone_number'],
      ['half an address', { message_email: 'fan@example' }, 'message_email'],
      ['an empty username', { username: '' }, 'username'],
      ['a username of the site', { username: '運営' }, 'username'],
      ['an empty address', { email: '' }, 'email'],
      ['an address of two lines', { email: 'a@b.example\r\nBcc: x@evil.example' }, 'email'],
    ])('refuses %s, naming it', async (_what, body, field) => {
      const before = await readUser(database, userId);
      const response = await patch(body);
      expect(response.status).toBe(400);
      const problems = (await response.json()) as Record<string, string>;
      expect(Object.keys(problems)).toEqual([field]);
      expect(problems[field]).toMatch(/[ぁ-ん]/);
      expect(await readUser(database, userId)).toEqual(before);
    });

    rule.each([
      'javascript:alert(1)//ofuse.me/x',
      'data:text/html,ofuse.me/x',
      'vbscript:ofuse.me/x',
      '//evil.test/ofuse.me',
      '/\\evil.test/x',
      'https://evil.test/ofuse.me/x',
      'https://user@ofuse.me/x',
      'https://ofuse.me@evil.test/x',
      'https://ofuse.me.evil.test/x',
      'https://evil-ofuse.me/x',
      'https://xn--ofus-epa.me/x',
      'https://ofuѕe.me/x',
      'https://ofuse.me:8443/x',
      'http://127.0.0.1/x',
      'https://[::1]/x',
      'https://ofuse.me',
      'https://ofuse.me/',
      'https://ofuse.me/x\u0000y',
      'https://ofuse.me/x y',
      'ftp://ofuse.me/x',
      'file:///ofuse.me/x',
      'javascript&colon;alert(1)',
    ])('W2: refuses %s as a donation link', async (url) => {
      await expectReply(patch({ donation_url: url }), 400, { donation_url: DONATION_URL_PROBLEM });
      expect((await readUser(database, userId)).donation_url).toBe('');
    });

    test('locks bank details once personal info is verified', async () => {
      await set({ ...PAYOUT_DETAILS, is_personal_info_verified: 1, personal_info_status: 'confirmed' });
      for (const field of ['bank_name', 'branch_name', 'deposit_type', 'account_number']) {
        const value = { deposit_type: '当座', account_number: '7654321' }[field as string] ?? '別の銀行';
        await expectReply(patch({ [field]: value, bio: '新しい' }), 400, { [field]: LOCKED_PROBLEM });
      }
      expect(await readUser(database, userId)).toMatchObject({ ...PAYOUT_DETAILS, bio: '' });
      expect((await patch({ phone_number: '0312345678', name: '山田' })).status).toBe(200);
    });

    test('locks the fields compared with an ID during its review', async () => {
      await set({ ...PAYOUT_DETAILS, personal_info_status: 'pending' });
      for (const change of [{ name: '別人' }, { furigana: 'べつじん' }, { bank_name: '別の銀行' }]) {
        const response = await patch(change);
        const reason = '本人確認の審査中は変更できません。';
        await expectReply(response, 400, { [Object.keys(change)[0]!]: reason });
      }
      expect((await patch({ bio: '新しい' })).status).toBe(200);
      await set({ personal_info_status: 'rejected' });
      expect((await patch({ name: '別人' })).status).toBe(200);
    });

    rule.each([
      { personal_info_status: 'pending' },
      { personal_info_status: 'confirmed', is_personal_info_verified: 1 },
    ] as const)('takes what is empty, and empties nothing that a payout needs, at %o', async (standing) => {
      await set(standing);
      for (const [field, value] of Object.entries(PAYOUT_DETAILS)) {
        expect((await patch({ [field]: value })).status, field).toBe(200);
      }
      for (const field of Object.keys(PAYOUT_DETAILS)) {
        await expectProblems(patch({ [field]: '' }), 400, [field]);
      }
      expect(await readUser(database, userId)).toMatchObject(PAYOUT_DETAILS);
    });

    test('refuses bank details that are sent concurrently with their verification', async () => {
      for (let round = 0; round < 10; round += 1) {
        await set({ is_personal_info_verified: 0, bank_name: '音銀行' });
        const verified = database.db.transaction().execute(async (transaction) => {
          const row = await everyTable(transaction)
            .updateTable('users')
            .set({ is_personal_info_verified: 1 })
            .where('id', '=', userId)
            .returning('bank_name')
            .executeTakeFirstOrThrow();
          return row.bank_name;
        });
        const [seen] = await Promise.all([verified, patch({ bank_name: `別の銀行${round}` })]);
        expect((await readUser(database, userId)).bank_name).toBe(seen);
      }
    });

    test('drops cached pages only when something public has changed', async () => {
      const silent = [{ name: '山田' }, { bank_name: '音銀行' }, { phone_number: '0312345678' }, { bio: '' }];
      for (const change of silent) await patch(change);
      await patch({ email: `other-${serial}@example.test` });
      expect(api.countChanges()).toBe(0);
      const shown = [
        { bio: '音を作ります。' },
        { donation_url: 'ofuse.me/nagi' },
        { message_email: 'fan@example.test' },
        { username: `新しい名前 ${serial}番` },
      ];
      for (const [index, change] of shown.entries()) {
        await patch(change);
        expect(api.countChanges(), JSON.stringify(change)).toBe(index + 1);
      }
      await patch({ bio: '音を作ります。' });
      expect(api.countChanges()).toBe(shown.length);
    });
  });
});
