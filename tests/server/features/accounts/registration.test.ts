import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { normaliseEmail } from '#contract/values/emails.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { hashToken, makeToken } from '#server/features/accounts/tokens.ts';
import { setSiteConfig } from '#server/features/site/service.ts';
import { createRateLimits } from '#server/platform/limits/counting.ts';
import { expectProblems, expectReply } from '#support/http/replies.ts';
import { useFreshApi } from '#support/http/use-api.ts';
import { PASSWORD, addMember, readLink, readMails, tryToLogIn } from '#support/members/accounts.ts';
import { TEST_SITE_URL, createTestApi } from '#support/http/api.ts';
import { bothDatabases, deleteRows, listRows, updateRows } from '#support/databases/databases.ts';

const DAY_MS = 86_400_000;

describe.each(bothDatabases)('registering on $name', ({ open, rule }) => {
  const { database, api, passwords } = useFreshApi(open);
  let serial = 0;
  let username: string;
  let email: string;

  beforeEach(() => {
    serial += 1;
    username = `音の人 ${serial}番`;
    email = `person-${serial}@example.test`;
  });

  const register = (fields: object = {}, headers = {}) =>
    api.post('/api/account/register/', { username, email, password: PASSWORD, ...fields }, headers);
  const confirm = (uid: string, token: string) => api.get(`/api/account/verify-email/${uid}/${token}/`);
  const openLink = async (link: URL) =>
    confirm(link.searchParams.get('user') ?? '', link.searchParams.get('token') ?? '');
  const mails = (to = email) => readMails(database, to);
  const countAccounts = async (address = email) =>
    (await listRows(database, 'users', { email: address }, ['id'])).length;

  rule('mails a link that creates the account, which can then log in', async () => {
    expect((await register()).status).toBe(200);
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    const link = readLink(mail);
    expect(`${link.origin}${link.pathname}`).toBe(`${TEST_SITE_URL}/login`);
    expect(mail?.html).toContain(link.href.replace('&', '&amp;'));
    expect(mail?.text).toContain('24時間');
    expect(await countAccounts()).toBe(0);

    expect((await openLink(link)).status).toBe(200);
    const response = await tryToLogIn(api, email);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      user: { id: link.searchParams.get('user'), username, email, profile_picture: null },
    });
  });

  rule('stores neither the password nor the token in clear text', async () => {
    await register();
    const token = readLink((await mails())[0]).searchParams.get('token') ?? '';
    expect(token).toMatch(/^[\w-]{43}$/);
    const rows = await listRows(database, 'registrations', { email });
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows[0]?.token_hash).toMatch(/^[\da-f]{64}$/);
  });

  rule('reveals the address only to holders of the link, also on a second use', async () => {
    await register();
    const link = readLink((await mails())[0]);
    for (let time = 0; time < 2; time++) {
      const response = await openLink(link);
      expect(await response.json()).toMatchObject({ email });
      expect(response.headers.get('cache-control')).toBe('private, no-store');
    }
    const wrong = await confirm(link.searchParams.get('user') ?? '', 'x'.repeat(43));
    expect([wrong.status, (await wrong.text()).includes(email)]).toEqual([400, false]);
  });

  rule('S5 answers new, unconfirmed and registered addresses alike; only the mail differs', async () => {
    const member = `member-${serial}@example.test`;
    await addMember(database, `会員 ${serial}番`, member);
    const waiting = `waiting-${serial}@example.test`;
    await register({ email: waiting, username: `待つ人 ${serial}番` });

    const seen = [];
    for (const [index, address] of [email, waiting, member].entries()) {
      const before = passwords.count();
      const response = await register({ email: address, username: `新しい名 ${serial}の${index}` });
      const names = [...response.headers.keys()].sort();
      seen.push([response.status, await response.text(), names, passwords.count() - before]);
    }
    expect(seen[0]?.[0]).toBe(200);
    expect(seen[0]?.[3]).toBe(1);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);

    const [mail] = await mails(member);
    expect(mail?.text).toContain(`${TEST_SITE_URL}/login`);
    expect(mail?.text).toContain(`${TEST_SITE_URL}/forgot-password`);
    expect(mail?.text).not.toContain('token');
    expect(await mails(waiting)).toHaveLength(2);
  });

  rule('S5 reserves the name for a new address and for a registered one', async () => {
    const member = `member-${serial}@example.test`;
    await addMember(database, `会員 ${serial}番`, member);
    for (const [index, address] of [email, member].entries()) {
      const name = `試す名 ${serial}の${index}`;
      expect((await register({ email: address, username: name })).status).toBe(200);
      const other = await register({ email: `other-${serial}@example.test`, username: name });
      expect(other.status, address).toBe(400);
    }
  });

  rule('reserves the name for a day, also when a log-in has the link mailed again', async () => {
    const member = `member-${serial}@example.test`;
    await addMember(database, `会員 ${serial}番`, member);
    for (const [index, address] of [email, member].entries()) {
      const name = `試す名 ${serial}の${index}`;
      await register({ email: address, username: name, password: 'a stranger’s own' });
      api.clock.advance(DAY_MS - 1);
      await tryToLogIn(api, address, 'a stranger’s own');
      const other = { email: `other-${serial}@example.test`, username: name };
      expect((await register(other)).status, address).toBe(400);
      api.clock.advance(1);
      expect((await register(other)).status, address).toBe(200);
    }
  });

  rule('refuses a name that equals or resembles a member’s name or a reserved one', async () => {
    await addMember(database, `Kanade ${serial}`, `kanade-${serial}@example.test`);
    for (const name of ['Kanade ', 'KANADE ', 'ｋａｎａｄｅ ', 'Kanade_'])
      await expectProblems(register({ username: `${name}${serial}` }), 400, ['username']);
    expect(passwords.count()).toBe(0);

    expect((await register()).status).toBe(200);
    expect((await register()).status).toBe(200);
    expect((await register({ email: `second-${serial}@example.test` })).status).toBe(400);
    api.clock.advance(DAY_MS + 1);
    expect((await register({ email: `second-${serial}@example.test` })).status).toBe(200);
  });

  rule.each<[field: string, value: unknown]>([
    ['username', ''],
    ['username', 'admin'],
    ['username', 'a\r\nBcc: x@example.test'],
    ['username', { $gt: '' }],
    ['email', 'nobody'],
    ['email', 'a@b.test\r\nBcc: x@example.test'],
    ['email', ['a@b.test']],
    ['password', '1234567'],
    ['password', 'x'.repeat(257)],
    ['password', 12_345_678],
  ])('refuses %s = %j, naming it', async (field, value) => {
    await expectProblems(register({ [field]: value }), 400, [field]);
    expect(passwords.count()).toBe(0);
  });

  test('is refused while the operator has closed registration', async () => {
    await setSiteConfig(database, { allow_register: false });
    try {
      await expectReply(register(), 403, { detail: expect.stringMatching(/新規登録/) });
      expect(passwords.count()).toBe(0);
    } finally {
      await setSiteConfig(database, { allow_register: true });
    }
  });

  rule('limits mails to one address per hour, and gives the same answer beyond the limit', async () => {
    const limited = createTestApi(database, { passwords, rateLimits: createRateLimits(database) });
    const body = { username, email, password: PASSWORD };
    for (let time = 0; time < 8; time++) {
      expect((await limited.post('/api/account/register/', body)).status).toBe(200);
    }
    expect(await mails()).toHaveLength(5);
  });

  test('S14 accepts a link repeatedly and concurrently, for one account', async () => {
    await register();
    const link = readLink((await mails())[0]);
    const replies = await Promise.all(Array.from({ length: 20 }, () => openLink(link)));
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect((await openLink(link)).status).toBe(200);
    expect(await countAccounts()).toBe(1);
  });

  rule('reports that the account of an old link is confirmed, and nothing for an unknown link', async () => {
    await register();
    const link = readLink((await mails())[0]);
    await openLink(link);
    api.clock.advance(400 * DAY_MS);
    await register({ email: `later-${serial}@example.test`, username: `後の人 ${serial}番` });
    expect(await listRows(database, 'registrations', { email }, ['id'])).toEqual([]);
    expect((await openLink(link)).status).toBe(200);
    expect((await confirm(link.searchParams.get('user') ?? '', 'x'.repeat(43))).status).toBe(400);
    expect(await countAccounts()).toBe(1);
  });

  test('S14 accepts a link that another caller is opening concurrently', async () => {
    await register();
    const link = readLink((await mails())[0]);
    const late = await database.db.transaction().execute(async (transaction) => {
      const id = link.searchParams.get('user') ?? '';
      await createUser({ db: transaction }, { id, username, email });
      const response = openLink(link);
      await wait(100);
      return { response };
    });
    expect((await late.response).status).toBe(200);
    expect(await countAccounts()).toBe(1);
  });

  rule('S14 refuses links that are unknown, truncated, swapped or expired', async () => {
    await register();
    await register({ email: `other-${serial}@example.test`, username: `別の人 ${serial}番` });
    const link = readLink((await mails())[0]);
    const other = readLink((await mails(`other-${serial}@example.test`))[0]);
    const uid = link.searchParams.get('user') ?? '';
    const token = link.searchParams.get('token') ?? '';
    const cases: [user: string, secret: string][] = [
      ['nobody', token],
      [uid, token.slice(0, -1)],
      [uid, `${token}A`],
      [uid, other.searchParams.get('token') ?? ''],
      [other.searchParams.get('user') ?? '', token],
      [uid, '%00'],
      ['%00', token],
      [uid, 'x'.repeat(5_000)],
    ];
    for (const [user, secret] of cases) await expectProblems(confirm(user, secret), 400, ['detail']);
    api.clock.advance(DAY_MS);
    expect((await openLink(link)).status).toBe(400);
    expect(await countAccounts()).toBe(0);
  });

  test('S14 accepts only the first of two links, with its own registration', async () => {
    await register({ password: 'first password' });
    api.clock.advance(1_000);
    await register({ username: `二つ目 ${serial}番`, password: 'second password' });
    const links = (await mails()).map(readLink);
    expect(links).toHaveLength(2);
    const statuses = await Promise.all(links.map(async (link) => (await openLink(link)).status));
    expect(statuses.toSorted()).toEqual([200, 400]);
    expect(await countAccounts()).toBe(1);
    const winner = statuses.indexOf(200);
    expect((await tryToLogIn(api, email, ['first password', 'second password'][winner])).status).toBe(200);
    const detail = expect.stringContaining('別のリンクですでに済んでいます');
    await expectReply(openLink(links[1 - winner] as URL), 400, { detail });
  });

  rule('S14 does not restore a deleted account by any of its links', async () => {
    await register();
    api.clock.advance(1_000);
    await register({ username: `二つ目 ${serial}番` });
    const links = (await mails()).map(readLink);
    expect((await openLink(links[0] as URL)).status).toBe(200);
    await deleteRows(database, 'users', { email });
    for (const link of links) expect((await openLink(link)).status).toBe(400);
    expect(await countAccounts()).toBe(0);
  });

  rule('does not store a password that a stranger chose for a member’s address', async () => {
    await addMember(database, `会員 ${serial}番`, email);
    await register();
    const rows = await listRows(database, 'registrations', { email }, ['password_hash']);
    expect(rows).toEqual([{ password_hash: '' }]);
  });

  rule('reports when the name was taken before the link was opened', async () => {
    await register();
    await addMember(database, username, `faster-${serial}@example.test`);
    const detail = expect.stringContaining('ユーザー名');
    await expectReply(openLink(readLink((await mails())[0])), 400, { detail });
    expect(await countAccounts()).toBe(0);
  });

  rule('keeps the first link valid when a log-in has it mailed again', async () => {
    const limited = createTestApi(database, { passwords, rateLimits: createRateLimits(database) });
    await register();
    for (let time = 0; time < 5; time++) {
      limited.clock.advance(3_600_000);
      expect((await tryToLogIn(limited, email)).status).toBe(400);
    }
    expect((await tryToLogIn(limited, email, 'wrong password')).status).toBe(400);
    const sent = await mails();
    expect(sent).toHaveLength(4);
    expect(new Set(sent.map((mail) => readLink(mail).href)).size).toBe(1);
    // Three hours after the registration, and valid for a day from then.
    api.clock.advance(26 * 3_600_000);
    expect((await openLink(readLink(sent[0]))).status).toBe(200);
    expect((await tryToLogIn(api, email)).status).toBe(200);
  });

  rule('expires a link a day after it was last mailed', async () => {
    await register();
    api.clock.advance(3_600_000);
    await tryToLogIn(api, email);
    api.clock.advance(DAY_MS);
    expect((await openLink(readLink((await mails())[0]))).status).toBe(400);
    expect(await countAccounts()).toBe(0);
  });

  rule('accepts a link mailed by an earlier version, also after it was mailed again', async () => {
    await register();
    const link = readLink((await mails())[0]);
    const id = link.searchParams.get('user') ?? '';
    const earlier = makeToken();
    await updateRows(database, 'registrations', { token_hash: hashToken(earlier) }, { id });
    await tryToLogIn(api, email);
    expect((await confirm(id, earlier)).status).toBe(200);
  });

  rule('keeps the link of a first registration valid when the address registers again', async () => {
    await register();
    const [first] = await mails();
    await register({ username: `二つ目 ${serial}番` });
    expect((await openLink(readLink(first))).status).toBe(200);
    expect((await tryToLogIn(api, email)).status).toBe(200);
  });

  rule.each([
    'x@y.z',
    'foo.@docomo.ne.jp',
    'foo..bar@docomo.ne.jp',
    'a!b@example.com',
    'test@日本語.jp',
    'あ@b.example',
  ])('creates an account of %s, which logs in in any case and changes its password', async (address) => {
    expect((await register({ email: address })).status).toBe(200);
    expect((await openLink(readLink((await mails(address))[0]))).status).toBe(200);
    expect((await tryToLogIn(api, address.toUpperCase())).status).toBe(200);
    expect((await api.post('/api/forgot-password/', { email: address })).status).toBe(200);
    expect(await mails(address)).toHaveLength(2);
  });

  rule.each([
    ['Case@Example.test', 'cASE@eXAMPLE.TEST'],
    ['\u01f0@example.test', '\u01f0@example.test'.toUpperCase()],
    ['idn@日本語.example', 'idn@xn--wgv71a119e.example'],
    ['idn@XN--WGV71A119E.test', 'idn@日本語.test'],
  ])('gives %s and %s one account', async (first, second) => {
    await register({ email: first });
    await openLink(readLink((await mails(normaliseEmail(first)))[0]));
    expect((await tryToLogIn(api, second)).status).toBe(200);
    expect((await register({ email: second, username: `二つ目 ${serial}番` })).status).toBe(200);
    expect((await mails(normaliseEmail(first))).at(-1)?.subject).toContain('登録済み');
    const count = normaliseEmail(second) === normaliseEmail(first) ? 2 : 0;
    expect(await mails(normaliseEmail(second))).toHaveLength(count);
  });

  rule('S15 writes its configured address into mails, whatever the request’s Host is', async () => {
    const headers = {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evil.example',
    };
    expect((await register({}, headers)).status).toBe(200);
    const [mail] = await mails();
    expect(JSON.stringify(mail)).not.toContain('evil.example');
    expect(readLink(mail).origin).toBe(TEST_SITE_URL);
  });

  rule('W13 omits names from mails to unconfirmed addresses', async () => {
    await register({ username: `evil.example ${serial}` });
    const [mail] = await mails();
    expect(JSON.stringify(mail)).not.toContain('evil.example');
    expect(mail?.subject).not.toMatch(/[\r\n]/);
  });
});
