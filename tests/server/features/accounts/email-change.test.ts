import { beforeEach, describe, expect, test } from 'vitest';
import { createRateLimits } from '#server/platform/limits/counting.ts';
import { expectReply } from '#support/http/replies.ts';
import { useFreshApi } from '#support/http/use-api.ts';
import {
  addMember,
  createCountingPasswords,
  isAccepted,
  readLink,
  readMails,
  resetWith,
  tryToLogIn,
} from '#support/members/accounts.ts';
import { TEST_SITE_URL, createTestApi } from '#support/http/api.ts';
import { bothDatabases, listRows } from '#support/databases/databases.ts';
import { as, patchProfile, readUser } from '#support/members/profiles.ts';

const DAY_MS = 86_400_000;

describe.each(bothDatabases)('changing the e-mail address on $name', ({ open, rule }) => {
  const { database, api, renewApi } = useFreshApi(open);
  let serial = 0;
  let userId: string;
  let old: string;
  let wanted: string;

  beforeEach(async () => {
    serial += 1;
    old = `old-${serial}@example.test`;
    wanted = `new-${serial}@example.test`;
    userId = await addMember(database, `住所 ${serial}番`, old);
  });

  const ask = async (email = wanted) => {
    api.clock.advance(1_000);
    return patchProfile(api, userId, { email });
  };
  const profile = () => api.json('/api/account/profile/', userId);
  const mails = (to: string) => readMails(database, to);
  const confirm = async (token: string | null, id: string | null = userId, headers = {}) =>
    api.post(
      '/api/account/confirm-email/',
      { token },
      { ...headers, ...(id !== null && (await as(api, id))) },
    );
  async function readToken(to = wanted): Promise<string> {
    const text = (await mails(to)).at(-1)?.text ?? '';
    return /[?&]email_token=([\w-]{43})$/m.exec(text)?.[1] ?? `no token in: ${text}`;
  }

  test('takes effect once the new address is confirmed, and notifies the old one at once', async () => {
    const response = await ask();
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ email: old, pending_email: wanted });
    expect((await mails(wanted))[0]?.text).toContain(`${TEST_SITE_URL}/profile?email_token=`);
    const [notice] = await mails(old);
    expect(notice?.text).toContain('心当たりがない場合');
    expect(JSON.stringify(notice)).not.toContain(wanted);
    expect((await tryToLogIn(api, old)).status).toBe(200);
    expect((await tryToLogIn(api, wanted)).status).toBe(400);
  });

  rule('applies from its confirmation, and the old address is notified again', async () => {
    await ask();
    api.clock.advance(1_000);
    expect((await confirm(await readToken())).status).toBe(200);
    expect(await profile()).toMatchObject({ email: wanted });
    expect(await profile()).not.toHaveProperty('pending_email');
    expect((await tryToLogIn(api, wanted)).status).toBe(200);
    expect((await tryToLogIn(api, old)).status).toBe(400);
    expect((await mails(old)).map((mail) => mail.subject)).toEqual([
      '【Otoichi】メールアドレスの変更の手続きがありました',
      '【Otoichi】メールアドレスを変更しました',
    ]);
    expect(await isAccepted(api, await api.logIn(userId))).toBe(true);
  });

  rule('ends the links mailed to the old address', async () => {
    await api.post('/api/forgot-password/', { email: old });
    const reset = readLink((await mails(old))[0]);
    await ask();
    expect((await confirm(await readToken())).status).toBe(200);
    expect((await resetWith(api, reset)).status).toBe(400);
    await api.post('/api/forgot-password/', { email: old });
    expect((await mails(old)).filter((mail) => mail.text.includes('/reset-password?'))).toHaveLength(1);
  });

  rule('is discarded when the password is reset: its requester may not have been the owner', async () => {
    await ask();
    await api.post('/api/forgot-password/', { email: old });
    const reset = readLink((await mails(old)).findLast((mail) => mail.text.includes('/reset-password?')));
    expect((await resetWith(api, reset)).status).toBe(200);
    const later = createTestApi(database, { passwords: createCountingPasswords() });
    const headers = await as(later, userId);
    const reply = await later.post('/api/account/confirm-email/', { token: await readToken() }, headers);
    expect(reply.status).toBe(400);
    expect((await readUser(database, userId)).email).toBe(old);
  });

  test('S14: a link takes effect once, also when used concurrently', async () => {
    await ask();
    const token = await readToken();
    await api.logIn(userId);
    const replies = await Promise.all(Array.from({ length: 20 }, () => confirm(token)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(400)]);
    expect((await mails(old)).filter((mail) => mail.subject.includes('変更しました'))).toHaveLength(1);
  });

  test('S14: only the owner can use the link, while logged in', async () => {
    const stranger = await addMember(database, `他人 ${serial}番`, `stranger-${serial}@example.test`);
    await ask();
    const token = await readToken();
    expect((await confirm(token, stranger)).status).toBe(400);
    expect((await confirm(token, null)).status).toBe(401);
    for (const wrong of [
      '',
      'x',
      token.slice(1),
      `${token}x`,
      token.toUpperCase(),
      "' or 1=1 --",
      '\u0000',
    ]) {
      expect((await confirm(wrong)).status, wrong).toBe(400);
    }
    expect((await confirm('x'.repeat(201))).status).toBe(400);
    expect((await confirm(null)).status).toBe(400);
    expect((await readUser(database, userId)).email).toBe(old);
    expect((await confirm(token)).status).toBe(200);
  });

  rule('S14: a link is valid for a day', async () => {
    await ask();
    const token = await readToken();
    api.clock.advance(DAY_MS - 1);
    expect(await profile()).toMatchObject({ pending_email: wanted });
    api.clock.advance(1);
    expect(await profile()).not.toHaveProperty('pending_email');
    expect((await confirm(token)).status).toBe(400);
  });

  rule('requested again has a new link, which expires with the first one', async () => {
    await ask();
    const endsAt = api.clock.now() + DAY_MS;
    const first = await readToken();
    api.clock.advance(DAY_MS - 60_000);
    await ask();
    const token = await readToken();
    const [sent, again] = await mails(wanted);
    expect(sent?.text).toContain('このリンクは24時間、1回だけ有効です。');
    expect(again?.text).toContain('このリンクは2026年4月2日 9:00（日本時間）まで、1回だけ有効です。');
    expect((await confirm(first)).status).toBe(400);
    api.clock.advance(endsAt - 1 - api.clock.now());
    expect(await profile()).toMatchObject({ pending_email: wanted });
    api.clock.advance(1);
    expect((await confirm(token)).status).toBe(400);
    await ask();
    api.clock.advance(DAY_MS - 1);
    expect((await confirm(await readToken())).status).toBe(200);
  });

  rule('a newer change replaces an older one', async () => {
    await ask();
    const first = await readToken();
    const newer = `newer-${serial}@example.test`;
    await ask(newer);
    expect((await confirm(first)).status).toBe(400);
    expect((await confirm(await readToken(newer))).status).toBe(200);
    expect(await profile()).toMatchObject({ email: newer });
  });

  rule('the present address cancels the pending one, and sends no mail', async () => {
    await ask();
    const token = await readToken();
    const response = await ask(old);
    expect([response.status, (await response.json()).pending_email]).toEqual([200, undefined]);
    expect((await confirm(token)).status).toBe(400);
    expect(await mails(old)).toHaveLength(1);
  });

  rule('another spelling of the member’s address is confirmed like any other', async () => {
    const spelling = `OLD-${serial}@example.test`;
    await ask(spelling);
    expect(await profile()).toMatchObject({ email: old, pending_email: spelling });
    expect((await confirm(await readToken(spelling))).status).toBe(200);
    expect(await readUser(database, userId)).toMatchObject({ email: spelling, email_key: old });
  });

  test('an address that is taken meanwhile is refused, and the pending change is removed', async () => {
    await ask();
    const token = await readToken();
    await addMember(database, `先客 ${serial}番`, wanted.toUpperCase());
    await expectReply(confirm(token), 400, {
      detail: 'このメールアドレスは、確認の前にほかのアカウントで登録されました。',
    });
    expect(await profile()).toMatchObject({ email: old });
    expect(await profile()).not.toHaveProperty('pending_email');
  });

  test('of two members who confirm one address at once, one gets it and the other is refused', async () => {
    const rival = await addMember(database, `競争 ${serial}番`, `rival-${serial}@example.test`);
    await ask();
    const mine = await readToken();
    api.clock.advance(1_000);
    await patchProfile(api, rival, { email: wanted });
    const theirs = await readToken();
    expect(theirs).not.toBe(mine);
    const replies = await Promise.all([confirm(mine), confirm(theirs, rival)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  rule('an unconfirmed registration of the address cannot be confirmed afterwards', async () => {
    const body = { username: `登録 ${serial}番`, email: wanted, password: 'correct horse' };
    await api.post('/api/account/register/', body);
    const link = readLink((await mails(wanted))[0]).searchParams;
    await ask();
    expect((await confirm(await readToken())).status).toBe(200);
    const path = `/api/account/verify-email/${link.get('user')}/${link.get('token')}/`;
    expect((await api.get(path)).status).toBe(400);
  });

  rule('S5: answers the same for an address with an account, whose owner is told by mail', async () => {
    const known = `known-${serial}@example.test`;
    await addMember(database, `既知 ${serial}番`, known);
    const seen = [];
    for (const email of [wanted, known]) {
      const response = await ask(email);
      const body = JSON.stringify(await response.json()).replaceAll(email, '…');
      const headers = [...response.headers.keys()].sort();
      seen.push({ status: response.status, body, headers });
      expect(await profile()).toMatchObject({ email: old, pending_email: email });
      expect(await mails(email)).toHaveLength(1);
    }
    expect(seen[1]).toEqual(seen[0]);
    const [mail] = await mails(known);
    expect(mail?.subject).toBe('【Otoichi】このメールアドレスは登録済みです');
    expect(mail?.text).not.toMatch(/token|住所/);
    expect((await mails(old)).map(({ subject }) => subject)).toHaveLength(2);
  });

  rule('S5: is limited to five requests an hour, for any addresses', async () => {
    const limited = createTestApi(database, { rateLimits: createRateLimits(database) });
    const headers = await as(limited, userId);
    const tryAddress = (email: string) => patchProfile(limited, userId, { email }, headers);
    for (let index = 0; index < 5; index += 1) {
      expect((await tryAddress(`many-${serial}-${index}@example.test`)).status).toBe(200);
    }
    const refused = await tryAddress(wanted);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect((await tryAddress(old)).status).toBe(200); // cancelling the pending address is always possible
  });

  test('an account that resets its password concurrently does not deadlock', async () => {
    for (let round = 0; round < 5; round += 1) {
      const present = (await readUser(database, userId)).email;
      await api.post('/api/forgot-password/', { email: present });
      const reset = readLink(
        (await mails(present)).findLast((mail) => mail.text.includes('/reset-password?')),
      );
      const next = `round-${serial}-${round}@example.test`;
      await ask(next);
      const [token, headers] = [await readToken(next), await as(api, userId)];
      const replies = await Promise.all([
        api.post('/api/account/confirm-email/', { token }, headers),
        api.post('/api/forgot-password/', { email: present }),
        resetWith(api, reset),
        api.post('/api/forgot-password/', { email: present }),
      ]);
      for (const { status } of replies) expect([200, 400, 401]).toContain(status);
      // The reset may have ended the session: a new one for the next round.
      renewApi();
      const open = await listRows(database, 'password_resets', { user_id: userId }, ['used_at']);
      if ((await readUser(database, userId)).email === next)
        expect(open.filter((row) => row.used_at === null)).toEqual([]);
    }
  });

  rule('deletes expired addresses', async () => {
    await ask();
    api.clock.advance(DAY_MS);
    const next = await addMember(database, `後の人 ${serial}番`, `later-${serial}@example.test`);
    await patchProfile(api, next, { email: `later-still-${serial}@example.test` });
    const rows = await listRows(database, 'address_changes', {}, ['email']);
    expect(rows.map((row) => row.email)).not.toContain(wanted);
  });
});
