/**
 * Measures memory with slow readers: `node bench/slow-downloads.ts`. Twenty clients download a 100 MB file and read 1
 * MB a second; the server must not buffer what they have not read. Exits 1 above 100 MB.
 */
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { createLog } from '../server/platform/log.ts';
import { createSignatures } from '../server/media/signatures.ts';
import { openFolderStorage } from '../server/platform/storage/folder.ts';
import { createHandler } from '../server/web/handler.ts';
import { listen } from '../server/web/listen.ts';
import { createMediaHandler } from '../server/web/media.ts';
import { unlimitedAdmission } from '../server/platform/limits/admission.ts';
import { createPageCache } from '../server/web/page-cache.ts';
import { NO_STATIC_FILES } from '../server/web/static.ts';

const FILE_MB = 100;
const CLIENTS = 20;
const SECONDS = 15;
const BYTES_A_TICK = 100_000;
const LIMIT_MB = 100;
const KEY = 'd'.repeat(64);
const PATH = '/media/sounds/large/dddddddd.mp3';

if (process.argv[2] === 'serve') await serve(process.argv[3] ?? '');
else process.exitCode = await main();

async function main(): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-slow-'));
  const server = fork(import.meta.filename, ['serve', folder]);
  const port = await new Promise<number>((resolve) =>
    server.once('message', (message) => resolve(Number(message))),
  );
  try {
    const before = residentMb(server.pid);
    const clients = Array.from({ length: CLIENTS }, () => readSlowly(port));
    let peak = before;
    for (let tick = 0; tick < SECONDS * 5; tick += 1) {
      await wait(200);
      peak = Math.max(peak, residentMb(server.pid));
    }
    const read = clients.reduce((sum, client) => sum + client.bytesRead, 0) / 1e6;
    for (const client of clients) client.destroy();
    const growth = peak - before;
    console.log(
      `${CLIENTS} readers of a ${FILE_MB} MB file took ${Math.round(read)} MB in ${SECONDS} s; ` +
        `memory ${Math.round(before)} → ${Math.round(peak)} MB, growth ${Math.round(growth)} MB (limit ${LIMIT_MB})`,
    );
    return growth < LIMIT_MB && read > CLIENTS ? 0 : 1;
  } finally {
    server.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

function readSlowly(port: number): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${PATH} HTTP/1.1\r\nHost: x\r\n\r\n`));
  socket.on('data', (chunk) => {
    socket.pause();
    setTimeout(() => socket.resume(), (chunk.byteLength / BYTES_A_TICK) * 100);
  });
  return socket;
}

function residentMb(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid ?? 0}/status`, 'utf8'))?.[1] ?? 0) / 1000;
}

async function serve(folder: string): Promise<void> {
  const log = createLog('silent', { write: () => undefined });
  const storage = await openFolderStorage(folder);
  const chunk = Buffer.alloc(1_000_000, 5);
  await storage.put(`sounds/${KEY}`, Readable.from(Array.from({ length: FILE_MB }, () => chunk)));
  const sound = {
    audio_key: KEY,
    audio_mime: 'audio/mpeg',
    audio_size: FILE_MB * 1_000_000,
    is_published: true,
  };
  const handler = createHandler({
    output: { log, writeLine: () => undefined, flush: () => Promise.resolve(true) },
    security: [],
    staticFiles: NO_STATIC_FILES,
    pages: createPageCache({
      render: () => Promise.reject(new Error('no pages')),
      toKey: ({ path }) => path,
      admission: unlimitedAdmission,
      maxBytes: 0,
    }),
    missAdmission: unlimitedAdmission,
    media: createMediaHandler({
      storage,
      findSoundFile: () => Promise.resolve({ ...sound, title: '', artistUsername: '' }),
      signatures: createSignatures(new Uint8Array(32)),
      webOrigin: null,
      log,
    }),
    api: undefined,
    notices: undefined,
    mayOpenConsole: async () => false,
    trustedProxyHops: 0,
    checkReadiness: () => Promise.resolve({ isReady: true, parts: {} }),
  });
  const { port } = await listen(handler, {
    host: '127.0.0.1',
    port: 0,
    maxConnections: 100,
    trustedProxyHops: 0,
    security: [],
  });
  process.send?.(port);
}
