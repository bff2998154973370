import { createBoxReader, one } from './audio-m4a-boxes.ts';
import { readId3Size } from './audio-mp3.ts';
import { readBytes, toByteSource, withByteSource } from './audio-source.ts';
import type { AudioFile, ByteSource } from './audio-source.ts';
import { guessText, readId3Text } from './audio-title-texts.ts';

/** A title is one line; pictures and lyrics, which may be large, are never read. */
const TITLE_BYTES_MAX = 4_096;
const FRAMES_MAX = 500;
const ID3V1_BYTES = 128;
/** The part of a tag that is decoded at once if the tag is unsynchronised as a whole. */
const UNSYNCHRONISED_BYTES_MAX = 1024 * 1024;

/** The unmodified title in a sound's tags; '' if there is none or the tags are damaged. */
export async function findAudioTitle(file: AudioFile): Promise<string> {
  return withByteSource(file, async (source) => {
    const isMp4 = (await readBytes(source, 4, 4)).toString('latin1') === 'ftyp';
    return isMp4 ? findItunesTitle(source) : findId3Title(source);
  }).catch(() => '');
}

async function findItunesTitle(source: ByteSource): Promise<string> {
  const reader = createBoxReader(source);
  const movie = await reader.list(one(await reader.top(), 'moov'));
  const meta = one(await reader.list(one(movie, 'udta')), 'meta');
  const items = await reader.list(one(await reader.list({ ...meta, start: meta.start + 4 }), 'ilst'));
  const data = await reader.content(await reader.list(one(items, '\xa9nam')), 'data', TITLE_BYTES_MAX);
  return data.toString('utf8', 8);
}

async function findId3Title(source: ByteSource): Promise<string> {
  const head = await readBytes(source, 0, 10);
  const title = head.toString('latin1', 0, 3) === 'ID3' ? await findId3v2Title(source, head) : '';
  if (title !== '') return title;
  const tail = await readBytes(source, Math.max(0, source.size - ID3V1_BYTES), ID3V1_BYTES);
  return tail.toString('latin1', 0, 3) === 'TAG' ? guessText(tail.subarray(3, 33), true) : '';
}

/** For v2.2 and v2.3, which count sizes before they unsynchronise the whole tag, and for v2.4, which does neither. */
async function findId3v2Title(source: ByteSource, head: Buffer): Promise<string> {
  const version = head[3] ?? 0;
  const isUnsynchronised = ((head[5] ?? 0) & 0x80) !== 0;
  if (isUnsynchronised && version < 4) {
    const size = Math.min(readId3Size(head), UNSYNCHRONISED_BYTES_MAX);
    return findTitleFrame(toByteSource(resynchronise(await readBytes(source, 0, size))), head);
  }
  return findTitleFrame(source, head);
}

function resynchronise(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll('\xff\0', '\xff'), 'latin1');
}

/** Iterates over frames, reading only their headers (ID3v2.4 §4). */
async function findTitleFrame(source: ByteSource, head: Buffer): Promise<string> {
  const version = head[3] ?? 0;
  const isOld = version === 2;
  const headBytes = isOld ? 6 : 10;
  const end = Math.min(source.size, readId3Size(head));
  let at = 10;
  if (((head[5] ?? 0) & 0x40) !== 0 && !isOld) {
    const extended = await readBytes(source, at, 4);
    at += version === 4 ? toSize(extended, 128) : toSize(extended, 256) + 4;
  }
  for (let seen = 0; seen < FRAMES_MAX && at + headBytes < end; seen += 1) {
    const frame = await readBytes(source, at, headBytes);
    const id = frame.toString('latin1', 0, isOld ? 3 : 4);
    if (!/^[A-Z0-9]{3,4}$/.test(id)) return '';
    const size = toSize(isOld ? frame.subarray(3, 6) : frame.subarray(4, 8), version === 4 ? 128 : 256);
    if (id === 'TIT2' || id === 'TT2') {
      if (size > TITLE_BYTES_MAX) return '';
      const content = await readBytes(source, at + headBytes, size);
      return readId3Text(version === 4 ? openFrame(content, frame[9] ?? 0) : content);
    }
    at += headBytes + size;
  }
  return '';
}

/** Reverts the transformations that a frame of v2.4 declares (§4.1.2). */
function openFrame(content: Buffer, flags: number): Buffer {
  const before = (flags & 0x40 ? 1 : 0) + (flags & 0x01 ? 4 : 0);
  const inside = content.subarray(before);
  return flags & 0x02 ? resynchronise(inside) : inside;
}

function toSize(bytes: Buffer, base: number): number {
  return [...bytes].reduce((size, byte) => size * base + byte, 0);
}
