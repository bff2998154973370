import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '#server/platform/database/open.ts';
import { requestPasswordReset } from '#server/features/accounts/password-reset.ts';
import type { Platform } from '#server/platform/http/context.ts';
import { noRateLimits } from '#server/platform/limits/rate-limits.ts';
import { createRateLimits } from '#server/platform/limits/counting.ts';
import { expectProblems } from '#support/http/replies.ts';
import { useFreshApi } from '#support/http/use-api.ts';
import {
  addMember,
  isAccepted,
  logInWith,
  readLink,
  readMails,
  refreshWith,
  tryToLogIn,
} from '#support/members/accounts.ts';
import { TEST_SITE_URL, createTestApi } from '#support/http/api.ts';
import { bothDatabases, listRows } from '#support/databases/databases.ts';
import { changeUser } from '#support/members/profiles.ts';

const NEW_PASSWORD = 'a new password';

describe.each(bothDatabases)('resetting a password on $name', ({ open, rule }) => {
  const { database, api, passwords } = useFreshApi(open);
  let serial = 0;
  let email: string;
  let userId: string;

  beforeEach(async () => {
    serial += 1;
    email = `member-${serial}@example.test`;
    userId = await addMember(database, `会員 ${serial}番`, email);
  });

  const ask = (address = email, headers = {}) =>
    api.post('/api/forgot-password/', { email: address }, headers);
  const mails = (to = email) => readMails(database, to);
  async function requestLink(address = email): Promise<URL> {
    api.clock.advance(1_000);
    await ask(address);
    return readLink((await mails(address)).at(-1));
  }
  const use = (link: URL, fields: object = {}) =>
    api.post('/api/reset-password/', {
      uid: link.searchParams.get('uid'),
      token: link.searchParams.get('token'),
      password: NEW_PASSWORD,
      ...fields,
    });

  rule('mails a link that sets the new password, and notifies the owner', async () => {
    const link = await requestLink();
    expect(`${link.origin}${link.pathname}`).toBe(`${TEST_SITE_URL}/reset-password`);
    expect(link.searchParams.get('uid')).toBe(userId);
    expect(link.searchParams.get('token')).toMatch(/^[\w-]{43}$/);
    expect((await use(link)).status).toBe(200);
    expect((await tryToLogIn(api, email)).status).toBe(400);
    expect((await tryToLogIn(api, email, NEW_PASSWORD)).status).toBe(200);
    const sent = await mails();
    expect(sent).toHaveLength(2);
    // Both are of the same millisecond, so they have no order.
    expect(sent.map(({ text }) => text).join()).toContain('30分');
    expect(JSON.stringify(sent)).not.toContain(NEW_PASSWORD);
  });

  rule('S5 answers the same for an address without an account, which gets no mail', async () => {
    const seen = [];
    for (const address of [email, `nobody-${serial}@example.test`]) {
      const response = await ask(address);
      seen.push([response.status, await response.text(), [...response.headers.keys()].sort()]);
    }
    expect(seen[0]?.[0]).toBe(200);
    expect(seen[1]).toEqual(seen[0]);
    expect(passwords.count()).toBe(0);
    expect(await mails(`nobody-${serial}@example.test`)).toEqual([]);
  });

  rule('S5 answers before the account is looked up', async () => {
    const begun: { work: () => Promise<void>; delayMs: number }[] = [];
    const deps = {
      rateLimits: noRateLimits,
      get database(): Database {
        throw new Error('the answer waits for the database');
      },
      backgroundJobs: { start: (work: () => Promise<void>, delayMs = 0) => begun.push({ work, delayMs }) },
    } as unknown as Platform;
    await requestPasswordReset(deps, email);
    expect(begun).toHaveLength(1);
    expect(begun[0]?.delayMs).toBeGreaterThan(0);
  });

  rule('S11 ends every session, with its access token', async () => {
    const sessions = [await logInWith(api, email), await logInWith(api, email)];
    expect((await use(await requestLink())).status).toBe(200);
    for (const { access, refresh } of sessions) {
      expect(await isAccepted(api, access)).toBe(false);
      expect((await refreshWith(api, refresh)).status).toBe(401);
    }
  });

  test('S11 stops a concurrent log-in with the old password', async () => {
    const link = await requestLink();
    const slow = createTestApi(database, {
      passwords: {
        hash: passwords.hash,
        async matches(password, hash, whom) {
          await use(link);
          return passwords.matches(password, hash, whom);
        },
      },
    });
    expect((await tryToLogIn(slow, email)).status).toBe(400);
    const left = await listRows(database, 'sessions', { user_id: userId }, ['id']);
    expect(left).toEqual([]);
  });

  test('S14 accepts a link once, also when twenty callers use it concurrently', async () => {
    const link = await requestLink();
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) => use(link, { password: `a new password ${index}` })),
    );
    const statuses = replies.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, ...Array<number>(19).fill(400)]);
    const winner = statuses.indexOf(200);
    expect((await tryToLogIn(api, email, `a new password ${winner}`)).status).toBe(200);
    expect((await use(link)).status).toBe(400);
    expect((await mails()).length).toBe(2);
  });

  rule('S14 refuses unknown, cut, swapped, replaced or expired links, and hashes nothing', async () => {
    const otherEmail = `other-${serial}@example.test`;
    const otherId = await addMember(database, `別の会員 ${serial}番`, otherEmail);
    const replaced = await requestLink();
    const link = await requestLink();
    const token = link.searchParams.get('token') ?? '';
    const cases: [what: string, fields: object][] = [
      ['empty', { uid: '', token: '' }],
      ['cut', { token: token.slice(0, -1) }],
      ['longer', { token: `${token}A` }],
      ['of another member', { uid: otherId }],
      ['with NUL', { uid: '\u0000', token: '\u0000' }],
      ['replaced', { token: replaced.searchParams.get('token') }],
      ['hashed', { token: (await listRows(database, 'password_resets')).at(-1)?.token_hash }],
    ];
    for (const [what, fields] of cases) {
      const response = await use(link, fields);
      expect(response.status, what).toBe(400);
      expect(await response.json(), what).toEqual({ detail: expect.stringContaining('有効期限') });
    }
    api.clock.advance(30 * 60_000);
    expect((await use(link)).status).toBe(400);
    expect(passwords.count()).toBe(0);
    expect((await tryToLogIn(api, email)).status).toBe(200);
  });

  rule('S14 leaves a link valid when the new password is invalid', async () => {
    const link = await requestLink();
    for (const password of ['', '1234567', 'x'.repeat(257)]) {
      await expectProblems(use(link, { password }), 400, ['password']);
    }
    expect((await use(link)).status).toBe(200);
  });

  rule('limits mails to one address per hour, and gives the same answer beyond the limit', async () => {
    const limited = createTestApi(database, { passwords, rateLimits: createRateLimits(database) });
    for (let time = 0; time < 8; time++) {
      expect((await limited.post('/api/forgot-password/', { email: email.toUpperCase() })).status).toBe(200);
    }
    expect(await mails()).toHaveLength(5);
    expect((await use(readLink((await mails()).at(-1)))).status).toBeLessThan(500);
  });

  rule('W13 escapes the name in the mail, and omits it from the subject', async () => {
    await changeUser(database, userId, { username: `<b>"R&D"</b>\r\nBcc: x ${serial}` });
    await ask();
    const [mail] = await mails();
    expect(mail?.html).toContain('&lt;b&gt;&quot;R&amp;D&quot;&lt;/b&gt;');
    expect(mail?.html).not.toContain('<b>');
    expect(mail?.subject).not.toMatch(/[\r\n]|Bcc/);
  });
});
