import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Notice } from '../../../contract/ads.ts';
import { NOTICE_FILE_BYTES_MAX, toNoticeTimeMs } from '../../../contract/operator-notices.ts';
import {
  BEGINNING_BYTES,
  LIST_NAME,
  findKind,
  listEndings,
  parseEntry,
  readEntries,
  toEnding,
} from './entries.ts';
import type { Entry, EntryList, FileKind } from './entries.ts';

const MIB = 1024 * 1024;

/** A file that may be sent; no other file of the folder may. */
export interface NoticeFile {
  readonly path: string;
  readonly kind: FileKind['kind'];
  readonly type: string;
  readonly size: number;
  readonly modifiedMs: number;
  /** A replaced file has a different one, even with the same time and size. */
  readonly inode: number;
  readonly hash: string;
}

/** Whether a file is still the one whose bytes were hashed. */
export function isUnchanged(file: NoticeFile, { size, mtimeMs, ino }: Stats): boolean {
  return size === file.size && mtimeMs === file.modifiedMs && ino === file.inode;
}

/** An entry of the list, and when it is shown in epoch ms; a broken one says why in one line. */
export type ListedEntry =
  | {
      readonly state: 'usable';
      readonly entry: Entry;
      readonly notice: Notice;
      readonly fromMs: number;
      readonly untilMs: number;
    }
  | { readonly state: 'broken'; readonly problem: string };

export interface NoticeList {
  /** In the order of the file. */
  readonly entries: readonly ListedEntry[];
  /** '' for a list that cannot be read. */
  readonly version: string;
  /** Why the list cannot be read; '' if it can. */
  readonly problem: string;
  /** By the path of their address. */
  readonly files: ReadonlyMap<string, NoticeFile>;
  /** Changes when the list or a file that it names changes. */
  readonly stamp: string;
}

/**
 * Reads `notices.json` and every file it names; those that are unchanged since `before` are not hashed again. Addresses
 * are derived from the files' content, so a replaced file gets a new one, and operators' file names cannot match a
 * blocker's list.
 */
export async function readNoticeList(folder: string, before?: NoticeList): Promise<NoticeList> {
  const files = new Map<string, NoticeFile>();
  const known = new Map([...(before?.files.values() ?? [])].map((file) => [file.path, file]));
  /** Taken before a file is read: one that changes meanwhile is read again. */
  const stamps = new Map([[LIST_NAME, await stampFile(folder, LIST_NAME)]]);

  /** The file's address; throws a description of what is wrong with it. */
  async function take(name: string, kinds: readonly FileKind['kind'][]) {
    if (!stamps.has(name)) stamps.set(name, await stampFile(folder, name));
    if (findKind(name, kinds) === undefined) {
      throw new Error(`${JSON.stringify(name)} must end in ${listEndings(kinds).join(', ')}`);
    }
    const file = await readNoticeFile(join(folder, name), name, kinds, known.get(join(folder, name)));
    const address = `/notice/${file.hash}${toEnding(name)}`;
    files.set(address, file);
    return { address, ...file };
  }

  async function takeEntry(value: unknown): Promise<ListedEntry> {
    const entry = parseEntry(value);
    const { file, text, captions, link, seconds, from, until } = entry;
    const { address, hash, kind } = await take(file, ['picture', 'video']);
    if (kind === 'picture' && captions !== undefined) throw new Error('captions are for videos');
    const notice: Notice = {
      id: hash,
      kind: kind === 'video' ? 'video' : 'picture',
      url: address,
      text,
      captions: captions === undefined ? null : (await take(captions, ['captions'])).address,
      link: link ?? null,
      seconds,
    };
    return {
      state: 'usable',
      entry,
      notice,
      fromMs: from === undefined ? -Infinity : toNoticeTimeMs(from),
      untilMs: until === undefined ? Infinity : toNoticeTimeMs(until),
    };
  }

  const found: EntryList & { readonly problem: string } = await readEntries(folder).then(
    (list) => ({ ...list, problem: '' }),
    (error: unknown) => ({ entries: [], version: '', problem: `${LIST_NAME} ${(error as Error).message}` }),
  );
  const entries: ListedEntry[] = [];
  for (const value of found.entries) {
    entries.push(
      await takeEntry(value).catch((error: unknown) => ({
        state: 'broken' as const,
        problem: (error as Error).message,
      })),
    );
  }
  return { entries, version: found.version, problem: found.problem, files, stamp: joinStamps(stamps) };
}

/** One line for each part of the list that cannot be used. */
export function listProblems({ problem, entries }: NoticeList): string[] {
  return [
    ...(problem === '' ? [] : [problem]),
    ...entries.flatMap((entry, index) =>
      entry.state === 'broken' ? [`${LIST_NAME}, entry ${index + 1}: ${entry.problem}; it is left out`] : [],
    ),
  ];
}

/**
 * Checks a file of a notice and hashes it, unless it is `known` and unchanged. `name` has an ending of one of the kinds.
 * Throws a description of what is wrong with it.
 */
export async function readNoticeFile(
  path: string,
  name: string,
  kinds: readonly FileKind['kind'][],
  known?: NoticeFile,
): Promise<NoticeFile> {
  const expected = findKind(name, kinds);
  const found = await stat(path).catch(() => undefined);
  if (expected === undefined || !found?.isFile()) throw new Error(`${JSON.stringify(name)} does not exist`);
  if (known !== undefined && isUnchanged(known, found)) return known;
  const handle = await open(path);
  try {
    const { size, mtimeMs, ino } = await handle.stat();
    if (size > NOTICE_FILE_BYTES_MAX) {
      throw new Error(`${JSON.stringify(name)} is larger than ${NOTICE_FILE_BYTES_MAX / MIB} MiB`);
    }
    if (!expected.begins.test(await readBeginning(handle))) {
      throw new Error(`${JSON.stringify(name)} is not a file of type ${toEnding(name).slice(1)}`);
    }
    const { kind, type } = expected;
    return { path, kind, type, size, modifiedMs: mtimeMs, inode: ino, hash: await hashFile(handle) };
  } finally {
    await handle.close();
  }
}

/** The state of the files, cheap enough for frequent calls. */
export async function stampFiles(folder: string, names: Iterable<string>): Promise<string> {
  const stamps = [...names].map(async (name) => [name, await stampFile(folder, name)] as const);
  return joinStamps(new Map(await Promise.all(stamps)));
}

async function stampFile(folder: string, name: string): Promise<string> {
  const found = await stat(join(folder, name)).catch(() => undefined);
  return found ? `${found.mtimeMs} ${found.size} ${found.ino}` : 'none';
}

function joinStamps(stamps: ReadonlyMap<string, string>): string {
  return [...stamps.keys()]
    .toSorted()
    .map((name) => `${name}\0${stamps.get(name)}`)
    .join('\n');
}

/** The names that a stamp was made of. */
export function toStampedNames(stamp: string): string[] {
  return stamp.split('\n').map((line) => line.split('\0', 1)[0] ?? '');
}

async function readBeginning(file: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
  return buffer.toString('latin1', 0, bytesRead);
}

async function hashFile(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(file.createReadStream({ start: 0, autoClose: false }), hash);
  return hash.digest('hex').slice(0, 24);
}
