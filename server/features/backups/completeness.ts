import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HOUR_MS } from '../../../contract/values/time-units.ts';
import { MANIFEST_ENTRY, SUMS_ENTRY } from './manifest.ts';
import { findLatest, listStoredEntries } from './pool.ts';

/** A tar ends with two blocks of zeros (POSIX pax), and other programs add more. Before them is the end of a list of lines. */
const ZEROS_MIN = 1_024;
const TAR_END_BYTES = 10_240 + 512;
const NEWLINE = 10;
const ARCHIVES_MAX = 100;
/** An archive that somebody copies here is not complete yet. */
const COPY_MS_MAX = HOUR_MS;

/** Why an archive or a backup of a folder cannot be complete; undefined if it looks complete. Reads a few bytes. */
export async function findCut(backup: string): Promise<string | undefined> {
  const found = await stat(backup).catch(() => undefined);
  if (found === undefined) return 'it does not exist';
  if (found.isFile()) {
    const end = await readEnd(backup, found.size, TAR_END_BYTES);
    const last = end.findLastIndex((byte) => byte !== 0);
    const hasEnd = end.at(last) === NEWLINE && end.length - last > ZEROS_MIN;
    return hasEnd ? undefined : 'its end marker is missing: it was cut off';
  }
  for (const name of [MANIFEST_ENTRY, SUMS_ENTRY]) {
    const file = await stat(join(backup, name)).catch(() => undefined);
    if (file === undefined || file.size === 0) return `${name} is missing`;
  }
  const sums = join(backup, SUMS_ENTRY);
  const [last] = await readEnd(sums, (await stat(sums)).size, 1);
  return last === NEWLINE ? undefined : `${SUMS_ENTRY} was cut off`;
}

/** The latest backup of a folder, and the archives in it that have not just been written. */
export async function listToExamine(folder: string, nowMs: number): Promise<readonly string[]> {
  const latest = await findLatest(folder, nowMs);
  const archives: string[] = [];
  for (const name of (await readdir(folder)).filter((each) => each.endsWith('.tar')).slice(0, ARCHIVES_MAX)) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found?.isFile() && Math.abs(nowMs - found.mtimeMs) > COPY_MS_MAX) archives.push(join(folder, name));
  }
  return [...(latest === undefined ? [] : [join(folder, latest)]), ...archives];
}

/** The files that the latest backup of a folder refers to, and that the folder does not have; none if it is cut off. */
export async function* findMissingObjects(folder: string, nowMs: number): AsyncGenerator<string> {
  const latest = await findLatest(folder, nowMs);
  if (latest === undefined || (await findCut(join(folder, latest))) !== undefined) return;
  for await (const { name, path } of listStoredEntries(join(folder, latest)))
    if ((await stat(path).catch(() => undefined)) === undefined) yield `${latest}: ${name}`;
}

async function readEnd(path: string, size: number, bytes: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, Math.max(0, size - bytes));
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
