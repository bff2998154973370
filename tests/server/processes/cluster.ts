import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { type IncomingMessage, type ServerResponse, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { makeFolder } from '#support/files/folders.ts';

const RUNNER = fileURLToPath(new URL('../../support/processes/run-server.ts', import.meta.url));
const PAGES = `export const render = async () => new Response('page');`;
/** A test client names the network from which it calls, as the proxy would see it. */
export const CLIENT_ADDRESS = 'x-client-address';

interface Member {
  readonly child: ChildProcess;
  readonly url: string;
}

/** Several processes of one site behind a proxy that hands out requests in turn. */
export interface Cluster {
  /** The proxy's address, which is the site's. */
  readonly url: string;
  /** The address of each process that runs. */
  readonly addresses: () => readonly string[];
  /** The lines that processes have logged as warnings or errors. */
  readonly problems: Record<string, unknown>[];
  /** Kills a process without warning, and starts another in its place. */
  replace(index: number): Promise<void>;
  /** Ends a process as a deployment does, and starts another in its place. */
  restart(index: number): Promise<void>;
}

/**
 * Starts `count` processes. `toEnv` returns the settings of each; every one of them must name the same data. With
 * `killAfterMs`, all begin at the same time, and one more that is killed after this time.
 */
export async function startCluster(
  count: number,
  toEnv: (index: number, folder: string) => Readonly<Record<string, string>>,
  { killAfterMs }: { readonly killAfterMs?: number } = {},
): Promise<Cluster> {
  const folder = await makeFolder();
  const distDir = join(folder, 'dist');
  await mkdir(join(distDir, 'server'), { recursive: true });
  await mkdir(join(distDir, 'client'), { recursive: true });
  await writeFile(join(distDir, 'server', 'entry.mjs'), PAGES);
  const members: (Member | undefined)[] = [];
  const problems: Record<string, unknown>[] = [];
  const url = await startProxy(() => members.flatMap((member) => member?.url ?? []));
  let starts = 0;

  function begin(index: number) {
    starts += 1;
    const own = { SITE_URL: url, DATA_DIR: join(folder, `process-${starts}`), TRUSTED_PROXY_HOPS: '1' };
    return startMember(distDir, problems, { ...own, ...toEnv(index, folder) });
  }

  async function start(index: number): Promise<void> {
    const member = begin(index);
    members[index] = { child: member.child, url: await member.listening };
  }

  async function end(index: number, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const member = members[index];
    if (member === undefined) throw new Error(`process ${index} does not run`);
    const exit = once(member.child, 'exit');
    member.child.kill(signal);
    // A proxy notices a killed process by its refused connections only.
    if (signal === 'SIGTERM') members[index] = undefined;
    await exit;
  }

  if (killAfterMs === undefined) {
    // The first one makes what is missing.
    await start(0);
    await Promise.all(Array.from({ length: count - 1 }, (_, index) => start(index + 1)));
  } else {
    const doomed = begin(count);
    const others = Promise.all(Array.from({ length: count }, (_, index) => start(index)));
    await wait(killAfterMs);
    doomed.child.kill('SIGKILL');
    await doomed.listening.catch(() => undefined);
    await others;
  }
  return {
    url,
    addresses: () => members.flatMap((member) => member?.url ?? []),
    problems,
    async replace(index) {
      await end(index, 'SIGKILL');
      await start(index);
    },
    async restart(index) {
      await end(index, 'SIGTERM');
      await start(index);
    },
  };
}

function startMember(
  distDir: string,
  problems: Record<string, unknown>[],
  env: Readonly<Record<string, string>>,
) {
  const child = spawn(process.execPath, [RUNNER, distDir], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  /** The address; rejected when the process ends before. */
  const listening = new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the process ended with ${code} before it listened`)));
    createInterface(child.stdout).on('line', (text) => {
      const line = JSON.parse(text) as Record<string, unknown>;
      if (Number(line['level']) >= 40) problems.push(line);
      if (line['msg'] === 'listening') resolve(String(line['url']));
    });
  });
  return { child, listening };
}

/** A connection that is refused is tried at the next process; whatever fails later is answered with 502. */
async function startProxy(listAddresses: () => readonly string[]): Promise<string> {
  let turn = 0;
  const server = createServer((req, res) => {
    const addresses = listAddresses();
    turn += 1;
    const order = addresses.map((_, index) => addresses[(turn + index) % addresses.length] ?? '');
    forward(req, res, order);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function forward(req: IncomingMessage, res: ServerResponse, [address, ...others]: readonly string[]): void {
  if (address === undefined) return void res.writeHead(502).end();
  const { [CLIENT_ADDRESS]: client = '127.0.0.1', ...headers } = req.headers;
  const passed = request(new URL(req.url ?? '/', address), {
    method: req.method,
    headers: { ...headers, 'x-forwarded-for': String(client) },
    setHost: false,
    agent: false,
  });
  let isConnected = false;
  passed.on('socket', (socket) =>
    socket.once('connect', () => {
      isConnected = true;
      req.pipe(passed);
    }),
  );
  passed.on('response', (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(res);
    answer.on('error', () => res.destroy());
  });
  passed.on('error', () => {
    if (!isConnected) return forward(req, res, others);
    if (res.headersSent) res.destroy();
    else res.writeHead(502).end();
  });
  res.on('close', () => passed.destroy());
}
