import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { PROFILE_FIELDS } from '#contract/accounts/profile-fields.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { useFreshApi } from '#support/http/use-api.ts';
import { listRows, ruleDatabases, updateRows } from '#support/databases/databases.ts';
import { XSS_TEXTS, as, patchProfile, readUser } from '#support/members/profiles.ts';

const COLUMNS =
  'id is_verified is_blocked is_staff is_personal_info_verified personal_info_status status password_hash ' +
  'username_key username_skeleton email_key picture_key background_key created_at';
const FIGURES =
  'reward_balance total_download_balance month_reward_balance transfer_request months pending_email balance';
const INHERITED = '__proto__ constructor prototype toString hasOwnProperty valueOf';
const FOREIGN_KEYS = [
  ...`${COLUMNS} ${FIGURES} ${INHERITED} password profile_picture user_id role Bio bio[]`.split(' '),
  'bio ',
  '',
];
const UNKNOWN = 'この項目は変更できません。';
/** Fields that accept any line of text. */
const TEXT_FIELDS = ['bio', 'name', 'bank_name', 'branch_name'] as const;

describe.each(ruleDatabases)('changes of profiles on $name', ({ open }) => {
  const { database, api } = useFreshApi(open);
  let serial = 0;
  let userId: string;

  beforeEach(async () => {
    serial += 1;
    userId = await createUser(database, {
      username: `守り ${serial}番`,
      email: `safe-${serial}@example.test`,
      message_email: `contact-${serial}@example.test`,
      is_verified: true,
    });
  });

  /** JSON text, because an object literal would lose `__proto__`. */
  const toJson = (entries: readonly (readonly [string, unknown])[]) =>
    `{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`;

  test.each(FOREIGN_KEYS)('A2: refuse %s, name it, and change nothing', async (key) => {
    const before = await readUser(database, userId);
    for (const value of [1, true, 'x', null, { is_staff: 1 }]) {
      for (const entries of [
        [[key, value]],
        [
          ['bio', '新しい'],
          [key, value],
        ],
        [
          [key, value],
          ['bio', '新しい'],
        ],
      ]) {
        const response = await patchProfile(api, userId, toJson(entries as [string, unknown][]));
        expect(response.status).toBe(400);
        expect(Object.entries(JSON.parse(await response.text()))).toEqual([[key, UNKNOWN]]);
      }
    }
    expect(await readUser(database, userId)).toEqual(before);
    expect(({} as { is_staff?: unknown }).is_staff).toBeUndefined();
  });

  test('A2: refuse a mixture of known and unknown keys', async () => {
    const before = await readUser(database, userId);
    const known = fc.constantFrom<[string, unknown]>(
      ['bio', '新しい'],
      ['name', '山田'],
      ['bank_name', '音銀行'],
    );
    const key = fc
      .oneof(fc.constantFrom(...FOREIGN_KEYS), fc.string())
      .filter((key) => !Object.hasOwn(PROFILE_FIELDS, key));
    const foreign = fc.tuple(key, fc.jsonValue({ maxDepth: 2 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(known, { maxLength: 3 }),
        fc.array(foreign, { minLength: 1, maxLength: 4 }),
        async (fields, extra) => {
          const response = await patchProfile(api, userId, toJson([...fields, ...extra]));
          expect(response.status).toBe(400);
          const named = Object.keys(JSON.parse(await response.text()));
          expect(extra.some(([key]) => named.includes(key))).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
    expect(await readUser(database, userId)).toEqual(before);
  });

  test('A2: the call for messages accepts only its own fields, and the link only its token', async () => {
    const before = await readUser(database, userId);
    const extra = { is_verified: true, user_id: userId, email: 'evil@evil.test', to: 'evil@evil.test' };
    const message = { artist_username: before.username, text: 'こんにちは', ...extra };
    expect((await api.post('/api/messages/send/', message)).status).toBe(200);
    await api.post('/api/account/confirm-email/', { token: 'x', ...extra }, userId);
    expect(await readUser(database, userId)).toEqual(before);
    const mails = await listRows(database, 'mail_outbox');
    expect(JSON.stringify(mails)).not.toContain('evil');
  });

  test('W1: every text is returned unchanged', async () => {
    expect(XSS_TEXTS.length).toBeGreaterThanOrEqual(60);
    for (const text of XSS_TEXTS) {
      for (const field of TEXT_FIELDS) {
        const response = await patchProfile(api, userId, { [field]: text });
        // A line contains no tab.
        const plain = field === 'bio' ? text : text.replaceAll('\t', ' ');
        expect((await response.json())[field], `${field}: ${text}`).toBe(plain.trim().normalize('NFC'));
        expect(response.headers.get('content-type')).toBe('application/json');
      }
      for (const field of [
        'furigana',
        'deposit_type',
        'account_number',
        'phone_number',
        'message_email',
        'donation_url',
        'email',
      ]) {
        expect((await patchProfile(api, userId, { [field]: text })).status, `${field}: ${text}`).toBe(400);
      }
      const { status } = await patchProfile(api, userId, { username: text });
      if (/[<>"'`{}();:\\/$#%]/.test(text.normalize('NFKC'))) expect(status, text).toBe(400);
    }
  });

  test('W1: names stay inside the escaping of mails', async () => {
    // No such name can be chosen. If one existed, it must not become markup.
    const username = `<img src=x onerror="a">${serial}`;
    await updateRows(database, 'users', { username }, { id: userId });
    await patchProfile(api, userId, { email: `other-${serial}@example.test` });
    const mails = await listRows(database, 'mail_outbox', { to_address: `safe-${serial}@example.test` });
    expect(mails).toHaveLength(1);
    expect(mails[0]?.html).toContain('&lt;img src=x onerror=&quot;a&quot;&gt;');
    expect(mails[0]?.html).not.toContain('<img');
  });

  test('A1: no call accepts another member as its subject', async () => {
    const other = await createUser(database, {
      username: `他人 ${serial}番`,
      email: `them-${serial}@example.test`,
    });
    const before = await readUser(database, userId);
    const headers = { 'content-type': 'application/json', ...(await as(api, other)) };
    for (const path of ['', `${userId}/`, `?user=${userId}`, `?id=${userId}&user_id=${userId}`]) {
      await api.app.request(`/api/account/update-profile/${path}`, {
        method: 'PATCH',
        headers: { ...headers, 'x-user-id': userId, cookie: '', origin: 'http://localhost' },
        body: JSON.stringify({ bio: '乗っ取り' }),
      });
      const reply = await api.app.request(`/api/account/profile/${path}`, { headers });
      expect(await reply.text()).not.toContain(before.email);
    }
    expect(await readUser(database, userId)).toEqual(before);
  });
});
