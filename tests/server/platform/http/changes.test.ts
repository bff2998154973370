import { beforeAll, describe, expect, test } from 'vitest';
import { UPLOAD_HEADERS } from '#server/features/my-sounds/uploads/routes.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { PASSWORD, addMember, readCookies } from '#support/members/accounts.ts';
import { TEST_SITE_URL, createTestApi } from '#support/http/api.ts';
import { openTestDatabase } from '#support/databases/databases.ts';

const WEB = 'https://web.example.test';
const EVIL = 'https://evil.example';
const EMAIL = 'member@example.test';
const XSRF = 'XSRF-TOKEN=right-token';

describe('a change', () => {
  const { database, api, passwords } = useApiOnce(
    () => openTestDatabase('sqlite'),
    () => ({ webOrigin: WEB }),
  );

  beforeAll(async () => {
    await addMember(database, '音の人', EMAIL);
  });

  const logIn = (headers: Record<string, string>, path = '/api/account/login/') =>
    api.app.request(path, {
      method: 'POST',
      headers: { host: 'localhost', 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ email: EMAIL, username: '', password: PASSWORD }),
    });
  const ours = { origin: 'http://localhost' };
  const behind = { origin: TEST_SITE_URL, host: 'app:4321' };

  test.each<[from: string, headers: Record<string, string>, status: number]>([
    ['our page, before it has a token', ours, 200],
    ['our page, with its token', { ...ours, cookie: XSRF, 'x-xsrf-token': 'right-token' }, 200],
    ['our page, with other cookies alone', { ...ours, cookie: 'a=b' }, 200],
    ['our page, without the header', { ...ours, cookie: XSRF }, 403],
    ['our page, with a wrong header', { ...ours, cookie: XSRF, 'x-xsrf-token': 'wrong-token' }, 403],
    ['our page, with an empty header', { ...ours, cookie: XSRF, 'x-xsrf-token': '' }, 403],
    ['the web client, which cannot read the cookie', { origin: WEB, cookie: XSRF }, 200],
    ['our page, behind a proxy that sends its own Host', { ...behind, cookie: 'a=b' }, 200],
    ['our page, behind such a proxy, without the header', { ...behind, cookie: XSRF }, 403],
    ['our page, without encryption', { origin: TEST_SITE_URL.replace('https:', 'http:') }, 403],
    ['the same behind a proxy', { origin: 'http://site.example', host: 'site.example' }, 403],
    ['a program without cookies', {}, 200],
    ['something without Origin but with cookies', { cookie: XSRF, 'x-xsrf-token': 'right-token' }, 403],
    ['another site', { origin: EVIL }, 403],
    ['another site, with the token', { origin: EVIL, cookie: XSRF, 'x-xsrf-token': 'right-token' }, 403],
    ['a sandboxed page', { origin: 'null', cookie: XSRF, 'x-xsrf-token': 'right-token' }, 403],
    ['a host name that begins like ours', { origin: 'http://localhost.evil.example' }, 403],
    ['a host name that ends like ours', { origin: 'http://evil-localhost' }, 403],
    ['another port', { origin: 'http://localhost:8080' }, 403],
    ['the web client’s host without encryption', { origin: 'http://web.example.test' }, 403],
    ['an empty Origin', { origin: '', cookie: XSRF }, 403],
    ['a file', { origin: 'file://', cookie: XSRF }, 403],
  ])('S8 from %s', async (_, headers, status) => {
    const before = passwords.count();
    const response = await logIn(headers);
    expect(response.status).toBe(status);
    if (status === 200) return;
    expect(passwords.count()).toBe(before);
    expect(Object.keys((await response.json()) as object)).toEqual(['detail']);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(response.headers.get('cache-control')).toContain('no-store');
  });

  test.each([
    'text/plain',
    'text/plain; application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    '',
  ])('S8 is refused as %j, which forms of any site can send', async (type) => {
    expect((await logIn({ ...ours, 'content-type': type })).status).toBe(415);
    expect((await logIn({ 'content-type': type })).status).toBe(415);
  });

  test('S8 is never made by a GET, under any name', async () => {
    for (const path of [
      '/api/account/login/',
      '/api/account/logout/?everywhere=true',
      '/api/account/register/',
      '/api/forgot-password/?email=member@example.test',
      '/api/account/login/?_method=POST',
    ]) {
      const headers = { 'x-http-method-override': 'POST' };
      expect((await api.app.request(path, { headers })).status, path).toBe(404);
    }
  });

  test('sets a token for a browser without one, and keeps a present one', async () => {
    const [first, second] = [await logIn(ours), await logIn(ours)].map(
      (response) => readCookies(response).get('XSRF-TOKEN')?.value ?? '',
    );
    expect(first).toMatch(/^[\w-]{32}$/);
    expect(second).not.toBe(first);
    const withToken = await logIn({ ...ours, cookie: `XSRF-TOKEN=${first}`, 'x-xsrf-token': first ?? '' });
    expect(withToken.status).toBe(200);
    expect(readCookies(withToken).has('XSRF-TOKEN')).toBe(false);
    const refused = await api.post('/api/account/login/', { email: 'x' }, ours);
    expect(readCookies(refused).has('XSRF-TOKEN')).toBe(true);
  });

  test('S12 a token that a sibling host has added, for any path, keeps no page from its calls', async () => {
    const headers = { ...ours, 'x-xsrf-token': 'right-token' };
    for (const cookie of [
      'XSRF-TOKEN=right-token; XSRF-TOKEN=tossed',
      'XSRF-TOKEN=tossed; a=b; XSRF-TOKEN=right-token',
    ])
      expect([cookie, (await logIn({ ...headers, cookie })).status]).toEqual([cookie, 200]);
    expect((await logIn({ ...headers, cookie: 'XSRF-TOKEN=tossed; XSRF-TOKEN=other' })).status).toBe(403);
  });

  test('A8 sets cookies on replies to members, never on public ones', async () => {
    const { access } = (await (await logIn(ours)).json()) as { access: string };
    for (const path of ['/api/sounds/', '/api/genres/', '/api/site-config', '/api/nothing']) {
      expect((await api.app.request(path)).headers.getSetCookie(), path).toEqual([]);
      const cookie = { cookie: 'device=x; a=b' };
      expect((await api.app.request(path, { headers: cookie })).headers.getSetCookie(), path).toEqual([]);
    }
    const headers = { authorization: `Bearer ${access}` };
    const response = await api.app.request('/api/account/profile/', { headers });
    expect(response.headers.getSetCookie()).toHaveLength(1);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });

  test('can be preflighted by the web client, which can send and read the needed headers', async () => {
    const preflight = await api.app.request('/api/account/login/', {
      method: 'OPTIONS',
      headers: {
        origin: WEB,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,content-type,x-xsrf-token,x-other',
      },
    });
    expect(preflight.status).toBe(204);
    const allowed = (preflight.headers.get('access-control-allow-headers') ?? '').split(',');
    expect(allowed).toEqual([
      'authorization',
      'content-type',
      'x-xsrf-token',
      'idempotency-key',
      ...UPLOAD_HEADERS.sent,
    ]);
    const reply = await logIn({ origin: WEB });
    expect(reply.headers.get('access-control-allow-origin')).toBe(WEB);
    expect(reply.headers.get('access-control-allow-credentials')).toBe('true');
    const exposed = (reply.headers.get('access-control-expose-headers') ?? '').split(',');
    expect(exposed).toEqual(['retry-after', 'x-request-id', ...UPLOAD_HEADERS.answered]);
    expect((await logIn({ origin: EVIL })).headers.get('access-control-allow-origin')).not.toBe(EVIL);
  });

  test('logs no links and tokens when it fails', async () => {
    const broken = createTestApi({ ...database, db: undefined as never }, { passwords });
    const id = 'Ab12Cd34Ef56Gh78';
    const response = await broken.get(`/api/account/verify-email/${id}/${'s3cret'.repeat(7)}/`);
    expect(response.status).toBe(500);
    expect(JSON.stringify(broken.logged)).not.toMatch(/s3cret|Ab12/);
  });
});
