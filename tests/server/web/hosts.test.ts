import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createHostCheck } from '#server/web/hosts.ts';
import { startWeb } from '#support/http/web.ts';

const PUBLIC = { siteUrl: 'https://sounds.example', listensOn: '0.0.0.0', trustedProxyHops: 0 };
const LOCAL = { siteUrl: 'http://127.0.0.1:4321', listensOn: '127.0.0.1', trustedProxyHops: 0 };
const LAN = { siteUrl: 'http://localhost:4321', listensOn: '0.0.0.0', trustedProxyHops: 0 };

function judge(options: typeof PUBLIC, host: string | undefined, headers: Record<string, string> = {}) {
  return createHostCheck(options)({ headers: { ...headers, host } } as unknown as IncomingMessage);
}

describe('a Host', () => {
  test.each([
    'sounds.example',
    'SOUNDS.example.',
    'sounds.example:4321',
    'localhost:4321',
    '127.0.0.1:4321',
    '203.0.113.9',
    '[::1]:4321',
    '[2001:db8::1]',
    'app:4321',
    'music-pc.local:4321',
    'web.shop.svc.cluster.local',
    undefined,
  ])('%s is served by a site with a public name', (host) => {
    expect(judge(PUBLIC, host)).toBe('serve');
  });

  test.each([
    'evil.example',
    'www.sounds.example',
    'sounds.example.evil.test',
    'evil.test:4321',
    '127.0.0.1.evil.test',
    'local.evil.test',
    '"><script>',
    'a b',
    '',
  ])('%s is redirected to the public name, or refused behind an unconfigured proxy', (host) => {
    expect(judge(PUBLIC, host)).toBe('redirect');
    expect(judge(PUBLIC, host, { 'x-forwarded-for': '203.0.113.9' })).toBe('refuse');
    expect(judge(PUBLIC, host, { forwarded: 'for=203.0.113.9' })).toBe('refuse');
  });

  test('of a website that resolves to this machine is refused by a server on loopback', () => {
    expect(judge(LOCAL, 'evil.test:4321')).toBe('refuse');
    expect(judge(LOCAL, 'localhost:4321')).toBe('serve');
    expect(judge(LOCAL, '127.0.0.1:4321')).toBe('serve');
  });

  test('can be anything for a server on a network without a public name, and behind a proxy', () => {
    expect(judge(LAN, 'music.corp.example:4321')).toBe('serve');
    expect(judge({ ...PUBLIC, trustedProxyHops: 1 }, 'site-1234.platform.example')).toBe('serve');
  });
});

describe('a request for another name', () => {
  const ask = (target: string, method = 'GET') =>
    `${method} ${target} HTTP/1.1\r\nHost: evil.test\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;

  test('is redirected for a page, also from the cache', async () => {
    const { raw, get } = await startWeb({ siteUrl: 'https://sounds.example' });
    expect((await get('/sounds?search=%E9%9B%A8')).status).toBe(200);
    for (const method of ['GET', 'HEAD']) {
      const reply = await raw(ask('/sounds?search=%E9%9B%A8', method));
      expect(reply).toMatch(/^HTTP\/1\.1 308 /);
      expect(reply).toContain('location: https://sounds.example/sounds?search=%E9%9B%A8\r\n');
      expect(reply).not.toContain('evil');
    }
  });

  test.each([
    ['an API call', '/api/sounds/', 'GET'],
    ['a change', '/api/account/login/', 'POST'],
    ['a file', '/media/sounds/a/cccccccc.mp3', 'GET'],
    ['a form to a page', '/sounds', 'POST'],
    ['an address with two meanings', '//evil.test/', 'GET'],
  ])('gets 421 if it is %s', async (_, target, method) => {
    const { raw } = await startWeb({ siteUrl: 'https://sounds.example' });
    const reply = await raw(ask(target, method));
    expect(reply).toMatch(/^HTTP\/1\.1 421 /);
    expect(reply).toContain('x-content-type-options: nosniff');
    expect(reply).toContain('"detail":"');
  });

  test.each(['/healthz', '/readyz', '/healthz/', '/readyz/'])('is answered if it is %s', async (target) => {
    const { raw } = await startWeb({ siteUrl: 'https://sounds.example' });
    expect(await raw(ask(target))).toMatch(/^HTTP\/1\.1 200 /);
  });
});
