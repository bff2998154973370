import { setTimeout } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createLog } from '#server/platform/log.ts';
import { createReadiness } from '#server/web/readiness.ts';
import { expectReply } from '#support/http/replies.ts';
import { startWeb, toHtml } from '#support/http/web.ts';

const ALWAYS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
};
const HSTS = 'max-age=31536000; includeSubDomains';

type Web = Awaited<ReturnType<typeof startWeb>>;

const CARDS = Array.from(
  { length: 300 },
  (_, index) =>
    `<li id="${((index * 7_919) % 1_000).toString(36)}">音${(index * 104_729) % 99_991}の<b>${index}</b></li>`,
).join('');

/** The bytes in which a page with these cards was sent. */
async function measureCards(get: Web['get'], path: string): Promise<number> {
  const response = await get(path, { 'accept-encoding': 'br' });
  expect(await response.text()).toBe(CARDS);
  return Number(response.headers.get('content-length'));
}

describe('every answer', () => {
  test.each([
    ['a page', 'GET', '/', 200],
    ['a page asked for once more', 'GET', '/', 200],
    ['the head of a page', 'HEAD', '/', 200],
    ['a page that does not exist', 'GET', '/nope', 404],
    ['a page that fails', 'GET', '/broken', 500],
    ['a redirection', 'GET', '/old', 301],
    ['a form sent to a page', 'POST', '/', 405],
    ['an API call', 'GET', '/api/sounds/', 200],
    ['an API that throws', 'GET', '/api/throw', 500],
    ['a file that is not there', 'GET', '/media/x', 404],
    ['an internal address', 'GET', '/_image', 404],
    ['a path with two meanings', 'GET', '//api/sounds', 404],
    ['health', 'GET', '/healthz', 200],
    ['health with a slash', 'GET', '/healthz/', 200],
    ['readiness', 'GET', '/readyz', 200],
    ['readiness with a slash', 'GET', '/readyz/?from=probe', 200],
    ['a page below health', 'GET', '/healthz/more', 404],
  ])('guards %s', async (_, method, path, status) => {
    const { get, url } = await startWeb({
      async render(target) {
        if (target === '/broken') throw new Error('secret detail');
        if (target === '/old') return new Response(null, { status: 301, headers: { location: '/new' } });
        return toHtml('<p>page', { status: target === '/' ? 200 : 404 });
      },
      api(req, res) {
        if (req.url === '/api/throw') throw new Error('secret detail');
        res.end('{}');
      },
    });
    await get('/');
    const response = await fetch(url + path, { method, redirect: 'manual' });
    const headers = Object.fromEntries(response.headers);
    expect(response.status).toBe(status);
    expect(headers).toMatchObject(ALWAYS);
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['x-request-id']).toMatch(/^\w{8}-\w+$/);
    expect(headers['strict-transport-security']).toBeUndefined();
    const text = await response.text();
    expect(text).not.toContain('secret');
    if (status >= 400 && headers['content-type']?.startsWith('application/json'))
      expect(JSON.parse(text)).toMatchObject({
        detail: expect.stringMatching(/^[^a-z]+。$|^GET か HEAD で/),
      });
  });

  test('S20 sets HSTS for a year when the site’s address uses https, also when it refuses', async () => {
    const { get, raw } = await startWeb({ siteUrl: 'https://otoichi.test' });
    for (const path of ['/', '/api/x', '/media/x', '/nope', '/a//b', '/healthz']) {
      const { headers } = await get(path, { 'x-forwarded-proto': 'http' });
      expect([path, headers.get('strict-transport-security')]).toEqual([path, HSTS]);
    }
    for (const head of [
      'broken',
      `GET / HTTP/1.1\r\nx: ${'a'.repeat(100_000)}`,
      'GET / HTTP/1.1',
      'TRACE / HTTP/1.0',
    ]) {
      const lines = (await raw(`${head}\r\n\r\n`)).split('\r\n');
      expect(lines[0]).toMatch(/^HTTP\/1\.1 4/);
      expect(lines).toContain(`strict-transport-security: ${HSTS}`);
    }
  });

  test('has its own request id, also from the cache', async () => {
    const { get } = await startWeb();
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await get('/')).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(20);
  });
});

describe('pages', () => {
  test('answer 304 to a matching ETag, in any encoding', async () => {
    const { get } = await startWeb({ render: () => toHtml('音'.repeat(2_000)) });
    const first = await get('/', { 'accept-encoding': 'br' });
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('content-encoding')).toBe('br');
    expect(await first.text()).toBe('音'.repeat(2_000));
    for (const encoding of ['br', 'gzip', 'identity']) {
      const again = await get('/', { 'if-none-match': etag, 'accept-encoding': encoding });
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    }
  });

  test('answer HEAD like GET', async () => {
    const { get } = await startWeb();
    const whole = await get('/sounds');
    const head = await get('/sounds', {}, 'HEAD');
    expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'));
    expect(await head.text()).toBe('');
  });

  test('are compressed as small as possible when visited again, at most one a second', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { get } = await startWeb({ render: () => toHtml(CARDS) });
    const measure = (path: string) => measureCards(get, path);
    const once = await measure('/');
    expect(await measure('/sounds')).toBe(once);
    await expect.poll(() => measure('/')).toBeLessThan(once);
    const least = await measure('/');
    for (let time = 0; time < 5; time += 1) {
      expect(await measure('/sounds')).toBe(once);
      await setTimeout(20);
    }
    await expect
      .poll(() => {
        // So late that the page is rendered again each time.
        vi.setSystemTime(Date.now() + 10_000);
        return measure('/sounds');
      })
      .toBe(least);
    expect(await measure('/')).toBe(least);
  });

  test('are fresh for 30 seconds and kept for five minutes in browsers, and briefly in a CDN', async () => {
    const { get } = await startWeb();
    const { headers } = await get('/');
    expect(headers.get('cache-control')).toBe('public, max-age=30, stale-while-revalidate=270, s-maxage=2');
    expect(headers.get('cdn-cache-control')).toBe('max-age=2');
  });

  test('that fail show an id and are logged with it, and the process continues', async () => {
    let isBroken = true;
    const { get, lines } = await startWeb({
      render() {
        if (isBroken) throw new Error('secret detail');
        return toHtml('well again');
      },
    });
    const response = await get('/');
    const id = response.headers.get('x-request-id');
    expect(await response.json()).toEqual({
      detail: 'サーバーでエラーが発生しました。時間をおいてもう一度お試しください。',
      request_id: id,
    });
    expect(lines.find((line) => line.includes('secret detail'))).toContain(id);
    isBroken = false;
    expect(await (await get('/')).text()).toBe('well again');
  });

  test('that fail because the database is locked or full send Retry-After', async () => {
    for (const [errcode, status, retryAfter] of [
      [5, 503, '5'],
      [13, 507, '60'],
    ] as const) {
      const { get } = await startWeb({
        render() {
          throw Object.assign(new Error('database'), { errcode });
        },
      });
      const response = await get('/');
      expect([response.status, response.headers.get('retry-after')]).toEqual([status, retryAfter]);
    }
  });

  test('can allow an ad network each, also from the cache', async () => {
    const widened = {
      'content-security-policy': "script-src 'self' https:; frame-src https:",
      'cross-origin-opener-policy': 'same-origin-allow-popups',
    };
    const { get } = await startWeb({
      render: (target) => toHtml('page', target === '/sounds' ? { headers: widened } : {}),
    });
    for (const path of ['/sounds', '/login', '/sounds', '/login']) {
      const { headers } = await get(path);
      const isWidened = path === '/sounds';
      expect(headers.get('cross-origin-opener-policy')).toBe(
        isWidened ? 'same-origin-allow-popups' : 'same-origin',
      );
      expect(headers.get('content-security-policy')?.includes('https:')).toBe(isWidened);
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('x-frame-options')).toBe('DENY');
    }
  });

  test('receive only the query parameters that matter', async () => {
    const { get } = await startWeb({ render: (target) => toHtml(`[${target}]`) });
    const long = `search=${'%E9%9B%A8'.repeat(10_000)}`;
    expect(await (await get(`/sounds?${'a&'.repeat(199)}${long}`)).text()).toBe(`[/sounds?${long}]`);
    expect(await (await get(`/sounds?${'a&'.repeat(40_000)}search=b`)).text()).toBe('[/sounds]');
  });

  test('never receive the Host, cookies or headers of a visitor', async () => {
    const seen: string[] = [];
    const { raw } = await startWeb({
      render(target) {
        seen.push(target);
        return toHtml('page');
      },
    });
    const reply = await raw(
      'GET http://evil.test/sounds?search=a&x=1 HTTP/1.1\r\nHost: evil.test\r\nX-Forwarded-Host: evil.test\r\nx-astro-path: /operator\r\nConnection: close\r\n\r\n',
    );
    expect(seen).toEqual(['/sounds?search=a']);
    expect(reply).not.toContain('evil');
  });
});

describe('the API', () => {
  test('receives the checked path and the request’s id', async () => {
    const { raw } = await startWeb({
      api: (req, res) => void res.end(`[${req.url ?? ''}] [${req.rawHeaders.join(' ')}]`),
    });
    const reply = await raw(
      'GET /%61pi/s%6funds/?a=%2F HTTP/1.1\r\nHost: x\r\nX-Request-Id: forged-forged\r\nConnection: close\r\n\r\n',
    );
    expect(reply).toContain('[/api/sounds/?a=%2F]');
    expect(reply).not.toContain('forged');
    const id = /x-request-id: (\S+)/.exec(reply)?.[1];
    expect(reply.split(id ?? 'none')).toHaveLength(3);
  });

  test('is absent when another host serves it', async () => {
    const { get } = await startWeb({ api: undefined });
    expect((await get('/api/sounds/')).status).toBe(404);
  });

  test.each([
    '//api/x',
    '/api//x',
    '/./api/x',
    '/x/../api/x',
    '/api%2fx',
    '/api/%2e%2e/x',
    '/API/x',
    '/api;x/y',
    '/apix',
  ])('cannot be reached by %s', async (path) => {
    const { raw } = await startWeb({
      render: () => toHtml('not found', { status: 404 }),
      api: (_, res) => void res.end('reached'),
    });
    const reply = await raw(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(reply).toMatch(/^HTTP\/1\.1 404 /);
    expect(reply).not.toContain('reached');
  });
});

describe('an unconfigured proxy', () => {
  const warned = (lines: readonly string[]) =>
    lines.filter((line) => (JSON.parse(line) as { level: number }).level === 40);

  test('is logged once, with the name of the setting', async () => {
    const { get, lines } = await startWeb();
    await get('/');
    expect(warned(lines)).toEqual([]);
    for (const path of ['/', '/api/x', '/', '/nope']) await get(path, { 'x-forwarded-for': '203.0.113.9' });
    expect(warned(lines)).toHaveLength(1);
    expect(warned(lines)[0]).toContain('TRUSTED_PROXY_HOPS is 0');
    expect(lines.join('')).not.toContain('203.0.113.9');
  });

  test('is not logged when it is configured', async () => {
    const { get, lines } = await startWeb({ trustedProxyHops: 1 });
    await get('/', { 'x-forwarded-for': '203.0.113.9' });
    expect(warned(lines)).toEqual([]);
  });
});

describe('readiness', () => {
  test('is refused while the database does not answer, without the reason', async () => {
    const database = { check: () => Promise.reject(new Error('password wrong')) };
    const log = createLog('silent', { write: () => undefined });
    const { get } = await startWeb({ checkReadiness: createReadiness({ database }, log) });
    await expectReply(get('/readyz'), 503, { status: 'unavailable', parts: { database: 'failed' } });
    expect((await get('/healthz')).status).toBe(200);
  });
});
