import { createHash } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Notice } from '../../../contract/downloads/ads.ts';
import { NOTICE_FILE_BYTES_MAX } from '../../../contract/operator/notices.ts';
import { encodeNoticePicture } from '../../media/pictures/pictures.ts';
import { checkVideo } from '../../media/videos/videos.ts';
import { createSemaphore } from '../../platform/concurrency/semaphore.ts';
import { Busy } from '../../platform/limits/busy.ts';
import { rewriteCaptions } from './captions.ts';

export interface FileKind {
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
export const CAPTIONS_ENDING = '.vtt';

const BEGINNING_BYTES = 16;
const MIB = 1024 * 1024;
/** Videos and captions are read into memory, up to 64 MiB, one at a time. */
const otherChecks = createSemaphore(1, 10);

/** A checked file, as it is to be stored. */
export interface NoticeFile {
  /** Pictures and captions, which are written again; or the path of a video on the local disk. */
  readonly content: Buffer | string;
  readonly kind: FileKind['kind'];
  readonly ending: string;
  readonly size: number;
  /** SHA-256, hexadecimal. */
  readonly hash: string;
}

/** The media type of files with this ending. */
export function toMediaType(ending: string): string {
  return KINDS[ending]?.type ?? 'application/octet-stream';
}

/** The endings of these kinds, for messages. */
export function listEndings(kinds: readonly FileKind['kind'][]): string[] {
  return Object.entries(KINDS).flatMap(([ending, { kind }]) => (kinds.includes(kind) ? ending : []));
}

/** The type of a file by the ending of its name, if it is one of these kinds. */
export function findKind(name: string, kinds: readonly FileKind['kind'][]): FileKind | undefined {
  const found = KINDS[toEnding(name)];
  return found && kinds.includes(found.kind) ? found : undefined;
}

function toEnding(name: string): string {
  return extname(name).toLowerCase();
}

/**
 * Checks a file: the ending of its name, its size, its first bytes and what they announce. Pictures and captions are
 * written again, so that nothing else of them is stored. Throws a description of what is wrong with it, and `Busy`.
 */
export async function readNoticeFile(
  path: string,
  kinds: readonly FileKind['kind'][],
  name = basename(path),
  staffId = '',
): Promise<NoticeFile> {
  const quotedName = JSON.stringify(name);
  const expected = findKind(name, kinds);
  if (expected === undefined) throw new Error(`${quotedName} must end in ${listEndings(kinds).join(', ')}`);
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new Error(`${quotedName} does not exist`);
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    if (size > NOTICE_FILE_BYTES_MAX)
      throw new Error(`${quotedName} is larger than ${NOTICE_FILE_BYTES_MAX / MIB} MiB`);
    const ending = toEnding(name);
    if (!expected.begins.test(await readBeginning(handle)))
      throw new Error(`${quotedName} is not a file of type ${ending.slice(1)}`);
    const given = { kind: expected.kind, ending };
    const written = await rewrite(path, given, staffId).catch((error: unknown) => {
      if (error instanceof Busy) throw error;
      throw new Error(`${quotedName} cannot be used: ${(error as Error).message}`, { cause: error });
    });
    if (written === undefined) return { ...given, content: path, size, hash: await hashFile(handle) };
    const { content, as } = written;
    return { ...given, content, ending: as, size: content.byteLength, hash: toHash(content) };
  } finally {
    await handle.close();
  }
}

/** The content to store and its ending; undefined if it is stored as it is. */
async function rewrite(path: string, { kind, ending }: Pick<NoticeFile, 'kind' | 'ending'>, staffId: string) {
  if (kind === 'picture') return { content: await encodeNoticePicture({ path }, staffId), as: '.webp' };
  return otherChecks.run(async () => {
    if (kind === 'captions') return { content: rewriteCaptions(await readFile(path)), as: CAPTIONS_ENDING };
    await checkVideo(path, ending === '.webm' ? '.webm' : '.mp4');
    return undefined;
  });
}

function toHash(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

async function readBeginning(file: FileHandle): Promise<string> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
  return buffer.toString('latin1', 0, bytesRead);
}

async function hashFile(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(file.createReadStream({ start: 0, autoClose: false }), hash);
  return hash.digest('hex');
}
