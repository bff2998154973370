import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ProfileField } from '#contract/accounts/profile-fields.ts';
import { verifyPersonalInfo } from '#contract/accounts/profile.ts';
import { createRateLimits } from '#server/platform/limits/counting.ts';
import { payPayout } from '#server/features/ledger/payout-decisions.ts';
import { deleteAllExpired } from '#server/features/accounts/expiry.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { expectReply } from '#support/http/replies.ts';
import { useFreshApi } from '#support/http/use-api.ts';
import {
  PASSWORD,
  createCountingPasswords,
  isAccepted,
  logInWith,
  readLink,
  readMails,
  readTokens,
  refreshWith,
  resetWith,
  toTestHash,
  tryToLogIn,
} from '#support/members/accounts.ts';
import type { Tokens } from '#support/members/accounts.ts';
import { createTestApi } from '#support/http/api.ts';
import { deleteRows, getRow, listRows, ruleDatabases, updateRows } from '#support/databases/databases.ts';
import { addPayee, earn, findOpenPayoutId, toAddress } from '#support/members/payouts.ts';
import { FORM_TYPE, toFormBytes } from '#support/http/forms.ts';
import { makeTellingJpeg } from '#support/files/pictures.ts';
import { changeUser, patchProfile, readUser } from '#support/members/profiles.ts';
import { untilWaiting } from '#support/processes/started-in-turn.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Every field of a profile but the text about the artist and how the name is read. */
const GUARDED: Record<Exclude<ProfileField, 'bio' | 'name_reading'>, string> = {
  username: '盗人',
  name: '盗人',
  furigana: 'ぬすびと',
  email: 'thief@example.test',
  phone_number: '090-0000-0000',
  bank_name: '盗人銀行',
  branch_name: '盗人支店',
  deposit_type: '当座',
  account_number: '1111111',
  message_email: 'thief@example.test',
  donation_url: 'https://ofuse.me/thief',
};
const RECENT = { detail: expect.any(String) as string, code: 'recent_login_required' };
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

describe.each(ruleDatabases)('an account whose session was stolen, on $name', ({ name, open }) => {
  const { database, api } = useFreshApi(open);
  let serial = 0;
  let userId: string;
  let email: string;
  let session: Tokens;

  beforeEach(async () => {
    serial += 1;
    const username = `owner-${serial}`;
    email = toAddress(username);
    // Approved, so that the name can change and the bank details are locked.
    userId = await addPayee(database, username, { password_hash: toTestHash(PASSWORD) });
    session = await logInWith(api, email);
  });

  const bearer = () => ({ authorization: `Bearer ${session.access}`, 'user-agent': IPHONE });
  const patch = (change: object) => patchProfile(api, userId, change, bearer());
  const post = (path: string, body: unknown) => api.post(path, body, bearer());
  const undo = (token: string | null) => api.post('/api/account/undo/', { token });
  const mails = (to = email) => readMails(database, to);
  const user = () => readUser(database, userId);
  const isUnverified = () =>
    changeUser(database, userId, { is_personal_info_verified: 0, personal_info_status: '' });

  /** Advances the clock. The refresh token renews the session, without the password. */
  async function pass(ms: number): Promise<void> {
    api.clock.advance(ms);
    session = await readTokens(await refreshWith(api, session.refresh));
  }
  /** The token of the newest undo link mailed to an address. */
  async function readUndoToken(to = email): Promise<string> {
    const texts = (await mails(to)).map(({ text }) => text);
    const text = texts.findLast((each) => each.includes('/undo?')) ?? '';
    return /\/undo\?token=([\w-]{43})$/m.exec(text)?.[1] ?? `none in ${texts.join('\n')}`;
  }
  async function sendId(): Promise<Response> {
    const file = { filename: 'id.jpg', type: 'image/jpeg', content: await makeTellingJpeg() };
    const body = toFormBytes([{ name: 'personal_id_image', ...file }]) as BodyInit;
    const headers = { ...bearer(), 'content-type': FORM_TYPE };
    return api.app.request(verifyPersonalInfo.path, { method: 'POST', headers, body });
  }

  /** Waits until this many transactions wait for a lock. SQLite does not report them, so a short delay has to do. */
  async function waitForWriters(count: number): Promise<void> {
    if (name === 'sqlite') await wait(100);
    else await untilWaiting(database.db, count, 4_000);
  }

  describe('after 15 minutes', () => {
    test.each(Object.entries(GUARDED))('cannot change %s without the password', async (field, value) => {
      const change = { [field]: value };
      await isUnverified();
      await pass(15 * MINUTE_MS + 1);
      const before = await user();
      await expectReply(patch(change), 403, RECENT);
      expect(await user()).toEqual(before);
      expect(await mails()).toEqual([]);
    });

    test('cannot request a payout or send an ID either', async () => {
      await earn(database, userId, 6_000);
      await pass(15 * MINUTE_MS + 1);
      await expectReply(post('/api/finance/transfer-request/', { email }), 403, RECENT);
      await isUnverified();
      await expectReply(sendId(), 403, RECENT);
      expect(await mails()).toEqual([]);
    });

    test('changes public texts and repeats present values without the password', async () => {
      await pass(HOUR_MS);
      const { name, bank_name } = await user();
      expect((await patch({ bio: '音を作ります。' })).status).toBe(200);
      expect((await patch({ username: `owner-${serial}` })).status).toBe(200);
      expect((await patch({ name, email })).status).toBe(200);
      await isUnverified();
      expect((await patch({ bank_name })).status).toBe(200);
    });

    test('changes everything once the password is entered, in this session only', async () => {
      const other = await logInWith(api, email);
      await pass(HOUR_MS);
      const wrong = await post('/api/account/reauthenticate/', { password: 'wrong horse' });
      await expectReply(wrong, 400, { password: 'パスワードが違います。' });
      expect((await patch({ name: '新しい氏名' })).status).toBe(403);
      expect((await post('/api/account/reauthenticate/', { password: PASSWORD })).status).toBe(200);
      expect((await patch({ name: '新しい氏名' })).status).toBe(200);
      const { access } = await readTokens(await refreshWith(api, other.refresh));
      const headers = { authorization: `Bearer ${access}` };
      expect((await patchProfile(api, userId, { name: '別の氏名' }, headers)).status).toBe(403);
      await pass(15 * MINUTE_MS + 1);
      expect((await patch({ name: '別の氏名' })).status).toBe(403);
    });

    test.each([
      ['email', 'pending_email'],
      ['message_email', 'pending_message_email'],
    ] as const)('cannot take back a waiting %s without the password', async (field, pending) => {
      const waiting = `wanted-${serial}@example.test`;
      const present = (await user())[field];
      await patch({ [field]: waiting });
      await pass(15 * MINUTE_MS + 1);
      await expectReply(patch({ [field]: present }), 403, RECENT);
      // Another field does not affect it, and the present address is not a change.
      expect(await (await patch({ bio: '音' })).json()).toMatchObject({ [pending]: waiting });
      expect(await (await patch({ [field]: waiting })).json()).toMatchObject({ [pending]: waiting });
      const told = (await mails()).length;
      await post('/api/account/reauthenticate/', { password: PASSWORD });
      expect(await (await patch({ [field]: present })).json()).not.toHaveProperty(pending);
      expect(await mails()).toHaveLength(told);
    });

    test('allows a stolen token ten guesses, and a visitor none', async () => {
      const passwords = createCountingPasswords();
      const limited = createTestApi(database, { passwords, rateLimits: createRateLimits(database) });
      const guess = (password: string) =>
        limited.post('/api/account/reauthenticate/', { password }, bearer()).then(({ status }) => status);
      const statuses = await Promise.all(Array.from({ length: 12 }, (_, index) => guess(`guess ${index}`)));
      expect(statuses.filter((status) => status === 400)).toHaveLength(10);
      expect(await guess(PASSWORD)).toBe(429);
      const path = '/api/account/reauthenticate/';
      expect((await limited.post(path, { password: PASSWORD })).status).toBe(401);
    });
  });

  describe('a change of payment details', () => {
    test('holds payouts for 72 hours, and reports until when', async () => {
      await earn(database, userId, 6_000);
      const changed = await patch({ name: '別の氏名' });
      const until = new Date(api.clock.now() + 72 * HOUR_MS).toISOString();
      expect(await changed.json()).toMatchObject({ payout_held_until: until });
      await expectReply(post('/api/finance/transfer-request/', { email }), 403, {
        detail: expect.stringContaining('2026年4月4日 9:00（日本時間）以降') as string,
      });
      await pass(72 * HOUR_MS);
      expect(await api.json('/api/account/profile/', userId)).not.toHaveProperty('payout_held_until');
      await post('/api/account/reauthenticate/', { password: PASSWORD });
      expect((await post('/api/finance/transfer-request/', { email })).status).toBe(200);
    });

    test('M8: holds payouts after the first entry as well, and calls it no change', async () => {
      await earn(database, userId, 6_000);
      const empty = { bank_name: '', branch_name: '', deposit_type: '', account_number: '' } as const;
      await changeUser(database, userId, empty);
      await patch({ bank_name: '最初の銀行' });
      await expectReply(post('/api/finance/transfer-request/', { email }), 403, {
        detail: expect.stringMatching(/^氏名または振込先の登録か変更から72時間は/) as string,
      });
      const [mail] = await mails();
      expect(mail?.text).toContain('次の項目が登録または変更されました：金融機関名');
    });

    test('holds an earlier payout request', async () => {
      const staff = await addPayee(database, `staff-${serial}`, { is_staff: true });
      await earn(database, userId, 6_000);
      expect((await post('/api/finance/transfer-request/', { email })).status).toBe(200);
      const id = await findOpenPayoutId(database, userId);
      await patch({ name: '別の氏名' });
      await expect(payPayout(api.deps, id, staff)).rejects.toMatchObject({ status: 423 });
      api.clock.advance(72 * HOUR_MS);
      await payPayout(api.deps, id, staff);
    });

    test('is reported in one mail: the masked change, its time and the kind of device', async () => {
      await isUnverified();
      await patch({ bank_name: '別の銀行', account_number: '1234567', bio: '音' });
      const [mail, ...others] = await mails();
      expect(others).toEqual([]);
      expect(mail?.text).toContain('金融機関名、口座番号（****567）');
      expect(mail?.text).not.toContain('1234567');
      expect(mail?.text).toContain('2026年4月1日 9:00（日本時間）');
      expect(mail?.text).toContain('iPhone の Safari');
    });
  });

  describe('the undo link', () => {
    test('changes nothing when it is read, and restores everything when it is used, once', async () => {
      await patch({ name: '盗人' });
      const token = await readUndoToken();
      const described = await api.post('/api/account/undo/describe/', { token });
      expect(await described.json()).toEqual({
        changes: ['氏名'],
        changed_at: new Date(api.clock.now()).toISOString(),
        can_keep_password: false,
        sounds: [],
        changed_count: 0,
        changed_sounds: [],
        widened_downloads: 0,
      });
      expect((await user()).name).toBe('盗人');

      expect((await undo(token)).status).toBe(200);
      expect(await user()).toMatchObject({ name: '見本 太郎', password_hash: null });
      expect(await isAccepted(api, session.access)).toBe(false);
      expect((await tryToLogIn(api, email)).status).toBe(400);
      expect((await resetWith(api, readLink((await mails()).at(-1)))).status).toBe(200);
      expect((await tryToLogIn(api, email, 'a new password')).status).toBe(200);
      expect((await undo(token)).status).toBe(400);
    });

    test('S18: gives the username back, also after more renames than a day allows', async () => {
      const before = await user();
      let token = '';
      for (let index = 0; index < 21; index += 1) {
        expect((await patch({ username: `盗人 ${serial} ${index}番` })).status).toBe(200);
        if (index === 0) token = await readUndoToken();
        api.clock.advance(1_000);
      }
      const credentials = { email: `x-${serial}@example.test`, password: 'a long password' };
      const body = { username: before.username, ...credentials };
      expect((await api.post('/api/account/register/', body)).status).toBe(400);
      expect((await mails())[0]?.text).toContain(`ユーザー名（盗人 ${serial} 0番）`);
      const described = await api.post('/api/account/undo/describe/', { token });
      expect(await described.json()).toMatchObject({ changes: ['ユーザー名'] });
      expect((await undo(token)).status).toBe(200);
      const { username, username_key, username_skeleton } = before;
      expect(await user()).toMatchObject({ username, username_key, username_skeleton, password_hash: null });
    });

    test('S18: restores everything else if another member has the username by now', async () => {
      const { username, name } = await user();
      await patch({ username: `盗人 ${serial}番`, name: '盗人' });
      await deleteRows(database, 'former_usernames', { user_id: userId });
      await createUser(database, { username, email: `y-${serial}@example.test` });
      expect((await undo(await readUndoToken())).status).toBe(200);
      expect(await user()).toMatchObject({ username: `盗人 ${serial}番`, name, password_hash: null });
      const last = (await mails()).find(({ subject }) => subject.includes('取り消しました'));
      expect([last?.text.includes('氏名'), last?.text.includes('ユーザー名')]).toEqual([true, false]);
    });

    test('takes effect once when it is used twice concurrently', async () => {
      await patch({ name: '盗人' });
      const token = await readUndoToken();
      const replies = await Promise.all([undo(token), undo(token)]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
      expect((await mails()).filter(({ text }) => text.includes('/reset-password?'))).toHaveLength(1);
    });

    test('also undoes later changes, which do not block it', async () => {
      await earn(database, userId, 6_000);
      await post('/api/finance/transfer-request/', { email });
      api.clock.advance(1_000);
      await patch({ donation_url: 'https://ofuse.me/thief' });
      const token = await readUndoToken();
      api.clock.advance(1_000);
      await patch({ name: '盗人' });
      api.clock.advance(1_000);
      await patch({ name: '別の盗人', donation_url: 'https://ofuse.me/other-thief' });
      const last = await readUndoToken();
      await undo(token);
      expect(await user()).toMatchObject({ name: '見本 太郎', donation_url: '' });
      expect((await undo(last)).status).toBe(400);
      // Earlier requests of the owner remain.
      const requests = await listRows(database, 'transfer_requests', { user_id: userId }, ['state']);
      expect(requests).toEqual([{ state: 'requested' }]);
    });

    test('restores an address that was changed twice, and ends the links of the later changes', async () => {
      const thief = `thief-${serial}@example.test`;
      const accomplice = `accomplice-${serial}@example.test`;
      for (const to of [thief, accomplice]) {
        api.clock.advance(1_000);
        expect((await patch({ email: to })).status, to).toBe(200);
        const text = (await mails(to)).at(-1)?.text ?? '';
        const token = /email_token=([\w-]{43})$/m.exec(text)?.[1];
        expect((await post('/api/account/confirm-email/', { token })).status).toBe(200);
      }
      await api.post('/api/forgot-password/', { email: accomplice });
      const thiefsUndo = await readUndoToken(thief);
      const thiefsReset = readLink((await mails(accomplice)).at(-1));

      expect((await undo(await readUndoToken(email))).status).toBe(200);
      expect(await user()).toMatchObject({ email, email_key: email });
      expect((await mails(email)).at(-1)?.text).toContain('/reset-password?');
      expect((await undo(thiefsUndo)).status).toBe(400);
      expect((await resetWith(api, thiefsReset)).status).toBe(400);
      expect((await tryToLogIn(api, email)).status).toBe(400);
    });

    test('cancels a payout request and returns the yen', async () => {
      await earn(database, userId, 6_000);
      await post('/api/finance/transfer-request/', { email });
      expect((await mails()).at(-1)?.text).toContain('送金依頼を受け付けました');
      expect((await undo(await readUndoToken())).status).toBe(200);
      expect(await api.json('/api/account/profile/', userId)).toMatchObject({
        reward_balance: 6_000,
        last_transfer: { state: 'refused' },
      });
    });

    test.each([
      ['a payout request', () => post('/api/finance/transfer-request/', { email })],
      ['an ID', sendId, isUnverified],
      ['a profile change', () => patch({ donation_url: 'https://ofuse.me/second' })],
    ] as const)(
      'refuses %s that waits for its lock: the session has ended',
      async (_, call, prepare?: () => Promise<unknown>) => {
        await earn(database, userId, 6_000);
        await prepare?.();
        await patch({ donation_url: 'https://ofuse.me/thief' });
        const token = await readUndoToken();
        const held = Promise.withResolvers<void>();
        const released = Promise.withResolvers<void>();
        const holding = database.db.transaction().execute(async (transaction) => {
          // An undo ends the sessions after it has locked the member and looked for payout requests.
          await updateRows({ db: transaction }, 'sessions', { rotated_at: null }, { user_id: userId });
          held.resolve();
          await released.promise;
        });
        await held.promise;
        const undone = undo(token);
        await waitForWriters(1);
        const response = call();
        await waitForWriters(2);
        released.resolve();
        await holding;
        expect((await undone).status).toBe(200);
        expect((await response).status).toBe(401);
        expect((await user()).donation_url).toBe('');
        for (const table of ['transfer_requests', 'personal_info_submissions'] as const)
          expect(await listRows(database, table, { user_id: userId })).toEqual([]);
      },
    );

    test('withdraws an ID that was sent or approved after the details were changed', async () => {
      await isUnverified();
      await patch({ name: '盗人', account_number: '1111111' });
      const token = await readUndoToken();
      api.clock.advance(1_000);
      expect((await sendId()).status).toBe(200);
      const approved = { state: 'approved', decided_at: api.clock.now() } as const;
      await updateRows(database, 'personal_info_submissions', approved, { user_id: userId });
      await changeUser(database, userId, { is_personal_info_verified: 1, personal_info_status: 'confirmed' });
      await undo(token);
      expect(await user()).toMatchObject({
        name: '見本 太郎',
        account_number: '7654321',
        is_personal_info_verified: 0,
        personal_info_status: 'rejected',
      });
    });

    test('destroys the image of a waiting ID', async () => {
      await isUnverified();
      await sendId();
      expect((await undo(await readUndoToken())).status).toBe(200);
      const submission = await getRow(database, 'personal_info_submissions', { user_id: userId });
      expect(submission).toMatchObject({ state: 'rejected', object_key: null });
    });

    test('is valid for 7 days, and then its earlier values are wiped', async () => {
      await patch({ name: '別の氏名' });
      const token = await readUndoToken();
      const count = () => listRows(database, 'undo_links', { user_id: userId }, ['before']);
      api.clock.advance(7 * DAY_MS - 1);
      await deleteAllExpired({ database, clock: api.clock });
      expect(await count()).toHaveLength(1);
      api.clock.advance(1);
      expect((await undo(token)).status).toBe(400);
      await deleteAllExpired({ database, clock: api.clock });
      expect(await count()).toEqual([]);
    });

    test('keeps at most 30 sets of earlier values a day', async () => {
      const limited = createTestApi(database, { rateLimits: createRateLimits(database) });
      const headers = bearer();
      const change = (index: number) =>
        patchProfile(limited, userId, { phone_number: `09000000${index}` }, headers);
      for (let index = 10; index < 40; index += 1) expect((await change(index)).status).toBe(200);
      expect((await change(41)).status).toBe(429);
      expect((await patchProfile(limited, userId, { bio: '音' }, headers)).status).toBe(200);
    });
  });
});
