import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import type { StartedSecondFactor } from '#contract/operator/security.ts';
import { resetSecondFactor } from '#server/features/accounts/second-factor.ts';
import { CODE_FAILURES } from '#server/features/accounts/limits.ts';
import { createRateLimits } from '#server/platform/limits/counting.ts';
import { useApi } from '#support/http/use-api.ts';
import {
  PASSWORD,
  from,
  readCookies,
  readMails,
  readTokens,
  toTestHash,
  tryToLogIn,
} from '#support/members/accounts.ts';
import { keyedHash } from '#server/platform/crypto/keyed-hash.ts';
import { TEST_SESSION_SECRET, TEST_SITE_URL } from '#support/http/api.ts';
import { bothDatabases, insertRow, listRows, updateRows } from '#support/databases/databases.ts';

const EMAIL = 'staff@example.test';
const MINUTE_MS = 60_000;
const SECURITY = '/api/operator/security/';

describe.each(bothDatabases)('the second factor of staff on $name', ({ open, rule }) => {
  const { database, api, renewApi, useStaff } = useApi(open);
  const staff = useStaff({ email: EMAIL, password_hash: toTestHash(PASSWORD) });

  const post = async (path: string, body?: object) => api.post(SECURITY + path, body, staff);
  const toCode = (secret: string, aheadMs = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: api.clock.now() + aheadMs });
  /** Sets it up, and moves to the next time step. */
  async function turnOn(): Promise<{ secret: string; codes: string[] }> {
    const { secret } = (await (await post('start/')).json()) as StartedSecondFactor;
    const confirmed = await post('confirm/', { code: toCode(secret) });
    expect(confirmed.status).toBe(200);
    const { recovery_codes: codes } = (await confirmed.json()) as { recovery_codes: string[] };
    api.clock.advance(MINUTE_MS);
    return { secret, codes };
  }
  const forgetCode = () => updateRows(database, 'sessions', { second_factor_at: 0 });
  const read = async (path = 'overview/') => (await api.get(`/api/operator/${path}`, staff)).status;
  const give = async (code: string) => (await post('code/', { code })).status;

  rule('is turned on by one code, and then needed in each session, for the console only', async () => {
    const started = (await (await post('start/')).json()) as StartedSecondFactor;
    expect(started.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(started.qr.length).toBeGreaterThan(30);
    expect(new Set(started.qr.map(({ length }) => length))).toEqual(new Set([started.qr.length]));
    expect(await read()).toBe(200);
    expect((await post('confirm/', { code: '000000' })).status).toBe(400);
    const { secret, codes } = await turnOn();
    expect(new Set(codes).size).toBe(10);
    // 120 bits each.
    for (const code of codes) expect(code).toMatch(/^(?:[A-Z2-7]{4}-){5}[A-Z2-7]{4}$/);
    expect((await post('start/')).status).toBe(409);
    expect(await read()).toBe(200);
    await forgetCode();
    const refused = await api.get('/api/operator/overview/', staff);
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'second_factor_required' }]);
    expect((await api.get('/api/account/profile/', staff)).status).toBe(200);
    expect(await give(toCode(secret))).toBe(200);
    expect(await read()).toBe(200);
  });

  rule('S19: is needed to change the address of the account, with the password', async () => {
    const change = async () =>
      api.app.request('/api/account/update-profile/', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${await api.logIn(staff)}` },
        body: JSON.stringify({ email: 'thief@example.test' }),
      });
    const mails = () => listRows(database, 'address_changes');
    const { secret } = await turnOn();
    await forgetCode();
    const refused = await change();
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'second_factor_required' }]);
    api.clock.advance(30_000);
    expect(await give(toCode(secret))).toBe(200);
    api.clock.advance(16 * MINUTE_MS);
    expect((await change()).status).toBe(403);
    expect(await mails()).toEqual([]);
    expect(await give(toCode(secret))).toBe(200);
    expect((await change()).status).toBe(200);
    expect(await mails()).toHaveLength(1);
  });

  rule('accepts a code once, and one step of drift', async () => {
    const { secret } = await turnOn();
    const code = toCode(secret);
    expect([await give(code), await give(code)]).toEqual([200, 400]);
    api.clock.advance(10 * MINUTE_MS);
    expect(await give(toCode(secret, -30_000))).toBe(200);
    expect(await give(toCode(secret, 30_000))).toBe(200);
    expect(await give(toCode(secret))).toBe(400);
    api.clock.advance(10 * MINUTE_MS);
    expect(await give(toCode(secret, 60_000))).toBe(400);
    expect(await give(toCode(secret, -60_000))).toBe(400);
  });

  test('accepts the same code from one of 10 concurrent calls', async () => {
    const { secret } = await turnOn();
    const code = toCode(secret);
    const replies = await Promise.all(Array.from({ length: 10 }, () => give(code)));
    expect(replies.filter((status) => status === 200)).toHaveLength(1);
  });

  rule('delays wrong codes more and more', async () => {
    const { secret } = await turnOn();
    const wrong = String((Number(toCode(secret)) + 1) % 1_000_000).padStart(6, '0');
    for (let failure = 0; failure < 10; failure += 1) expect(await give(wrong)).toBe(400);
    expect(await give(toCode(secret))).toBe(429);
    api.clock.advance(61_000);
    expect(await give('111111')).toBe(400);
    api.clock.advance(61_000);
    expect(await give(toCode(secret))).toBe(429);
    api.clock.advance(61_000);
    expect(await give(toCode(secret))).toBe(200);
  });

  describe('S19: while somebody with the password guesses codes', () => {
    /** A new session from a network, in a browser with these cookies. */
    async function logInFrom(address: string, cookies = '') {
      const cookie = cookies === '' ? {} : { cookie: cookies, origin: TEST_SITE_URL };
      const headers = { ...from(address), ...cookie };
      const { access } = await readTokens(await tryToLogIn(api, EMAIL, PASSWORD, headers));
      return async (code: string) => {
        const response = await api.post(
          `${SECURITY}code/`,
          { code },
          { ...headers, authorization: `Bearer ${access}` },
        );
        const { value = '' } = readCookies(response).get('__Host-code-device') ?? {};
        return { status: response.status, cookies: `__Host-code-device=${value}` };
      };
    }
    const toWrong = (secret: string) =>
      String((Number(toCode(secret)) + 500_000) % 1_000_000).padStart(6, '0');
    /** From ten networks, as often as they may. */
    async function guessEverywhere(secret: string): Promise<number> {
      let compared = 0;
      for (let network = 0; network < 10; network += 1) {
        const guess = await logInFrom(`198.51.${network}.7`);
        for (let index = 0; index < 11; index += 1)
          if ((await guess(toWrong(secret))).status === 400) compared += 1;
      }
      return compared;
    }

    test('a device that has given a code before is not locked out', async () => {
      const { secret } = await turnOn();
      const { status, cookies } = await (await logInFrom('192.0.2.1'))(toCode(secret));
      expect(status).toBe(200);
      api.clock.advance(MINUTE_MS);
      expect(await guessEverywhere(secret)).toBe(CODE_FAILURES.points);
      // The same network, a new session of the known browser.
      const owner = await logInFrom('198.51.0.7', cookies);
      expect((await owner(toCode(secret))).status).toBe(200);
      const stranger = await logInFrom('203.0.113.7');
      expect((await stranger(toCode(secret, 30_000))).status).toBe(429);
      api.clock.advance(24 * 60 * MINUTE_MS);
      expect((await (await logInFrom('203.0.113.7'))(toCode(secret))).status).toBe(200);
    });

    rule('a recovery code is accepted on any device', async () => {
      const { secret, codes } = await turnOn();
      await guessEverywhere(secret);
      const lost = await logInFrom('203.0.113.7');
      expect((await lost(toCode(secret))).status).toBe(429);
      expect((await lost('AAAA-AAAA-AAAA-AAAA')).status).toBe(400);
      expect((await lost(codes[0] ?? '')).status).toBe(200);
    });

    rule('a known device has its own ten guesses, and another account’s mark is worth nothing', async () => {
      const { secret } = await turnOn();
      const { cookies } = await (await logInFrom('192.0.2.1'))(toCode(secret));
      api.clock.advance(MINUTE_MS);
      const known = await logInFrom('192.0.2.1', cookies);
      for (let index = 0; index < 10; index += 1) expect((await known(toWrong(secret))).status).toBe(400);
      expect((await known(toCode(secret))).status).toBe(429);
      await guessEverywhere(secret);
      const [deviceId, signature] = cookies.replace('__Host-code-device=', '').split('.');
      const forged = await logInFrom('203.0.113.7', `__Host-code-device=${deviceId}x.${signature}`);
      expect((await forged(toCode(secret))).status).toBe(429);
    });

    rule('its owner is told once a day', async () => {
      renewApi({ rateLimits: createRateLimits(database) });
      const { secret } = await turnOn();
      for (const network of [1, 2]) {
        const guess = await logInFrom(`198.51.${network}.7`);
        for (let index = 0; index < 12; index += 1) await guess(toWrong(secret));
      }
      const told = (await readMails(database, EMAIL)).filter(({ subject }) => subject.includes('誤り'));
      expect(told).toHaveLength(1);
    });
  });

  rule('accepts a recovery code once, mails the account and records it', async () => {
    const { codes } = await turnOn();
    const code = codes[3]?.toLowerCase() ?? '';
    expect([await give(code), await give(code)]).toEqual([200, 400]);
    expect(await api.json(SECURITY, staff)).toEqual({ is_on: true, recovery_codes: 9 });
    const subjects = (await readMails(database, EMAIL)).map(({ subject }) => subject).join();
    expect(subjects).toContain('2段階認証を有効にしました');
    expect(subjects).toContain('回復コードが使われました');
    const actions = await listRows(database, 'operator_actions', {}, ['action']);
    expect(actions.map(({ action }) => action)).toEqual(['turn on second factor', 'use recovery code']);
  });

  rule('accepts a recovery code of 16 characters, as they were made before', async () => {
    await turnOn();
    const code_hash = keyedHash(TEST_SESSION_SECRET, 'recovery-code', 'ABCDEFGH23456723');
    await insertRow(database, 'recovery_codes', { user_id: staff, code_hash });
    expect(await give('abcd-efgh-2345-6723')).toBe(200);
    expect([await give('ABCD-EFGH-2345'), await give('ABCDEFGH23456723')]).toEqual([400, 400]);
  });

  rule('is asked for again after 15 minutes for money and identity, together with the password', async () => {
    const { secret } = await turnOn();
    expect(await read('payouts/')).toBe(200);
    api.clock.advance(16 * MINUTE_MS);
    expect(await read()).toBe(200);
    const stale = await api.get('/api/operator/payouts/', staff);
    expect(await stale.json()).toMatchObject({ code: 'second_factor_required' });
    const token = await api.logIn(staff);
    await updateRows(database, 'sessions', { authenticated_at: 0 });
    const headers = { authorization: `Bearer ${token}` };
    const list = () => api.app.request('/api/operator/payouts/', { headers });
    expect(await (await list()).json()).toMatchObject({ code: 'second_factor_and_password_required' });
    const wrong = { code: toCode(secret), password: 'wrong password' };
    expect((await api.post(`${SECURITY}code/`, wrong, headers)).status).toBe(400);
    expect((await api.post(`${SECURITY}code/`, { ...wrong, password: PASSWORD }, headers)).status).toBe(200);
    expect((await list()).status).toBe(200);
  });

  rule('is turned off with password and code, or by the staff; other sessions start anew', async () => {
    const first = await turnOn();
    expect((await post('end/', { code: toCode(first.secret), password: 'wrong one' })).status).toBe(400);
    expect((await post('end/', { code: '000000', password: PASSWORD })).status).toBe(400);
    expect((await post('end/', { code: toCode(first.secret), password: PASSWORD })).status).toBe(200);
    expect(await read()).toBe(200);
    await turnOn();
    expect(await resetSecondFactor(api.deps, staff, staff)).toBe(true);
    expect(await resetSecondFactor(api.deps, staff, staff)).toBe(false);
    expect(await listRows(database, 'recovery_codes')).toEqual([]);
    const sessions = await listRows(database, 'sessions', {}, ['second_factor_at']);
    expect(sessions.every(({ second_factor_at: givenAt }) => givenAt === 0)).toBe(true);
  });

  rule('keeps its secrets out of the database, logs and later replies', async () => {
    const { secret, codes } = await turnOn();
    const stored = JSON.stringify([
      await listRows(database, 'second_factors'),
      await listRows(database, 'recovery_codes'),
      await listRows(database, 'mail_outbox'),
      await listRows(database, 'operator_actions'),
      api.logged,
      await api.json(SECURITY, staff),
    ]);
    for (const text of [secret, ...codes, ...codes.map((code) => code.replaceAll('-', ''))])
      expect(stored).not.toContain(text);
    const bytes = Buffer.from(Secret.fromBase32(secret).bytes);
    expect(stored).not.toContain(bytes.toString('base64'));
  });
});
