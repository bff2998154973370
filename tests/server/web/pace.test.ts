import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type TestWebOptions, startWeb } from '#support/http/web.ts';

const SHORT = {
  silenceMs: 150,
  bodyPace: { graceMs: 100, bytesPerSec: 10_000 },
  readPace: { graceMs: 100, bytesPerSec: 1_000_000 },
};
const FIVE_MB = Buffer.alloc(5_000_000);
type Api = NonNullable<TestWebOptions['api']>;

async function start(api: Api, limits: TestWebOptions['limits'] = SHORT): Promise<number> {
  const { url } = await startWeb({ api, limits });
  return Number(new URL(url).port);
}

const readBody: Api = (req, res) => void req.resume().once('end', () => res.end('whole'));

/** Sends a body of 1,000,000 bytes, `bytes` every 20 ms. Returns the reply once the connection ended. */
function send(port: number, bytes: number): Promise<string> {
  return new Promise((resolve) => {
    let reply = '';
    let left = 1_000_000;
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('POST /api/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1000000\r\n\r\n');
      const timer = setInterval(() => {
        if (left === 0) return;
        const part = Math.min(bytes, left);
        left -= part;
        socket.write(Buffer.alloc(part));
      }, 20);
      socket.on('data', (chunk) => (reply += chunk.toString()));
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(timer);
        resolve(reply);
      });
    });
  });
}

/** Requests 5 MB and reads the given bytes a second. Returns whether the server could send all of them. */
async function isReadWhole(bytesPerSec: number, limits: TestWebOptions['limits'] = SHORT): Promise<boolean> {
  const sent = Promise.withResolvers<boolean>();
  const port = await start((_, res) => {
    res.once('close', () => sent.resolve(res.writableFinished));
    res.end(FIVE_MB);
  }, limits);
  const socket = connect(port, '127.0.0.1', () => socket.write('GET /api/x HTTP/1.1\r\nHost: x\r\n\r\n'));
  socket.on('error', () => undefined);
  socket.on('data', ({ byteLength }) => {
    socket.pause();
    setTimeout(() => socket.resume(), (byteLength / bytesPerSec) * 1000).unref();
  });
  const isWhole = await sent.promise;
  socket.destroy();
  return isWhole;
}

describe('a request body', () => {
  test('P1: is aborted when it is too slow', async () => {
    expect(await send(await start(readBody), 20)).toBe('');
  });

  test('arrives when it is slow but steady', async () => {
    expect(await send(await start(readBody), 40_000)).toMatch(/whole/);
  });

  test('is not aborted because the server does not read it', async () => {
    const port = await start((req) => void req.pause());
    expect(await Promise.race([send(port, 20), wait(500, 'still open')])).toBe('still open');
  });

  test('that has arrived is answered, however long the server works on it', async () => {
    const port = await start(
      (req, res) => void req.resume().once('end', () => setTimeout(() => res.end('whole'), 700)),
    );
    expect(await send(port, 200_000)).toMatch(/whole/);
  });

  test('that stalls is aborted, whatever the server would do with it', async () => {
    expect(await send(await start(readBody), 0)).toBe('');
  });
});

describe('an answer', () => {
  test.each([
    ['stops', 1, 150],
    ['crawls', 1_000, 60_000],
  ])('is cut when its reader %s', async (_, bytesPerSec, silenceMs) => {
    expect(await isReadWhole(bytesPerSec, { ...SHORT, silenceMs })).toBe(false);
  });

  test('of one large chunk is sent to its end while it is read', async () => {
    // Loopback sockets accept new bytes a megabyte at a time.
    const limits = { silenceMs: 1_000, readPace: { graceMs: 500, bytesPerSec: 10_000 } };
    expect(await isReadWhole(4_000_000, limits)).toBe(true);
  });
});
