import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { startWeb } from '#support/http/web.ts';

const END = 'Host: x\r\nConnection: close\r\n\r\n';

describe('malformed HTTP', () => {
  test.each([
    ['a huge header', `GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}\r\n${END}`, 431],
    ['a huge address', `GET /sounds?search=${'x'.repeat(100_000)} HTTP/1.1\r\n${END}`, 431],
    [
      'thousands of long headers',
      `GET / HTTP/1.1\r\n${'X-Header: some long enough text\r\n'.repeat(4_000)}${END}`,
      431,
    ],
    ['no HTTP at all', 'hello\r\n\r\n', 400],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['HTTP/0.9', 'GET /\r\n\r\n', 400],
    ['two lengths', `POST /api/x HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n${END}abcd`, 400],
    [
      'a length and chunks',
      `POST /api/x HTTP/1.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n${END}0\r\n\r\n`,
      400,
    ],
    ['a space before a colon', `GET / HTTP/1.1\r\nX : y\r\n${END}`, 400],
    ['a control character in a header', `GET / HTTP/1.1\r\nX: a\x01b\r\n${END}`, 400],
    ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['two Hosts', `GET / HTTP/1.1\r\nHost: elsewhere.test\r\n${END}`, 400],
    ['the same Host twice', `GET / HTTP/1.1\r\nhost: x\r\n${END}`, 400],
    ['two Hosts in HTTP/1.0', `GET / HTTP/1.0\r\nHost: elsewhere.test\r\n${END}`, 400],
    ['two Hosts at an API', `GET /api/sounds/ HTTP/1.1\r\nHost: elsewhere.test\r\n${END}`, 400],
    ['two Hosts of a check', `GET /healthz HTTP/1.1\r\nHost: elsewhere.test\r\n${END}`, 400],
    ['an absolute address on another host', `GET http://elsewhere.test/sounds HTTP/1.1\r\n${END}`, 400],
    ['an absolute address with a user', `GET http://a@x/sounds HTTP/1.1\r\n${END}`, 400],
    ['an absolute address in HTTP/1.0', `GET http://x/ HTTP/1.0\r\nConnection: close\r\n\r\n`, 400],
    ['raw UTF-8 in the address', `GET /artist/\xe9\x9b\xa8 HTTP/1.1\r\n${END}`, 400],
    ['a space in the address', `GET /a b HTTP/1.1\r\n${END}`, 400],
  ])('is answered with a guarded error: %s', async (_, request, status) => {
    const { raw, get } = await startWeb();
    const reply = await raw(request);
    expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(reply).toContain('x-content-type-options: nosniff');
    const [head = '', body = ''] = reply.split('\r\n\r\n');
    expect(Buffer.from(body, 'latin1').toString()).toMatch(/(?:正しくありません|長すぎます|大きすぎます)。/);
    expect(head).toContain(`content-length: ${body.length}`);
    expect(reply.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
    expect((await get('/')).status).toBe(200);
  });

  test.each([
    ['an asterisk', `OPTIONS * HTTP/1.1\r\n${END}`, 405],
    ['an absolute address', `GET http://X/sounds HTTP/1.1\r\n${END}`, 200],
    ['300 headers', `GET / HTTP/1.1\r\n${'X: y\r\n'.repeat(300)}${END}`, 200],
    ['a strange Host', `GET / HTTP/1.1\r\nHost: "><script>\r\nConnection: close\r\n\r\n`, 200],
    ['HTTP/1.0 without Host', 'GET / HTTP/1.0\r\n\r\n', 200],
    ['an expectation', `GET / HTTP/1.1\r\nExpect: the-unexpected\r\n${END}`, 200],
    ['an upgrade', `GET / HTTP/1.1\r\nUpgrade: websocket\r\nHost: x\r\nConnection: Upgrade\r\n\r\n`, 200],
  ])('is answered once: %s', async (_, request, status) => {
    const { raw } = await startWeb();
    const reply = await raw(request);
    expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(reply.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
  });

  test('is answered with an error also where the page is in the cache', async () => {
    const { raw, get } = await startWeb();
    for (const time of ['first', 'second']) expect([time, (await get('/')).status]).toEqual([time, 200]);
    for (const request of [
      `GET / HTTP/1.1\r\nHost: elsewhere.test\r\n${END}`,
      `GET / HTTP/1.0\r\nHost: elsewhere.test\r\n${END}`,
      'GET / HTTP/1.1\r\nConnection: close\r\n\r\n',
    ])
      expect(await raw(request)).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('P10 is answered 408 when its head does not end', async () => {
    const { raw } = await startWeb();
    expect(await raw('GET / HTTP/1.1\r\nHost: x\r\n', 20_000)).toMatch(/^HTTP\/1\.1 408 /);
  }, 20_000);

  test('closes a CONNECT request without a reply', async () => {
    const { raw, get } = await startWeb();
    expect(await raw(`CONNECT elsewhere.test:443 HTTP/1.1\r\n${END}`)).toBe('');
    expect((await get('/')).status).toBe(200);
  });

  test('continues when a client resets the connection in the middle of a file', async () => {
    const { url, storage, sounds, get } = await startWeb();
    const key = 'c'.repeat(64);
    await storage.put(`sounds/${key}`, Buffer.alloc(5_000_000));
    sounds.set('a', {
      audio_key: key,
      audio_mime: 'audio/mpeg',
      audio_size: 5_000_000,
      is_published: true,
      title: '',
      artistUsername: '',
    });
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1', () =>
        socket.write(`GET /media/sounds/a/cccccccc.mp3 HTTP/1.1\r\n${END}`),
      );
      socket.once('data', () => socket.resetAndDestroy());
      socket.once('close', () => resolve());
    });
    expect((await get('/media/sounds/a/cccccccc.mp3', { range: 'bytes=0-0' })).status).toBe(206);
  });
});
