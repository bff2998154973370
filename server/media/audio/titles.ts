import { requireBox } from './m4a-boxes.ts';
import { listItunesItems } from './m4a-items.ts';
import { readId3Size } from './mp3.ts';
import { readBytes, toByteSource, withByteSource } from './source.ts';
import type { AudioFile, ByteSource } from './source.ts';
import { guessText, isCredibleTitle, readId3Text, resynchronise } from './title-texts.ts';

/** A title is one line; pictures and lyrics, which may be large, are never read. */
const TITLE_BYTES_MAX = 4_096;
const FRAMES_MAX = 500;
const FRAME_ID = /^[A-Z0-9]{3,4}$/;
/** Some programs write a tag of their own before that of another one. */
const TAGS_MAX = 10;
const ID3V2_HEAD_BYTES = 10;
const ID3V1_BYTES = 128;
/** The part of a tag that is decoded at once if the tag is unsynchronised as a whole. */
const UNSYNCHRONISED_BYTES_MAX = 1024 * 1024;

/** The unmodified title in a sound's tags; '' if there is none, it cannot be right, or the tags are damaged. */
export async function findAudioTitle(file: AudioFile): Promise<string> {
  return withByteSource(file, async (source) => {
    const isMp4 = (await readBytes(source, 4, 4)).toString('latin1') === 'ftyp';
    const titles = isMp4 ? [await findItunesTitle(source)] : await listId3Titles(source);
    return titles.find((title) => title !== '' && isCredibleTitle(title)) ?? '';
  }).catch(() => '');
}

async function findItunesTitle(source: ByteSource): Promise<string> {
  const { reader, items } = await listItunesItems(source);
  const data = await reader.content(await reader.list(requireBox(items, '\xa9nam')), 'data', TITLE_BYTES_MAX);
  return data.toString('utf8', 8);
}

/** The titles of all tags before the sound, and of ID3v1. */
async function listId3Titles(source: ByteSource): Promise<string[]> {
  const titles: string[] = [];
  let start = 0;
  for (let seen = 0; seen < TAGS_MAX; seen += 1) {
    const head = await readBytes(source, start, ID3V2_HEAD_BYTES);
    if (head.toString('latin1', 0, 3) !== 'ID3') break;
    titles.push(await findId3v2Title(source, start, head));
    start += readId3Size(head);
  }
  const tail = await readBytes(source, Math.max(0, source.size - ID3V1_BYTES), ID3V1_BYTES);
  if (tail.toString('latin1', 0, 3) === 'TAG') titles.push(guessText(tail.subarray(3, 33), true));
  return titles;
}

interface Id3v2 {
  readonly source: ByteSource;
  readonly version: number;
  /** The header says that all frames are unsynchronised. */
  readonly isUnsynchronised: boolean;
  /** Where its frames start and end. */
  readonly start: number;
  readonly end: number;
}

/** v2.2 and v2.3 count sizes before they unsynchronise the whole tag, v2.4 after it unsynchronises each frame. */
async function findId3v2Title(source: ByteSource, start: number, head: Buffer): Promise<string> {
  const version = head[3] ?? 0;
  const flags = head[5] ?? 0;
  const isUnsynchronised = (flags & 0x80) !== 0;
  const size = readId3Size(head);
  const end = Math.min(source.size, start + size);
  let tag: Id3v2 = { source, version, isUnsynchronised, start: start + ID3V2_HEAD_BYTES, end };
  if (isUnsynchronised && version < 4) {
    const whole = resynchronise(await readBytes(source, start, Math.min(size, UNSYNCHRONISED_BYTES_MAX)));
    tag = { ...tag, source: toByteSource(whole), start: ID3V2_HEAD_BYTES, end: whole.byteLength };
  }
  if ((flags & 0x40) === 0 || version === 2) return findTitleFrame(tag);
  const extended = await readBytes(tag.source, tag.start, 4);
  const skipped = version === 4 ? toSize(extended, 128) : toSize(extended, 256) + 4;
  return findTitleFrame({ ...tag, start: tag.start + skipped });
}

/** Iterates over frames, reading only their headers (ID3v2.4 §4). */
async function findTitleFrame({ source, version, isUnsynchronised, start, end }: Id3v2): Promise<string> {
  const isOld = version === 2;
  const headBytes = isOld ? 6 : 10;
  let at = start;
  for (let seen = 0; seen < FRAMES_MAX && at + headBytes < end; seen += 1) {
    const frame = await readBytes(source, at, headBytes);
    const id = frame.toString('latin1', 0, isOld ? 3 : 4);
    if (!FRAME_ID.test(id)) return '';
    const content = at + headBytes;
    const size =
      version === 4
        ? await readSize(source, frame.subarray(4, 8), { content, end })
        : toSize(isOld ? frame.subarray(3, 6) : frame.subarray(4, 8), 256);
    if (id === 'TIT2' || id === 'TT2') {
      if (size > TITLE_BYTES_MAX) return '';
      const bytes = await readBytes(source, content, size);
      return readId3Text(version === 4 ? openFrame(bytes, frame[9] ?? 0, isUnsynchronised) : bytes);
    }
    at = content + size;
  }
  return '';
}

/** The size of a frame of v2.4. Old versions of iTunes write it with all eight bits; what follows tells them apart. */
async function readSize(
  source: ByteSource,
  bytes: Buffer,
  { content, end }: { content: number; end: number },
): Promise<number> {
  const [right, plain] = [toSize(bytes, 128), toSize(bytes, 256)];
  if (right === plain) return right;
  const isFollowed = async (size: number) => {
    if (content + size >= end) return content + size === end;
    const next = (await readBytes(source, content + size, 4)).toString('latin1');
    return next.startsWith('\0') || FRAME_ID.test(next);
  };
  const isRight = bytes.every((byte) => byte < 0x80) && (await isFollowed(right));
  return isRight || !(await isFollowed(plain)) ? right : plain;
}

/** Reverts the transformations that a frame of v2.4 declares (§4.1.2); the flag in the header is for all frames. */
function openFrame(content: Buffer, flags: number, isUnsynchronised: boolean): Buffer {
  const before = (flags & 0x40 ? 1 : 0) + (flags & 0x01 ? 4 : 0);
  const inside = content.subarray(before);
  return isUnsynchronised || flags & 0x02 ? resynchronise(inside) : inside;
}

function toSize(bytes: Buffer, base: number): number {
  return [...bytes].reduce((size, byte) => size * base + byte, 0);
}
