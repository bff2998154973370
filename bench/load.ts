/** A server pinned to one core, and a load generator on the other. */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Of the machine, if available. */
const TOOLS = { load: 'wrk', pin: 'taskset' };
/** A first start may build the pages. */
const START_TRIES = 1_200;
const START_WAIT_MS = 100;

/** The headers of a browser; without them pages are sent uncompressed. */
export const BROWSER = [
  'accept-encoding: gzip, deflate, br',
  'user-agent: Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0',
];

export interface ServerOptions {
  /** Arguments of Node. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where it will listen. */
  readonly url: string;
  /** Its standard output. */
  readonly logFile: string;
  /** Default: 0. */
  readonly core?: number;
  /** The checkout that it runs from; default: this one. */
  readonly folder?: string | undefined;
}

/** Starts a server of this repository and waits until /readyz answers. */
export async function startPinned({
  args,
  env,
  url,
  logFile,
  core = 0,
  folder = ROOT,
}: ServerOptions): Promise<ChildProcess> {
  const [command = '', ...rest] = pinned(core, [process.execPath, ...args]);
  const server = spawn(command, rest, {
    cwd: folder,
    env: { ...process.env, ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  server.stdout.pipe(createWriteStream(logFile, { flags: 'a' }));
  for (let tries = 0; tries < START_TRIES && server.exitCode === null; tries += 1) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined);
    if (response?.ok) return server;
    await wait(START_WAIT_MS);
  }
  await stopServer(server);
  throw new Error(`the server at ${url} does not answer`);
}

export async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await exit;
}

export interface LoadFigures {
  readonly count: number;
  readonly perSec: number;
  /** As printed by wrk; '?' with autocannon. */
  readonly p50: string;
  readonly p99: string;
  /** '' without failures. */
  readonly errors: string;
}

export interface LoadOptions {
  readonly headers: readonly string[];
  readonly seconds: number;
  /** A Lua script for wrk, which is then required. */
  readonly script?: string;
}

/** Requests a URL from 32 connections as fast as it is answered. */
export function runLoad(url: string, { headers, seconds, script }: LoadOptions): LoadFigures {
  const flags = headers.flatMap((header) => ['-H', header]);
  if (spawnSync(TOOLS.load, ['--version']).error !== undefined) {
    if (script !== undefined) throw new Error('This needs wrk: apt-get install wrk');
    return runAutocannon(url, flags, seconds);
  }
  const lua = script === undefined ? [] : ['-s', script];
  const { stdout, stderr } = runOnCore(1, [
    TOOLS.load,
    '-t1',
    '-c32',
    `-d${seconds}`,
    '--latency',
    ...lua,
    ...flags,
    url,
  ]);
  if (!stdout.includes('requests in')) throw new Error(`wrk failed: ${stdout}${stderr}`);
  const find = (pattern: RegExp) => pattern.exec(stdout)?.[1] ?? '?';
  return {
    count: Number(find(/(\d+) requests in/)),
    perSec: Number(find(/Requests\/sec:\s+(\S+)/)),
    p50: find(/50%\s+(\d\S+)/),
    p99: find(/99%\s+(\d\S+)/),
    errors: /Non-2xx[^\n]*|Socket errors[^\n]*/.exec(stdout)?.[0] ?? '',
  };
}

function runAutocannon(url: string, flags: readonly string[], seconds: number): LoadFigures {
  const tool = join(ROOT, 'node_modules/.bin/autocannon');
  const { stdout, stderr } = runOnCore(1, [tool, '-c', '32', '-d', String(seconds), ...flags, url]);
  const line = (stdout + stderr).split('\n').find((text) => text.includes('requests in')) ?? '';
  const count = Number.parseFloat(line) * (line.includes('k requests') ? 1_000 : 1);
  return { count, perSec: count / seconds, p50: '?', p99: '?', errors: '' };
}

function runOnCore(core: number, tool: readonly string[]): { stdout: string; stderr: string } {
  const [command = '', ...args] = pinned(core, tool);
  return spawnSync(command, args, { encoding: 'utf8' });
}

function pinned(core: number, command: readonly string[]): readonly string[] {
  return spawnSync(TOOLS.pin, ['--version']).error ? command : [TOOLS.pin, '-c', String(core), ...command];
}

/** User and system time; a tick is 10 ms on Linux. */
export function cpuSecondsOf({ pid }: ChildProcess): number {
  const fields =
    readFileSync(`/proc/${pid ?? 0}/stat`, 'utf8')
      .split(') ')[1]
      ?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Resident memory. */
export function memoryMibOf({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid ?? 0}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
