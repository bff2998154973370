import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Site } from './sites.ts';

const ENTRY = fileURLToPath(new URL('../../../server/operator.ts', import.meta.url));

/** Runs a staff command next to the running site; throws unless it succeeded. */
export async function runOperator(site: Site, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [ENTRY, ...args], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      DATA_DIR: site.dataDir,
      PORT: new URL(site.url).port,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number]>,
  ]);
  if (code !== 0) throw new Error(`operator ${args.join(' ')} ended with ${code}: ${err}`);
  return out;
}

/** The ID of the only row that a queue shows for a member. */
export async function findWaiting(
  site: Site,
  queue: 'quality-checks' | 'personal-info' | 'transfers',
  username: string,
): Promise<string> {
  const rows = JSON.parse(await runOperator(site, queue, '--json')) as { id: string; username: string }[];
  const row = rows.find((each) => each.username === username);
  if (row === undefined) throw new Error(`nothing of ${username} waits in ${queue}`);
  return row.id;
}
