import { spawn } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { makeFolder } from '#support/files/folders.ts';
import { NODE_OPTIONS } from '#support/processes/node-options.ts';

export const MIB = 1024 * 1024;
const RUNNER = fileURLToPath(new URL('run-server.ts', import.meta.url));
const PAGES = `export const render = async () => new Response('page');`;

async function makeEmptyPages(folder: string): Promise<string> {
  const distDir = join(folder, 'dist');
  await mkdir(join(distDir, 'server'), { recursive: true });
  await mkdir(join(distDir, 'client'), { recursive: true });
  await writeFile(join(distDir, 'server', 'entry.mjs'), PAGES);
  return distDir;
}

/**
 * A host in its own process, whose memory can be measured on Linux. It serves empty pages, or those of a folder that was
 * built.
 */
export async function startHostProcess(env: Readonly<Record<string, string>> = {}, built?: string) {
  const folder = await makeFolder();
  const dataDir = join(folder, 'data');
  const distDir = built ?? (await makeEmptyPages(folder));
  const child = spawn(process.execPath, [...NODE_OPTIONS, RUNNER, distDir], {
    env: { PATH: process.env['PATH'], NODE_ENV: 'production', PORT: '0', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = await new Promise<string>((resolve) => {
    createInterface(child.stdout).on('line', (text) => {
      const line = JSON.parse(text) as Record<string, unknown>;
      if (line['msg'] === 'listening') resolve(String(line['url']));
    });
  });

  /** Bytes. */
  async function readStatus(name: 'VmRSS' | 'VmHWM'): Promise<number> {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  }

  return {
    url,
    dataDir,
    temporary: () => readdir(join(dataDir, 'temporary')),
    /** Starts a measurement. The returned function resolves with the peak increase of memory, in bytes. */
    async watchMemory(): Promise<() => Promise<number>> {
      await writeFile(`/proc/${child.pid}/clear_refs`, '5'); // resets the peak
      const before = await readStatus('VmRSS');
      return async () => (await readStatus('VmHWM')) - before;
    },
  };
}
