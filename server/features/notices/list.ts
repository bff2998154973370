import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import * as v from 'valibot';
import { NOTICE_SECONDS_MAX, NOTICE_SECONDS_MIN } from '../../../contract/ads.ts';
import type { Notice } from '../../../contract/ads.ts';

/** The operator's list of notices, in the folder of the files. */
export const LIST_NAME = 'notices.json';

const MIB = 1024 * 1024;
const FILE_BYTES_MAX = 64 * MIB;

interface FileKind {
  readonly kind: Notice['kind'] | 'captions';
  readonly type: string;
  /** The first bytes of such a file, as Latin-1. */
  readonly begins: RegExp;
}

const KINDS: Readonly<Record<string, FileKind>> = {
  '.avif': { kind: 'picture', type: 'image/avif', begins: /^.{4}ftypavi/s },
  '.gif': { kind: 'picture', type: 'image/gif', begins: /^GIF8/ },
  '.jpeg': { kind: 'picture', type: 'image/jpeg', begins: /^\xff\xd8\xff/ },
  '.jpg': { kind: 'picture', type: 'image/jpeg', begins: /^\xff\xd8\xff/ },
  '.png': { kind: 'picture', type: 'image/png', begins: /^\x89PNG/ },
  '.webp': { kind: 'picture', type: 'image/webp', begins: /^RIFF.{4}WEBP/s },
  '.mp4': { kind: 'video', type: 'video/mp4', begins: /^.{4}ftyp/s },
  '.webm': { kind: 'video', type: 'video/webm', begins: /^\x1aE\xdf\xa3/ },
  '.vtt': { kind: 'captions', type: 'text/vtt; charset=utf-8', begins: /^(?:\xef\xbb\xbf)?WEBVTT/ },
};

/** The name of a file directly in the folder. */
const FileNameSchema = v.pipe(
  v.string('must name a file'),
  v.regex(/^[^/\\.\0][^/\\\0]*$/, 'must be the name of a file in the same folder'),
);
const EntrySchema = v.strictObject({
  file: FileNameSchema,
  text: v.pipe(
    v.string('must say what is to be seen'),
    v.trim(),
    v.nonEmpty('must say what is to be seen'),
    v.maxLength(500, 'must have at most 500 characters'),
  ),
  captions: v.optional(FileNameSchema),
  link: v.optional(
    v.pipe(
      v.string('must be an https:// address'),
      v.url('must be an https:// address'),
      v.startsWith('https://', 'must be an https:// address'),
    ),
  ),
  seconds: v.pipe(
    v.number(`must be a number from ${NOTICE_SECONDS_MIN} to ${NOTICE_SECONDS_MAX}`),
    v.minValue(NOTICE_SECONDS_MIN, `must be at least ${NOTICE_SECONDS_MIN}`),
    v.maxValue(NOTICE_SECONDS_MAX, `must be at most ${NOTICE_SECONDS_MAX}`),
  ),
});

/** A file that may be sent; no other file of the folder may. */
export interface NoticeFile {
  readonly path: string;
  readonly type: string;
  readonly size: number;
  readonly modifiedMs: number;
  /** A replaced file has a different one, even with the same time and size. */
  readonly inode: number;
  readonly etag: string;
}

/** Whether a file is still the one whose bytes were hashed. */
export function isUnchanged(file: NoticeFile, { size, mtimeMs, ino }: Stats): boolean {
  return size === file.size && mtimeMs === file.modifiedMs && ino === file.inode;
}

export interface NoticeList {
  readonly notices: readonly Notice[];
  /** By the path of their address. */
  readonly files: ReadonlyMap<string, NoticeFile>;
  /** One line each; the entries concerned are skipped. */
  readonly problems: readonly string[];
  /** Changes when the list or a file that it names changes. */
  readonly stamp: string;
}

/**
 * Reads `notices.json` and every file it names. Addresses are derived from the files' content, so a replaced file gets
 * a new one, and operators' file names cannot match a blocker's list.
 */
export async function readNoticeList(folder: string): Promise<NoticeList> {
  const notices: Notice[] = [];
  const files = new Map<string, NoticeFile>();
  const problems: string[] = [];
  /** Taken before a file is read: one that changes meanwhile is read again. */
  const stamps = new Map([[LIST_NAME, await stampFile(folder, LIST_NAME)]]);

  /** The file's address; throws a description of what is wrong with it. */
  async function take(name: string, kinds: readonly FileKind['kind'][]) {
    if (!stamps.has(name)) stamps.set(name, await stampFile(folder, name));
    const ending = extname(name).toLowerCase();
    const known = KINDS[ending];
    if (known === undefined || !kinds.includes(known.kind)) {
      const endings = Object.keys(KINDS).filter((key) => kinds.some((kind) => KINDS[key]?.kind === kind));
      throw new Error(`${JSON.stringify(name)} must end in ${endings.join(', ')}`);
    }
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile()) throw new Error(`${JSON.stringify(name)} does not exist`);
    const handle = await open(path);
    try {
      const { size, mtimeMs, ino } = await handle.stat();
      if (size > FILE_BYTES_MAX) {
        throw new Error(`${JSON.stringify(name)} is larger than ${FILE_BYTES_MAX / MIB} MiB`);
      }
      if (!known.begins.test(await readBeginning(handle))) {
        throw new Error(`${JSON.stringify(name)} is not a file of type ${ending.slice(1)}`);
      }
      const hash = await hashFile(handle);
      const address = `/notice/${hash}${ending}`;
      const etag = `"${hash}"`;
      files.set(address, { path, type: known.type, size, modifiedMs: mtimeMs, inode: ino, etag });
      return { address, hash, kind: known.kind };
    } finally {
      await handle.close();
    }
  }

  async function takeEntry(value: unknown): Promise<void> {
    const parsed = v.safeParse(EntrySchema, value);
    if (!parsed.success) {
      const issue = parsed.issues[0];
      const key = v.getDotPath(issue);
      const unknown = issue.type === 'strict_object' && key !== null && issue.expected === 'never';
      throw new Error(unknown ? `${key} is not known` : `${key ?? 'it'} ${toWanted(issue)}`);
    }
    const { file, text, captions, link, seconds } = parsed.output;
    const { address, hash, kind } = await take(file, ['picture', 'video']);
    if (kind === 'picture' && captions !== undefined) throw new Error('captions are for videos');
    notices.push({
      id: hash,
      kind: kind === 'video' ? 'video' : 'picture',
      url: address,
      text,
      captions: captions === undefined ? null : (await take(captions, ['captions'])).address,
      link: link ?? null,
      seconds,
    });
  }

  const entries = await readEntries(join(folder, LIST_NAME)).catch((error: unknown) => {
    problems.push(`${LIST_NAME} ${(error as Error).message}`);
    return [];
  });
  for (const [index, entry] of entries.entries()) {
    await takeEntry(entry).catch((error: unknown) => {
      problems.push(`${LIST_NAME}, entry ${index + 1}: ${(error as Error).message}; it is left out`);
    });
  }
  return { notices, files, problems, stamp: joinStamps(stamps) };
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

/** [] when there is no list, as on most sites. */
async function readEntries(path: string): Promise<unknown[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '[]';
    throw new Error(`cannot be read (${error.code})`);
  });
  let entries: unknown;
  try {
    entries = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Error(`is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
  if (!Array.isArray(entries)) throw new Error('must be a JSON array');
  return entries;
}

function toWanted(issue: v.BaseIssue<unknown>): string {
  if (issue.kind === 'schema' && issue.received === 'undefined') return 'is missing';
  return issue.message;
}

async function readBeginning(file: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
  return buffer.toString('latin1', 0, bytesRead);
}

async function hashFile(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(file.createReadStream({ start: 0, autoClose: false }), hash);
  return hash.digest('hex').slice(0, 24);
}
