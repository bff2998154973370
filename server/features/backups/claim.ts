import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Ends the name of every folder of unfinished files. */
export const SCRATCH = '.partial';
const OWNER = 'owner.json';
const TOUCH_MS = 10_000;
/** A folder that its owner has not touched for this long was left by a process on another machine. */
const ABANDONED_MS = 5 * 60_000;

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
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes what killed processes have left beside this place. */
export async function sweepAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.endsWith(SCRATCH) && existsSync(join(path, OWNER)) && (await isAbandoned(path)))
      await sweep(path);
  }
}

async function take(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  await writeFile(join(folder, OWNER), JSON.stringify({ host: hostname(), pid: process.pid }));
  return true;
}

async function isAbandoned(folder: string): Promise<boolean> {
  const file = join(folder, OWNER);
  // Without an owner: killed between the two steps of `take`.
  const touched = (await stat(file).catch(() => undefined)) ?? (await stat(folder).catch(() => undefined));
  if (touched === undefined || Date.now() - touched.mtimeMs > ABANDONED_MS) return true;
  try {
    const { host, pid } = JSON.parse(await readFile(file, 'utf8')) as { host: string; pid: number };
    return host === hostname() && !isRunning(pid);
  } catch {
    return false;
  }
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
  const doomed = `${folder}.${process.pid}.abandoned`;
  await rename(folder, doomed).catch(() => undefined);
  await rm(doomed, { recursive: true, force: true });
}
