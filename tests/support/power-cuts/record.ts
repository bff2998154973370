import { fork } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { makeFolder } from '#support/files/folders.ts';
import { seesAll } from './cuts.ts';
import type { FileEvent, Recording } from './events.ts';
import { readTrace, toStrace } from './trace.ts';

const HOOK = fileURLToPath(new URL('record-fs.ts', import.meta.url));

interface Recorded {
  readonly module: URL;
  readonly args: readonly unknown[];
  readonly env?: Readonly<Record<string, string>>;
  /** What the process is sent at its start. */
  readonly request?: object | number;
  /** Kills it after this message or line; otherwise it is expected to end by itself. */
  isLast?(message: unknown): boolean;
}

/** Runs a process, and records what it does to the files below `root`: every call with strace, otherwise those of `node:fs`. */
export async function record(
  root: string,
  { module, args, env, request, isLast }: Recorded,
): Promise<Recording> {
  const before = await readAll(root);
  const output = join(await makeFolder(), 'calls');
  const [execPath, ...execArgv] = seesAll
    ? [...toStrace(output), process.execPath]
    : ([process.execPath, '--import', HOOK] as const);
  const child = fork(module, args.map(String), {
    execPath,
    execArgv,
    env: { ...process.env, ...env, UV_USE_IO_URING: '0', RECORDED_ROOT: root, RECORDED_EVENTS: output },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const stop = async () => {
    const [, pid] = /^(\d+) /.exec(await readStart(output)) ?? [];
    if (child.exitCode === null && child.signalCode === null) process.kill(Number(pid), 'SIGKILL');
  };
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) await stop();
  });
  let isStopped = false;
  const hear = (message: unknown) => {
    if (isLast?.(message) !== true || isStopped) return;
    isStopped = true;
    void stop();
  };
  child.on('message', hear);
  if (child.stdout !== null) createInterface(child.stdout).on('line', hear);
  if (request !== undefined) child.send(request);
  const [code] = await exit;
  if (!isStopped && code !== 0) throw new Error(`${fileURLToPath(module)} ended with ${code}`);
  return { root, before, events: await (seesAll ? readTrace(output, root) : readEvents(output)) };
}

/** Those of `record-fs.ts`. */
async function readEvents(file: string): Promise<FileEvent[]> {
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
  return lines.map((line) => {
    const event = JSON.parse(line) as FileEvent;
    return event.kind === 'write' ? { ...event, bytes: Buffer.from(event.bytes) } : event;
  });
}

async function readStart(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(32), 0, 32, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

async function readAll(root: string): Promise<Recording['before']> {
  const found = new Map<string, Buffer | 'folder'>();
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }));
  for (const { entry, path } of paths.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
    found.set(path, entry.isDirectory() ? 'folder' : await readFile(path));
  return found;
}
