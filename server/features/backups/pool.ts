import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { MINUTE_MS } from '../../../contract/values/time-units.ts';
import { createFolderMaker, syncFolder, writeSynced } from '../../platform/synced-files.ts';
import { compress, decompress, hashing } from './files.ts';
import type { BackupEntry, BackupReader, BackupWriter } from './format.ts';
import { DATABASE_FOLDER, DATA_FOLDER, SUMS_ENTRY, parseSums } from './manifest.ts';

/** Every file of all backups once, named by its SHA-256. */
const POOL = 'objects';
/** Ends the names of compressed entries. Those of the database are: each backup has all of it, and one is made every hour. */
const COMPRESSED = '.zst';
/** A finished backup, by its time: `2026-11-22T19-00-00.000Z`. */
const BACKUP_NAME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z$/;

/** Clocks of several machines may differ by this much. */
const AHEAD_MS = 10 * MINUTE_MS;

export function toBackupName(atMs: number): string {
  return new Date(atMs).toISOString().replaceAll(':', '-');
}

/** Epoch ms. */
export function toBackupTime(name: string): number {
  return Date.parse(name.replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:'));
}

/** Whether a time is none, or that of a clock that is ahead of this one. */
export function isFuture(atMs: number, nowMs: number): boolean {
  return !(atMs <= nowMs + AHEAD_MS);
}

export function isBackupName(name: string): boolean {
  return BACKUP_NAME.test(name) && Number.isFinite(toBackupTime(name));
}

/** The finished backups in a folder, in the order of their names; none if the folder is missing. */
export async function listBackups(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => BACKUP_NAME.test(name)).toSorted();
}

/**
 * The same, oldest first, without those that are dated later than now: they are no reason to make none, never the
 * latest, and never deleted, because the clock of now may be the wrong one.
 */
export async function listDated(
  folder: string,
  nowMs: number,
): Promise<{ readonly names: readonly string[]; readonly future: readonly string[] }> {
  const all = await listBackups(folder);
  const isLater = (name: string) => isFuture(toBackupTime(name), nowMs);
  return { names: all.filter((name) => !isLater(name)), future: all.filter(isLater) };
}

export async function findLatest(folder: string, nowMs: number): Promise<string | undefined> {
  return (await listDated(folder, nowMs)).names.at(-1);
}

/** For the operator, without a full stop. */
export function describeFuture(names: readonly string[]): string {
  const [first, ...others] = names;
  return (
    `backups are dated later than now (${first}${others.length > 0 ? `, and ${others.length} more` : ''}), so they never ` +
    'count as the latest and are not deleted; correct the clock, or rename them to the time at which they were made, or delete them'
  );
}

export interface StoredEntry {
  readonly name: string;
  /** The SHA-256 of the entry. */
  readonly hash: string;
  readonly path: string;
  /** Compressed if it is one of the database. */
  read(): AsyncIterable<Uint8Array>;
}

/** Adds a backup to a folder. Files of its latest backup are not copied again. */
export async function createPoolWriter(
  folder: string,
  scratch: string,
  takenAtMs: number,
): Promise<BackupWriter> {
  const latest = (await findLatest(folder, takenAtMs)) ?? (await listBackups(folder)).at(-1);
  const known = latest === undefined ? new Map<string, string>() : await readSums(join(folder, latest));
  const draft = join(scratch, 'backup');
  const name = toBackupName(takenAtMs);
  let bytes = 0;
  await mkdir(draft, { mode: 0o700 });
  const makeFolder = createFolderMaker(folder, 0o700);
  return {
    async findKnown(entry, size) {
      const hash = known.get(entry);
      if (hash === undefined) return undefined;
      const found = await stat(toPoolPath(folder, hash)).catch(() => undefined);
      return found?.size === size ? hash : undefined;
    },
    async add(entry, _size, content) {
      const hash = createHash('sha256');
      const isPooled = entry.startsWith(DATA_FOLDER);
      const path = isPooled ? join(scratch, 'object') : join(draft, toFileName(entry));
      const plain = hashing(content, hash);
      await makeFolder(dirname(path));
      await writeSynced(path, isCompressed(path) ? compress(plain) : plain, { flags: 'w' });
      bytes += (await stat(path)).size;
      const hex = hash.digest('hex');
      if (!isPooled) {
        await syncFolder(dirname(path));
        return hex;
      }
      const place = toPoolPath(folder, hex);
      await makeFolder(dirname(place));
      await rename(path, place);
      await syncFolder(dirname(place));
      return hex;
    },
    async finish() {
      await rename(draft, join(folder, name));
      await syncFolder(folder);
      return bytes;
    },
    abort: () => Promise.resolve(),
  };
}

/** A backup in a folder: its own files, and those of the pool that it refers to. */
export function openPoolBackup(backup: string): BackupReader {
  return {
    async *entries(): AsyncGenerator<BackupEntry> {
      for (const [name, hash] of await readSums(backup)) {
        const path = await findEntryFile(backup, name, hash);
        const content = readFrom(path);
        yield { name, content: isCompressed(path) ? decompress(content) : content };
      }
      yield { name: SUMS_ENTRY, content: readFrom(join(backup, SUMS_ENTRY)) };
    },
  };
}

/** Deletes backups, and the files that no other backup of the folder refers to. The scratch folder must be held. */
export async function deleteBackups(folder: string, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  // First out of sight, also after a power loss: a half-deleted backup must not look like one.
  for (const name of names) await rename(join(folder, name), join(folder, `.deleted-${name}`));
  await syncFolder(folder);
  await collectPool(folder);
}

/** Deletes what no backup refers to, including what a killed process has left. */
async function collectPool(folder: string): Promise<void> {
  const used = new Set<string>();
  for (const name of await listBackups(folder)) {
    for (const hash of (await readSums(join(folder, name))).values()) used.add(hash);
  }
  for (const entry of await readdir(folder)) {
    if (entry.startsWith('.deleted-')) await rm(join(folder, entry), { recursive: true, force: true });
  }
  for (const prefix of await readdir(join(folder, POOL))) {
    for (const hash of await readdir(join(folder, POOL, prefix))) {
      if (!used.has(hash)) await rm(join(folder, POOL, prefix, hash), { force: true });
    }
  }
}

/** Opened only when it is read. */
export async function* readFrom(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: 256 * 1024 });
}

/** The entries of a backup without the last one, and their content as it is in the folder. Reads a line at a time. */
export async function* listStoredEntries(backup: string): AsyncGenerator<StoredEntry> {
  for await (const [name, hash] of listSums(backup)) {
    const path = await findEntryFile(backup, name, hash);
    const isPlain = name.startsWith(DATABASE_FOLDER) && !isCompressed(path);
    yield { name, hash, path, read: () => (isPlain ? compress(readFrom(path)) : readFrom(path)) };
  }
}

async function* listSums(backup: string): AsyncGenerator<[name: string, hash: string]> {
  const input = createReadStream(join(backup, SUMS_ENTRY));
  const lines = createInterface({ input, crlfDelay: Infinity });
  try {
    await once(input, 'open');
    for await (const line of lines) yield* parseSums(line);
  } finally {
    lines.close();
    input.destroy();
  }
}

/** Where the content of an entry of a backup is, whether it is there or not; compressed if the name says so. */
async function findEntryFile(backup: string, name: string, hash: string): Promise<string> {
  if (name.startsWith(DATA_FOLDER)) return toPoolPath(dirname(backup), hash);
  const path = join(backup, toFileName(name));
  // A backup of format 1.
  const plain = join(backup, name);
  return path !== plain && (await stat(plain).catch(() => undefined)) ? plain : path;
}

/** Of an entry that is not in the pool, below the folder of its backup. */
export function toFileName(entry: string): string {
  return entry.startsWith(DATABASE_FOLDER) ? `${entry}${COMPRESSED}` : entry;
}

function isCompressed(path: string): boolean {
  return path.endsWith(COMPRESSED);
}

export function toPoolPath(folder: string, hash: string): string {
  return join(folder, POOL, hash.slice(0, 2), hash);
}

async function readSums(backup: string): Promise<Map<string, string>> {
  return parseSums(await readFile(join(backup, SUMS_ENTRY), 'utf8'));
}
