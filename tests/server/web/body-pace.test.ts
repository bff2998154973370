import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { watchPace } from '../../../server/web/body-pace.ts';

/** A server that reads bodies to their end, or not at all. */
async function start(isReading = true) {
  const server = createServer((req, res) => {
    watchPace(req, { graceMs: 100, bytesPerSec: 10_000 });
    if (isReading) req.resume().once('end', () => res.end('whole'));
    else req.pause();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Sends a body of 1,000,000 bytes, `bytes` each 20 ms, and gives what came back once the line ended. */
function send(port: number, bytes: number): Promise<string> {
  return new Promise((resolve) => {
    let reply = '';
    let left = 1_000_000;
    const socket = connect(port, '127.0.0.1', () => {
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 1000000\r\n\r\n');
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

test('P1: a body that crawls is cut', async () => {
  expect(await send(await start(), 20)).toBe('');
});

test('a body that takes long and moves on arrives', async () => {
  expect(await send(await start(), 40_000)).toMatch(/whole$/);
});

test('a body that the server does not read is not cut for it', async () => {
  const port = await start(false);
  const outcome = await Promise.race([
    send(port, 20),
    new Promise((resolve) => setTimeout(() => resolve('still open'), 400)),
  ]);
  expect(outcome).toBe('still open');
});
