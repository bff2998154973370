import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Socket, connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type TestWebOptions, startWeb } from '#support/http/web.ts';

const LARGE = Buffer.alloc(3_000_000);
/** The limits of the server and of one address. */
const ALL = 40;
const SHARE = 16;
const GRACE_MS = 300;

/** `/api/large` exceeds the socket buffers, `/api/slow` waits until it is released. */
async function start(options: TestWebOptions = {}) {
  const held: ServerResponse[] = [];
  const api = (req: IncomingMessage, res: ServerResponse) => {
    if (req.url === '/api/slow') held.push(res);
    else res.end(req.url === '/api/large' ? LARGE : req.url);
  };
  const { url, lines } = await startWeb({
    api,
    maxConnections: ALL,
    limits: { idleGraceMs: GRACE_MS, readPace: { graceMs: GRACE_MS, bytesPerSec: 1_000_000 } },
    ...options,
  });
  return { port: Number(new URL(url).port), held, lines };
}

interface Peer {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  text: string;
}

/** Connects from an address of this machine and sends GET requests for `paths` in one write. */
function ask(port: number, localAddress: string, paths: readonly string[], headers = ''): Promise<Peer> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  onTestFinished(() => void socket.destroy());
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const peer: Peer = { socket, closed, text: '' };
  socket.on('error', () => undefined);
  const request = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`).join('');
  return new Promise((resolve) => {
    void closed.then(() => resolve(peer));
    socket.once('connect', () => socket.write(request, () => resolve(peer)));
  });
}

async function askAndRead(...args: Parameters<typeof ask>): Promise<Peer> {
  const peer = await ask(...args);
  peer.socket.on('data', (chunk: Buffer) => (peer.text += chunk.toString('latin1')));
  return peer;
}

/** Holds a connection by requesting a large body and reading 13 bytes a second. */
async function crawl(port: number, localAddress: string): Promise<Socket> {
  const { socket } = await ask(port, localAddress, Array<string>(12).fill('/api/large'));
  socket.pause();
  const timer = setInterval(() => socket.read(1), 1000 / 13);
  socket.once('close', () => clearInterval(timer));
  return socket;
}

function crawlMany(port: number, localAddress: string, count: number): Promise<Socket[]> {
  return Promise.all(Array.from({ length: count }, () => crawl(port, localAddress)));
}

/** Whether a visitor is answered, and after how many milliseconds; retries like browsers and people. */
async function visit(port: number, localAddress = '127.0.0.1', limitMs = 6_000): Promise<number> {
  const started = performance.now();
  while (performance.now() - started < limitMs) {
    const peer = await askAndRead(port, localAddress, ['/api/x'], 'Connection: close\r\n');
    await peer.closed;
    if (peer.text.includes(' 200 OK')) return performance.now() - started;
    await wait(100);
  }
  return Infinity;
}

describe('connections', () => {
  test('of one slowly reading address leave most places to others', async () => {
    const { port } = await start();
    await crawlMany(port, '127.0.0.2', ALL);
    for (let count = 0; count < 5; count += 1) expect(await visit(port)).toBeLessThan(1_500);
  });

  test('of several slowly reading addresses are closed, so that others are answered', async () => {
    const { port } = await start();
    await Promise.all(['127.0.0.2', '127.0.0.3', '127.0.0.4'].map((from) => crawlMany(port, from, SHARE)));
    expect(await visit(port)).toBeLessThan(6_000);
  });

  test('that sent nothing are closed for others', async () => {
    const { port } = await start();
    for (const from of ['127.0.0.2', '127.0.0.3', '127.0.0.4']) {
      await Promise.all(Array.from({ length: SHARE }, () => ask(port, from, [])));
    }
    expect(await visit(port)).toBeLessThan(6_000);
  });

  test('of a school behind one address are all answered, because idle ones are closed', async () => {
    const { port } = await start();
    const pupils: Peer[] = [];
    for (let lesson = 0; lesson < 10; lesson += 1) {
      const browser = Array.from({ length: 6 }, () => askAndRead(port, '127.0.0.2', ['/api/page']));
      pupils.push(...(await Promise.all(browser)));
      await expect.poll(() => pupils.filter(({ text }) => !text.includes('/api/page')).length).toBe(0);
      await wait(GRACE_MS);
    }
    expect(pupils.filter(({ socket }) => !socket.closed).length).toBeLessThanOrEqual(SHARE);
  });

  test('keep their place while the server works on them, and a newcomer is refused', async () => {
    const { port, held, lines } = await start();
    const working = await Promise.all(
      Array.from({ length: SHARE }, () => askAndRead(port, '127.0.0.2', ['/api/slow'])),
    );
    await expect.poll(() => held.length).toBe(SHARE);
    await wait(GRACE_MS * 2);
    expect((await askAndRead(port, '127.0.0.2', ['/api/x'])).text).toBe('');
    const said = () => lines.filter((line) => line.includes('connections were refused'));
    await expect.poll(said).toHaveLength(1);
    expect(await visit(port)).toBeLessThan(1_500);
    for (const res of held) res.end('worked');
    await expect.poll(() => working.filter(({ text }) => text.includes('worked')).length).toBe(SHARE);
  });

  test('of a proxy count for the client of the request', async () => {
    const { port, held } = await start({ trustedProxyHops: 1 });
    const from = (address: string) => `X-Forwarded-For: ${address}\r\n`;
    const peers = await Promise.all(
      Array.from({ length: SHARE + 4 }, () =>
        askAndRead(port, '127.0.0.1', ['/api/slow'], from('203.0.113.9')),
      ),
    );
    await expect.poll(() => peers.filter(({ text }) => text.includes(' 429 ')).length).toBe(4);
    expect(held).toHaveLength(SHARE);
    const refused = peers.find(({ text }) => text.includes(' 429 '))?.text ?? '';
    expect(refused).toContain('retry-after: 5');
    expect(refused).toContain('x-content-type-options: nosniff');
    const other = await askAndRead(port, '127.0.0.1', ['/api/x'], from('203.0.113.10'));
    await expect.poll(() => other.text).toContain('/api/x');
    for (const res of held) res.end('worked');
    const same = await askAndRead(port, '127.0.0.1', ['/api/x'], from('203.0.113.9'));
    await expect.poll(() => same.text).toContain('/api/x');
  });
});

describe('pipelined requests', () => {
  test('are answered in order, one at a time', async () => {
    const { port, held } = await start();
    const peer = await askAndRead(port, '127.0.0.1', ['/api/slow', '/api/slow', '/api/b']);
    await expect.poll(() => held.length).toBe(1);
    await wait(100);
    expect(held).toHaveLength(1);
    held[0]?.end('first');
    await expect.poll(() => held.length).toBe(2);
    held[1]?.end('second');
    await expect.poll(() => peer.text).toMatch(/first[^]*second[^]*\/api\/b/);
  });

  test.each([
    ['too many', 2_000, ''],
    ['too long', 5, `X: ${'x'.repeat(60_000)}\r\n`],
  ])('end their connection when they are %s', async (_, count, headers) => {
    const { port, held } = await start();
    const peer = await askAndRead(port, '127.0.0.1', Array<string>(count).fill('/api/slow'), headers);
    await peer.closed;
    expect(held.length).toBeLessThan(2);
    expect(await visit(port)).toBeLessThan(1_500);
  });
});
