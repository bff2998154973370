import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Busy } from '#server/platform/limits/busy.ts';
import { createPasswords, hashPassword } from '#server/platform/crypto/passwords.ts';
import { createRateLimits } from '#server/platform/limits/counting.ts';
import { useFreshApi } from '#support/http/use-api.ts';
import {
  PASSWORD,
  addMember,
  from,
  readCookies,
  readLink,
  readMails,
  resetWith,
  tryToLogIn,
} from '#support/members/accounts.ts';
import { type TestApi, createTestApi } from '#support/http/api.ts';
import { bothDatabases, getRow, listRows, updateRows } from '#support/databases/databases.ts';

const WRONG = 'wrong password';
const DEVICE = '__Host-device';
const DAY_MS = 86_400_000;

describe.each(bothDatabases)('logging in on $name', ({ open, rule }) => {
  const { database, api, passwords } = useFreshApi(open);
  let limited: TestApi;
  let serial = 0;
  let email: string;

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 3, 1) });
    limited = createTestApi(database, { passwords, rateLimits: createRateLimits(database) });
    serial += 1;
    email = `member-${serial}@example.test`;
    await addMember(database, `会員 ${serial}番`, email);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** An attempt by a browser with this device cookie. */
  const attempt = (password: string, { device = '', address = '', to = email } = {}) =>
    tryToLogIn(limited, to, password, {
      origin: 'http://localhost',
      ...from(address),
      ...(device !== '' && { cookie: `${DEVICE}=${device}` }),
    });
  const readDevice = (response: Response) => readCookies(response).get(DEVICE)?.value ?? '';
  const waitMinutes = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000);

  rule('accepts the address in any case and width', async () => {
    for (const address of [email.toUpperCase(), ` ${email} `, email.replace('@', '＠')]) {
      expect((await tryToLogIn(api, address)).status, address).toBe(200);
    }
  });

  rule('keeps only the kind of device and the network, while the session lasts', async () => {
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; secret) Gecko/20100101 Firefox/140.0';
    const headers = { ...from('2001:db8:1:2:3:4:5:6'), 'user-agent': agent };
    const response = await tryToLogIn(api, email, PASSWORD, headers);
    const { refresh } = (await response.json()) as { refresh: string };
    const [id = ''] = refresh.split('.');
    const find = () => listRows(database, 'sessions', { id });
    const [session] = await find();
    expect(session).toMatchObject({ device: 'Linux の Firefox', network: '2001:db8:1::/48' });
    expect(JSON.stringify(session)).not.toMatch(/secret|x86|3:4/);
    await api.post('/api/account/logout/', { refresh });
    expect(await find()).toEqual([]);
  });

  rule('S5 answers the same for a wrong password, an unknown address and an unconfirmed one', async () => {
    const waiting = `waiting-${serial}@example.test`;
    const registration = { username: `待つ人 ${serial}番`, email: waiting, password: PASSWORD };
    await api.post('/api/account/register/', registration);
    const seen = [];
    for (const address of [email, `nobody-${serial}@example.test`, waiting]) {
      const before = passwords.count();
      const response = await tryToLogIn(api, address, WRONG);
      const names = [...response.headers.keys()].sort();
      seen.push([response.status, await response.text(), names, passwords.count() - before]);
    }
    expect(seen[0]?.slice(0, 2)).toEqual([
      400,
      '{"detail":"メールアドレスまたはパスワードが違います。メールアドレスの確認が済んでいない場合は、お送りした確認メールのリンクを開いてから、ログインしてください。"}',
    ]);
    expect(seen[0]?.[3]).toBe(1);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
  });

  rule('does not reveal whether an address has an account to a caller who registers it', async () => {
    const seen = [];
    for (const [index, to] of [email, `nobody-${serial}@example.test`].entries()) {
      const body = { username: `他人の住所 ${serial}の${index}`, email: to, password: 'a stranger’s own' };
      expect((await limited.post('/api/account/register/', body)).status).toBe(200);
      const answers = [];
      for (let time = 0; time < 11; time += 1) {
        const before = passwords.count();
        const response = await attempt(body.password, { to, address: '198.51.100.3' });
        const names = [...response.headers.keys()].sort();
        answers.push([response.status, await response.text(), names, passwords.count() - before]);
      }
      seen.push(answers);
      waitMinutes(15);
    }
    expect(seen[0]?.map(([status]) => status)).toEqual([...Array<number>(10).fill(400), 429]);
    expect(seen[1]).toEqual(seen[0]);
  });

  rule('S6 stops guessing from one address, with Retry-After', async () => {
    const guess = (index: number) =>
      attempt(WRONG, { address: '198.51.100.1', to: `${index}-${serial}@example.test` });
    for (let time = 0; time < 30; time++) expect((await guess(time)).status).toBe(400);
    const response = await guess(30);
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBe(15 * 60);
    expect(await response.json()).toEqual({ detail: expect.stringContaining('15分後') });
    expect(response.headers.get('cache-control')).toContain('no-store');
    expect((await attempt(PASSWORD, { address: '198.51.100.2' })).status).toBe(200);
    waitMinutes(15);
    expect((await guess(31)).status).toBe(400);
  });

  /** Guesses once a minute for the given time. Returns how many guesses were compared with the password. */
  async function guessFor(minutes: number, toAddress: (index: number) => string, to = email) {
    const before = passwords.count();
    for (let index = 0; index < minutes; index += 1) {
      await attempt(WRONG, { address: toAddress(index), to });
      limited.clock.advance(60_000);
      waitMinutes(1);
    }
    return passwords.count() - before;
  }

  rule('S6 allows one address, or a whole /48, ten guesses and then one at growing intervals', async () => {
    expect(await guessFor(60, () => '198.51.100.1')).toBe(15);
    const of48 = (index: number) => `2001:db8:48:${index.toString(16)}::1`;
    expect(await guessFor(1_440, of48)).toBe(38);
  });

  rule('S6 limits the guesses of all networks of a provider per day, and of a botnet', async () => {
    const statuses = async (toAddress: (index: number) => string, tries: number) => {
      const counts = { 400: 0, 429: 0 };
      for (let index = 0; index < tries; index += 1) {
        const { status } = await attempt(WRONG, { address: toAddress(index) });
        counts[status as 400 | 429] += 1;
      }
      return counts;
    };
    const of32 = (index: number) => `2001:db8:${index.toString(16)}::1`;
    expect(await statuses(of32, 120)).toEqual({ 400: 100, 429: 20 });
    const ofBotnet = (index: number) => `${11 + (index % 100)}.${index}.3.4`;
    expect(await statuses(ofBotnet, 220)).toEqual({ 400: 200, 429: 20 });
    limited.clock.advance(DAY_MS);
    expect((await attempt(WRONG, { address: ofBotnet(0) })).status).toBe(400);
  });

  rule('S6 lets the owner log in from another network, and from a known device in the same one', async () => {
    const device = readDevice(await attempt(PASSWORD, { address: '203.0.113.1' }));
    for (let time = 0; time < 21; time++) await attempt(WRONG, { address: `203.0.113.${time}` });
    const before = passwords.count();
    const stopped = await attempt(PASSWORD, { address: '203.0.113.99' });
    expect([stopped.status, stopped.headers.get('retry-after')]).toEqual([429, '60']);
    expect(await stopped.json()).toEqual({ detail: expect.stringContaining('再設定') });
    expect(passwords.count()).toBe(before);
    expect((await attempt(PASSWORD, { device, address: '203.0.113.99' })).status).toBe(200);
    expect((await attempt(PASSWORD, { address: '198.51.100.9' })).status).toBe(200);
    limited.clock.advance(60_000);
    expect((await attempt(PASSWORD, { address: '203.0.113.99' })).status).toBe(200);
  });

  rule('S6 counts failures of an address without an account in the same way', async () => {
    const to = `nobody-${serial}@example.test`;
    for (let time = 0; time < 10; time++) expect((await attempt(WRONG, { to })).status).toBe(400);
    expect((await attempt(WRONG, { to })).status).toBe(429);
    expect((await attempt(WRONG, { to: to.toUpperCase() })).status).toBe(429);
  });

  test('S6 allows concurrent guesses no more tries than sequential ones', async () => {
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, index) => attempt(WRONG, { address: `192.0.2.${index}` })),
    );
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(10);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  rule('S6 keeps its counts across a restart, and stores no address', async () => {
    for (let time = 0; time < 10; time++) await attempt(WRONG, { address: '203.0.113.7' });
    const restarted = createTestApi(database, { passwords, rateLimits: createRateLimits(database) });
    expect((await tryToLogIn(restarted, email, PASSWORD, from('203.0.113.7'))).status).toBe(429);
    const rows = JSON.stringify(await listRows(database, 'password_failures'));
    expect(rows).not.toMatch(/203\.0|member-/);
  });

  rule('S6 stops a device that guesses, resets on success, trusts it for one account only', async () => {
    const device = readDevice(await attempt(PASSWORD));
    for (let time = 0; time < 9; time++) expect((await attempt(WRONG, { device })).status).toBe(400);
    expect((await attempt(PASSWORD, { device })).status).toBe(200);
    for (let time = 0; time < 10; time++) expect((await attempt(WRONG, { device })).status).toBe(400);
    expect((await attempt(PASSWORD, { device })).status).toBe(429);

    // A device cookie that is valid for this account.
    const fresh = readDevice(await attempt(PASSWORD, { address: '203.0.113.9' }));
    const other = `other-${serial}@example.test`;
    await addMember(database, `別の会員 ${serial}番`, other);
    for (let time = 0; time < 10; time++) await attempt(WRONG, { to: other });
    for (const mark of [fresh, `${fresh}x`, 'x.y', '.', 'fixed.']) {
      expect((await attempt(PASSWORD, { to: other, device: mark })).status, mark).toBe(429);
    }
    expect((await attempt(PASSWORD, { device: fresh })).status).toBe(200);
  });

  rule('S7 waits with other callers of the network, and by itself once its owner is known', async () => {
    const { id } = await getRow(database, 'users', { email });
    const address = '2001:db8:7:9::1';
    const network = { network: '2001:db8:7::/48' };
    const first = await attempt(PASSWORD, { address });
    const device = readDevice(first);
    const { access } = (await first.json()) as { access: string };
    await attempt(PASSWORD, { address, device });
    // A device of another account.
    await attempt(PASSWORD, { address, device, to: 'nobody@example.test' });
    const registration = { username: `新人 ${serial}番`, email: `new-${email}`, password: PASSWORD };
    await limited.post('/api/account/register/', registration, from(address));
    const again = { authorization: `Bearer ${access}`, ...from(address) };
    await limited.post('/api/account/reauthenticate/', { password: PASSWORD }, again);
    await api.post('/api/forgot-password/', { email });
    const link = readLink((await readMails(database, email))[0]);
    expect((await resetWith(limited, link)).status).toBe(200);
    const member = { member: id };
    expect(passwords.whom.slice(-6)).toEqual([network, member, network, network, member, member]);
  });

  rule('S6 does not count successful log-ins', async () => {
    for (let time = 0; time < 25; time++) expect((await attempt(PASSWORD)).status).toBe(200);
  });

  rule('S6 trusts the browser in which the owner chose a new password, and clears the failures', async () => {
    for (let time = 0; time < 11; time++) await attempt(WRONG);
    expect((await attempt(PASSWORD)).status).toBe(429);
    await api.post('/api/forgot-password/', { email });
    const link = readLink((await readMails(database, email))[0]).searchParams;
    const body = { uid: link.get('uid'), token: link.get('token'), password: 'another password' };
    const reset = await limited.post('/api/reset-password/', body);
    expect(reset.status).toBe(200);
    const device = readDevice(reset);
    // The attacker continues in the same network.
    for (let time = 0; time < 11; time++) await attempt(WRONG);
    expect((await attempt('another password')).status).toBe(429);
    expect((await attempt('another password', { device })).status).toBe(200);
  });

  rule('S6 limits registering, refreshing, requesting a reset and confirming by address', async () => {
    const calls: [points: number, call: (address: string, index: number) => Promise<Response>][] = [
      [
        42,
        (address, index) => {
          const fields = {
            username: `新人 ${serial}の${index}`,
            email: `new-${index}-${serial}@example.test`,
          };
          return limited.post('/api/account/register/', { ...fields, password: PASSWORD }, from(address));
        },
      ],
      [60, (address) => limited.post('/api/account/token/refresh/', { refresh: 'x' }, from(address))],
      [
        10,
        (address, index) =>
          limited.post('/api/forgot-password/', { email: `${index}@example.test` }, from(address)),
      ],
      [
        60,
        async (address) => limited.app.request('/api/account/verify-email/a/b/', { headers: from(address) }),
      ],
    ];
    for (const [index, [points, call]] of calls.entries()) {
      const address = `198.51.${100 + index}.1`;
      for (let time = 0; time < points; time++) expect((await call(address, time)).status).not.toBe(429);
      const response = await call(address, points);
      expect(response.status).toBe(429);
      expect(response.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
      expect((await call('', points + 1)).status).not.toBe(429);
    }
  });

  rule('S6 limits the refreshes of one session', async () => {
    let { refresh } = (await (await attempt(PASSWORD)).json()) as { refresh: string };
    const ask = () => limited.post('/api/account/token/refresh/', { refresh });
    for (let time = 0; time < 30; time++) ({ refresh } = (await (await ask()).json()) as { refresh: string });
    expect((await ask()).status).toBe(429);
    waitMinutes(1);
    expect((await ask()).status).toBe(200);
  });

  rule('S7 answers 503 when too many passwords wait, and does not count it as a failure', async () => {
    const busy = createTestApi(database, {
      rateLimits: createRateLimits(database),
      passwords: { hash: () => Promise.reject(new Busy()), matches: () => Promise.reject(new Busy()) },
    });
    for (let time = 0; time < 12; time++) {
      const response = await tryToLogIn(busy, email);
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('5');
    }
    expect((await attempt(PASSWORD)).status).toBe(200);
  });

  rule('S10 accepts passwords up to 256 characters unchanged, in any Unicode form', async () => {
    const long = '長'.repeat(256);
    const pairs: [chosen: string, typed: string, status: number][] = [
      [`${'x'.repeat(72)}A`, `${'x'.repeat(72)}B`, 400],
      [long, long, 200],
      [long, `${long}x`, 400],
      ['カガミの\u0000うた・あ', 'カガミの\u0000うた・あ', 200],
      ['カガミの\u0000うた・あ', 'カガミの', 400],
      ['か\u3099くせい12345', 'がくせい12345', 200],
      ['ｐａｓｓｗｏｒｄ', 'password', 200],
      ['  leading and trailing  ', 'leading and trailing', 400],
      ['  leading and trailing  ', '  leading and trailing  ', 200],
    ];
    const real = createTestApi(database, { passwords: createPasswords() });
    const hashes = new Map<string, string>();
    for (const [chosen, typed, status] of pairs) {
      const hash = hashes.get(chosen) ?? (await hashPassword(chosen));
      hashes.set(chosen, hash);
      await updateRows(database, 'users', { password_hash: hash }, { email });
      expect((await tryToLogIn(real, email, typed)).status, JSON.stringify(typed).slice(0, 40)).toBe(status);
    }
  });

  rule('S10 refuses a longer password before it is hashed', async () => {
    expect((await tryToLogIn(api, email, 'x'.repeat(257))).status).toBe(400);
    expect((await tryToLogIn(api, email, 'x'.repeat(1_000_000))).status).toBe(413);
    expect(passwords.count()).toBe(0);
  });

  rule('S12 sets cookies that no sibling host sets and no script reads, except the XSRF one', async () => {
    const cookies = readCookies(await tryToLogIn(api, email));
    expect([...cookies.keys()].sort()).toEqual(['XSRF-TOKEN', DEVICE]);
    const attributes = ['httponly', 'max-age=34560000', 'path=/', 'samesite=lax', 'secure'];
    expect(cookies.get(DEVICE)?.attributes).toEqual(attributes);
    expect(cookies.get('XSRF-TOKEN')?.attributes).toEqual(['path=/', 'samesite=lax', 'secure']);

    const plain = createTestApi(database, { passwords, siteUrl: 'http://127.0.0.1:4321' });
    const local = readCookies(await tryToLogIn(plain, email));
    expect([...local.keys()].sort()).toEqual(['XSRF-TOKEN', 'device']);
    expect(local.get('device')?.attributes).not.toContain('secure');
    expect(local.get('device')?.attributes).toContain('httponly');
  });

  rule('S12 sets no cookie that authenticates a call, and only the XSRF cookie after a failure', async () => {
    const right = await tryToLogIn(api, email);
    const cookie = [...readCookies(right)].map(([name, { value }]) => `${name}=${value}`).join('; ');
    expect((await api.app.request('/api/account/profile/', { headers: { cookie } })).status).toBe(401);
    expect([...readCookies(await tryToLogIn(api, email, WRONG)).keys()]).toEqual(['XSRF-TOKEN']);
  });

  rule('S12 keeps a device cookie that reveals nothing of the account', async () => {
    const device = readDevice(await attempt(PASSWORD));
    expect(readDevice(await attempt(PASSWORD, { device }))).toBe(device);
    const { id } = await getRow(database, 'users', { email });
    expect(device).not.toContain(id);
  });
});
