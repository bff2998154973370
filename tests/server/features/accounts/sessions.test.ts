import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { hashToken, toNextRefreshToken } from '#server/features/accounts/tokens.ts';
import { createMemoryRateLimits } from '#server/platform/limits/counting.ts';
import { ACCESS_TOKEN_SECONDS } from '#server/platform/crypto/access-tokens.ts';
import { useFreshApi } from '#support/http/use-api.ts';
import {
  addMember,
  isAccepted,
  logInWith,
  readLink,
  readMails,
  readTokens,
  refreshWith,
} from '#support/members/accounts.ts';
import { TEST_SESSION_SECRET } from '#support/http/api.ts';
import { bothDatabases, deleteRows, listRows } from '#support/databases/databases.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const DAY_MS = 86_400_000;

describe.each(bothDatabases)('sessions on $name', ({ open, rule }) => {
  const { database, api, renewApi } = useFreshApi(open);
  let serial = 0;
  let email: string;
  let userId: string;

  beforeEach(async () => {
    serial += 1;
    email = `member-${serial}@example.test`;
    userId = await addMember(database, `会員 ${serial}番`, email);
  });

  const logIn = () => logInWith(api, email);
  const refresh = (token: string) => refreshWith(api, token);
  const logOut = (body: object, headers = {}) => api.post('/api/account/logout/', body, headers);
  const notices = async () => (await readMails(database, email)).length;
  const countSessions = async () =>
    (await listRows(database, 'sessions', { user_id: userId }, ['id'])).length;

  rule('continue with each refresh: new tokens, the same session', async () => {
    let tokens = await logIn();
    const seen = new Set([tokens.refresh]);
    for (let time = 0; time < 5; time++) {
      api.clock.advance((ACCESS_TOKEN_SECONDS + 1) * 1_000);
      expect(await isAccepted(api, tokens.access)).toBe(false);
      tokens = await readTokens(await refresh(tokens.refresh));
      seen.add(tokens.refresh);
      expect(await isAccepted(api, tokens.access)).toBe(true);
    }
    expect(seen.size).toBe(6);
    expect(await countSessions()).toBe(1);
  });

  rule('are stored without their tokens in clear text', async () => {
    const { refresh: token } = await logIn();
    const rows = await listRows(database, 'sessions', { user_id: userId });
    expect(JSON.stringify(rows)).not.toContain(token.split('.')[1]);
  });

  rule('S1 return the same successor for a token sent again within 30 seconds', async () => {
    const { refresh: first } = await logIn();
    const second = await readTokens(await refresh(first));
    api.clock.advance(30_000);
    expect((await readTokens(await refresh(first))).refresh).toBe(second.refresh);
    const third = await readTokens(await refresh(second.refresh));
    expect(third.refresh).not.toBe(second.refresh);
    expect(await isAccepted(api, third.access)).toBe(true);
    expect(await notices()).toBe(0);
  });

  rule('S1 end with its successor once a token is reused after 31 s; the owner is told', async () => {
    const { refresh: first, access } = await logIn();
    const second = await readTokens(await refresh(first));
    api.clock.advance(31_000);
    expect((await refresh(first)).status).toBe(401);
    expect((await refresh(second.refresh)).status).toBe(401);
    expect(await isAccepted(api, access)).toBe(false);
    expect(await isAccepted(api, second.access)).toBe(false);
    expect(await notices()).toBe(1);
    const [mail] = await readMails(database, email);
    expect(mail?.text).toContain(`会員 ${serial}番`);
    expect(mail?.text).toContain('/forgot-password');
  });

  test('S1 end when a token older than the last one is reused, even at once', async () => {
    const { refresh: first } = await logIn();
    const second = await readTokens(await refresh(first));
    const third = await readTokens(await refresh(second.refresh));
    expect((await refresh(first)).status).toBe(401);
    expect((await refresh(third.refresh)).status).toBe(401);
    expect(await notices()).toBe(1);
  });

  test('W27 are mailed three times a day when they end, however many do', async () => {
    renewApi({ rateLimits: createMemoryRateLimits() });
    for (let time = 0; time < 5; time += 1) {
      const { refresh: first } = await logIn();
      await refresh(first);
      api.clock.advance(31_000);
      expect((await refresh(first)).status).toBe(401);
    }
    expect(await countSessions()).toBe(0);
    expect(await notices()).toBe(3);
  });

  rule('S1 do not affect the member’s other sessions when one ends', async () => {
    const other = await logIn();
    const { refresh: first } = await logIn();
    await refresh(first);
    api.clock.advance(31_000);
    await refresh(first);
    expect((await refresh(other.refresh)).status).toBe(200);
  });

  test('S2 return one successor for twenty concurrent refreshes, in every round', async () => {
    let { refresh: token } = await logIn();
    for (let round = 0; round < 15; round++) {
      const replies = await Promise.all(Array.from({ length: 20 }, () => refresh(token)));
      const tokens = await Promise.all(replies.map(readTokens));
      expect(new Set(tokens.map((pair) => pair.refresh)).size).toBe(1);
      const [pair] = tokens;
      expect(pair?.refresh).not.toBe(token);
      token = pair?.refresh ?? '';
    }
    expect(await countSessions()).toBe(1);
    expect(await notices()).toBe(0);
  });

  rule('S2 do not let a refresh overwrite a newer one', async () => {
    const { refresh: first } = await logIn();
    const second = toNextRefreshToken(TEST_SESSION_SECRET, first);
    const third = toNextRefreshToken(TEST_SESSION_SECRET, second);
    const [id = ''] = first.split('.');
    const late = await database.db.transaction().execute(async (transaction) => {
      const values = { token_hash: hashToken(third), previous_hash: hashToken(second) };
      const update = everyTable(transaction).updateTable('sessions').set(values).where('id', '=', id);
      await update.execute();
      const response = refresh(first);
      await wait(100);
      return { response };
    });
    expect((await late.response).status).toBe(401);
    expect(await countSessions()).toBe(0);
  });

  test('end at their expiry, even while an access token is valid', async () => {
    const { refresh: token } = await logIn();
    const [sessionId = ''] = token.split('.');
    const sign = () => api.accessTokens.sign({ userId, sessionId });
    api.clock.advance(30 * DAY_MS - 1);
    expect(await isAccepted(api, await sign())).toBe(true);
    api.clock.advance(1);
    expect(await isAccepted(api, await sign())).toBe(false);
  });

  rule('last 30 days without use, and 90 days with it', async () => {
    const idle = await logIn();
    let used = await logIn();
    for (let day = 0; day < 90; day += 10) {
      api.clock.advance(10 * DAY_MS - 1_000);
      const response = await refresh(used.refresh);
      expect(response.status, `day ${day + 10}`).toBe(200);
      used = await readTokens(response);
      if (day === 20) expect((await refresh(idle.refresh)).status).toBe(200);
    }
    api.clock.advance(10_000);
    expect((await refresh(used.refresh)).status).toBe(401);
    expect(await isAccepted(api, used.access)).toBe(false);
    expect((await refresh(idle.refresh)).status).toBe(401);
    expect(await notices()).toBe(0);
  });

  rule('free their rows when they have expired', async () => {
    for (let time = 0; time < 3; time++) await logIn();
    api.clock.advance(31 * DAY_MS);
    await logIn();
    expect(await countSessions()).toBe(1);
  });

  rule('S9 are new with each log-in; tokens that a browser brings along are not adopted', async () => {
    const first = await logIn();
    const cookie = `device=fixed; sid=${first.refresh}`;
    const headers = { cookie, origin: 'http://localhost', authorization: `Bearer ${first.access}` };
    const response = await api.post(
      '/api/account/login/',
      { email, password: 'correct horse', refresh: first.refresh, sid: 'fixed' },
      headers,
    );
    const second = await readTokens(response);
    expect(second.refresh.split('.')[0]).not.toBe(first.refresh.split('.')[0]);
    expect(await countSessions()).toBe(2);
    await logOut({ refresh: second.refresh });
    expect((await refresh(first.refresh)).status).toBe(200);
  });

  rule('S11 end with a log-out, and their access tokens with them', async () => {
    const here = await logIn();
    const there = await logIn();
    api.clock.advance((ACCESS_TOKEN_SECONDS + 1) * 1_000);
    const fresh = await readTokens(await refresh(here.refresh));
    expect((await logOut({ refresh: fresh.refresh })).status).toBe(200);
    expect(await isAccepted(api, fresh.access)).toBe(false);
    expect((await refresh(fresh.refresh)).status).toBe(401);
    expect((await refresh(there.refresh)).status).toBe(200);
    expect((await logOut({ refresh: fresh.refresh })).status).toBe(200);
  });

  rule('S11 end with a log-out that has only the access token', async () => {
    const { access } = await logIn();
    expect((await logOut({}, { authorization: `Bearer ${access}` })).status).toBe(200);
    expect(await isAccepted(api, access)).toBe(false);
  });

  rule('S11 end on all devices when requested', async () => {
    const tokens = [await logIn(), await logIn(), await logIn()];
    expect((await logOut({ refresh: tokens[0]?.refresh, everywhere: true })).status).toBe(200);
    for (const { access, refresh: token } of tokens) {
      expect(await isAccepted(api, access)).toBe(false);
      expect((await refresh(token)).status).toBe(401);
    }
    expect(await countSessions()).toBe(0);
  });

  rule('S11 are not affected by a log-out with an invalid token', async () => {
    const { refresh: token } = await logIn();
    const [sessionId] = token.split('.');
    for (const body of [
      {},
      { refresh: `${sessionId}.${'A'.repeat(43)}`, everywhere: true },
      { refresh: 'x' },
    ]) {
      expect((await logOut(body)).status).toBe(200);
    }
    expect((await refresh(token)).status).toBe(200);
  });

  rule('S11 end with the account', async () => {
    const { access, refresh: token } = await logIn();
    await deleteRows(database, 'users', { id: userId });
    expect(await isAccepted(api, access)).toBe(false);
    expect((await refresh(token)).status).toBe(401);
  });

  rule.each([
    '',
    'x',
    '.',
    'a.b',
    `${'a'.repeat(16)}.${'A'.repeat(42)}`,
    `${'a'.repeat(16)}.${'A'.repeat(43)}`,
    `%00.${'A'.repeat(43)}`,
    `\u0000.${'A'.repeat(43)}`,
    `' or 1=1 --.${'A'.repeat(43)}`,
  ])('S4 are not refreshed by %j', async (token) => {
    const response = await refresh(token);
    expect(response.status).toBe(401);
    expect(response.headers.get('cache-control')).toContain('no-store');
    expect(Object.keys((await response.json()) as object)).toEqual(['detail']);
  });

  rule('S4 are not refreshed by an access token, and refresh tokens do not authenticate calls', async () => {
    const { access, refresh: token } = await logIn();
    expect((await refresh(access)).status).toBe(401);
    expect(await isAccepted(api, token)).toBe(false);
    expect((await refresh(token)).status).toBe(200);
  });

  test('S13 follow the server’s clock when it goes back an hour', async () => {
    const { refresh: first, access } = await logIn();
    const second = await readTokens(await refresh(first));
    api.clock.advance(-3_600_000);
    expect(await isAccepted(api, access)).toBe(true);
    const third = await readTokens(await refresh(second.refresh));
    expect(await isAccepted(api, third.access)).toBe(true);
  });

  test('S13 do not extend the grace of the previous token when the clock goes back', async () => {
    const { refresh: first } = await logIn();
    await refresh(first);
    api.clock.advance(-3_600_000);
    expect((await refresh(first)).status).toBe(401);
  });

  test('S13 end early rather than late when the clock goes forward', async () => {
    const { refresh: token, access } = await logIn();
    api.clock.advance(31 * DAY_MS);
    expect(await isAccepted(api, access)).toBe(false);
    expect((await refresh(token)).status).toBe(401);
  });

  rule('A8 mark their replies no-store, and replies that depend on them vary', async () => {
    const { access, refresh: token } = await logIn();
    const authorization = `Bearer ${access}`;
    const ask = (path: string, headers = {}) => api.app.request(path, { headers });
    for (const path of ['/api/account/profile/', '/api/sounds/', '/api/genres/', '/api/site-config']) {
      const response = await ask(path, { authorization });
      expect(response.headers.get('cache-control'), path).toBe('private, no-store');
      expect(response.headers.get('vary'), path).toMatch(/authorization/i);
      expect((await ask(path)).headers.get('vary'), path).toMatch(/authorization/i);
    }
    const replies = [await refresh(token), await refresh('x'), await logOut({ refresh: token })];
    for (const response of replies) expect(response.headers.get('cache-control')).toContain('no-store');
  });

  rule('are not authenticated by a reset link or any other mailed link', async () => {
    await api.post('/api/forgot-password/', { email });
    const token = readLink((await readMails(database, email))[0]).searchParams.get('token') ?? '';
    expect((await refresh(`${userId}.${token}`)).status).toBe(401);
    expect(await isAccepted(api, token)).toBe(false);
  });
});
