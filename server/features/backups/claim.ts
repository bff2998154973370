import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { HOUR_MS, MINUTE_MS } from '../../../contract/values/time-units.ts';

/** Ends the name of every folder of unfinished files. */
export const SCRATCH = '.partial';
const OWNER = 'owner.json';
const TOUCH_MS = 10_000;
/** A folder that its owner on another machine has not touched for this long was left by it. */
const ABANDONED_MS = 5 * MINUTE_MS;
/** The same on this machine, where another process may have got the id. Copying SQLite prevents touching for a while. */
const ABANDONED_HERE_MS = 6 * HOUR_MS;
const CLAIM = '.claim';
const SWEPT = '.abandoned';

/** Another process is writing to the same place. */
export class PlaceInUse extends Error {
  override readonly name = 'PlaceInUse';
  constructor(folder: string) {
    super(`another backup is being written (${folder}); wait until it has ended`);
  }
}

/**
 * Calls `use` while this process alone has a folder for unfinished files; removes it afterwards. What a killed process
 * has left there is removed first. Throws `PlaceInUse`.
 */
export async function withScratch<Result>(folder: string, use: () => Promise<Result>): Promise<Result> {
  if (!(await take(folder))) {
    if (!(await isAbandoned(folder))) throw new PlaceInUse(folder);
    await sweep(folder);
    if (!(await take(folder))) throw new PlaceInUse(folder);
  }
  const timer = setInterval(() => {
    const now = new Date();
    utimes(join(folder, OWNER), now, now).catch(() => undefined);
  }, TOUCH_MS);
  timer.unref();
  try {
    return await use();
  } finally {
    clearInterval(timer);
    // In one step: another process may take the folder as soon as it is empty.
    await sweep(folder);
  }
}

/** Removes what killed processes have left beside this place. */
export async function sweepAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.endsWith(SCRATCH) && existsSync(join(path, OWNER)) && (await isAbandoned(path)))
      await sweep(path);
    const isLeft = name.includes(`${SCRATCH}.`) && (name.endsWith(SWEPT) || (await isOldClaim(path)));
    if (isLeft) await rm(path, { recursive: true, force: true });
  }
}

async function isOldClaim(path: string): Promise<boolean> {
  const found = path.endsWith(CLAIM) ? await stat(path).catch(() => undefined) : undefined;
  return found !== undefined && Date.now() - found.mtimeMs > ABANDONED_MS;
}

/** The name of an unfinished file beside others, which `sweepAbandoned` removes if it is left. */
export function toDraftName(name: string): string {
  return `${name}${SCRATCH}.${randomUUID()}${CLAIM}`;
}

/** Atomic: the folder appears together with its owner. Processes of two machines may have the same id. */
async function take(folder: string): Promise<boolean> {
  const draft = `${folder}.${randomUUID()}${CLAIM}`;
  await mkdir(draft, { recursive: true, mode: 0o700 });
  await writeFile(
    join(draft, OWNER),
    JSON.stringify({ host: hostname(), space: readProcessSpace(), pid: process.pid }),
  );
  try {
    await rename(draft, folder);
    return true;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  }
}

interface Owner {
  readonly host: string;
  readonly space: string;
  readonly pid: number;
}

/**
 * Within it, a process id means the same process. Containers may share a host name but not this: the boot of the kernel,
 * and the namespace of process ids. '' where the system has neither.
 */
export function readProcessSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}

async function isAbandoned(folder: string): Promise<boolean> {
  const file = join(folder, OWNER);
  const touched = await stat(file).catch(() => undefined);
  if (touched === undefined) return true;
  const idleMs = Date.now() - touched.mtimeMs;
  try {
    const { host, space, pid } = JSON.parse(await readFile(file, 'utf8')) as Owner;
    const isHere = host === hostname() && space === readProcessSpace();
    if (isHere) return !isRunning(pid) || idleMs > ABANDONED_HERE_MS;
  } catch {
    // Removed meanwhile.
  }
  return idleMs > ABANDONED_MS;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Of two processes that sweep at once, one renames the folder and the other one finds it gone. */
async function sweep(folder: string): Promise<void> {
  const doomed = `${folder}.${randomUUID()}${SWEPT}`;
  await rename(folder, doomed).catch(() => undefined);
  await rm(doomed, { recursive: true, force: true });
}
