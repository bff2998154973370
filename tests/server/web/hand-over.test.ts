import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findFreePort } from '#server/web/free-port.ts';
import { openHandOver } from '#server/web/hand-over.ts';
import type { HandOverOptions } from '#server/web/hand-over.ts';

/** A primary without a worker. */
async function startWithoutWorker(options: Partial<HandOverOptions>) {
  const port = await findFreePort('127.0.0.1');
  const handOver = await openHandOver({
    host: '127.0.0.1',
    port,
    waitingMax: 64,
    isBehindProxy: false,
    ...options,
  });
  onTestFinished(() => handOver.close());
  return port;
}

/** A client that is connected, from an address of this machine. */
async function connectFrom(localAddress: string, port: number): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port, localAddress });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.resume();
  await once(socket, 'connect');
  return socket;
}

test('P18 lets one address have a quarter of the connections that wait for a worker', async () => {
  const report = vi.fn<NonNullable<HandOverOptions['report']>>();
  const port = await startWithoutWorker({ report });
  const own = await Promise.all(Array.from({ length: 16 }, () => connectFrom('127.0.0.1', port)));
  const excess = await connectFrom('127.0.0.1', port);
  if (!excess.closed) await once(excess, 'close');
  const other = await connectFrom('127.0.0.2', port);
  const last = await connectFrom('127.0.0.1', port);
  // It was accepted after all the others.
  if (!last.closed) await once(last, 'close');
  for (const socket of [...own, other]) expect(socket.destroyed).toBe(false);
  expect(report.mock.calls).toEqual([[{ closed: 1 }]]);
});

test('P18 limits the connections of all addresses that wait for a worker', async () => {
  const port = await startWithoutWorker({ waitingMax: 16, isBehindProxy: true });
  const all = await Promise.all(Array.from({ length: 16 }, () => connectFrom('127.0.0.1', port)));
  const excess = await connectFrom('127.0.0.2', port);
  if (!excess.closed) await once(excess, 'close');
  for (const socket of all) expect(socket.destroyed).toBe(false);
});

test('P18 closes a connection that no worker takes within the limit, and has room for another one', async () => {
  const port = await startWithoutWorker({ waitingMax: 1, isBehindProxy: true, waitLimitMs: 300 });
  const startedAt = performance.now();
  const first = await connectFrom('127.0.0.1', port);
  await once(first, 'close');
  // Timers of Node may be a millisecond early.
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(299);
  const second = await connectFrom('127.0.0.1', port);
  const secondAt = performance.now();
  await once(second, 'close');
  expect(performance.now() - secondAt).toBeGreaterThan(200);
});
