import { parseBuffer } from 'music-metadata';
import { createBoxReader, one } from './audio-m4a-boxes.ts';
import { readId3Size } from './audio-mp3.ts';
import { readBytes, withByteSource } from './audio-source.ts';
import type { AudioFile, ByteSource } from './audio-source.ts';

/** A title is a line; pictures and lyrics, which may be large, are never read. */
const TITLE_BYTES_MAX = 4_096;
const FRAMES_MAX = 500;
const ID3V1_BYTES = 128;

/** The title that a sound's tags give it, as it stands there; '' when they give none, or are broken. */
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
  const frame = head.toString('latin1', 0, 3) === 'ID3' ? await findTitleFrame(source, head) : undefined;
  if (frame !== undefined) {
    const title = await readTag(toId3Tag(head, frame));
    if (title !== '') return title;
  }
  const tail = await readBytes(source, Math.max(0, source.size - ID3V1_BYTES), ID3V1_BYTES);
  return tail.toString('latin1', 0, 3) === 'TAG' ? toJapanese(tail.toString('latin1', 3, 33)) : '';
}

/** Steps from frame to frame, reading their headers alone (ID3v2.4 §4). */
async function findTitleFrame(source: ByteSource, head: Buffer): Promise<Buffer | undefined> {
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
    if (!/^[A-Z0-9]{3,4}$/.test(id)) return undefined;
    const size = toSize(isOld ? frame.subarray(3, 6) : frame.subarray(4, 8), version === 4 ? 128 : 256);
    if (id === 'TIT2' || id === 'TT2') {
      return size > TITLE_BYTES_MAX ? undefined : readBytes(source, at, headBytes + size);
    }
    at += headBytes + size;
  }
  return undefined;
}

function toSize(bytes: Buffer, base: number): number {
  return [...bytes].reduce((size, byte) => size * base + byte, 0);
}

/** A tag with nothing but this frame. */
function toId3Tag(head: Buffer, frame: Buffer): Buffer {
  const size = [14, 7, 0].map((shift) => (frame.byteLength >> shift) & 0x7f);
  const flags = (head[5] ?? 0) & 0x80; // unsynchronisation
  return Buffer.concat([head.subarray(0, 5), Buffer.from([flags, 0, ...size]), frame]);
}

async function readTag(tag: Buffer): Promise<string> {
  const { common } = await parseBuffer(tag, { mimeType: 'audio/mpeg' }, { duration: false });
  return toJapanese(common.title ?? '');
}

/** Old programs put Shift_JIS where Latin letters were due: what reads as such, is. */
function toJapanese(title: string): string {
  const text = title.replace(/\0[^]*$/, '');
  if (!/[\x80-\xff]/.test(text) || /[^\0-\xff]/.test(text)) return text;
  for (const encoding of ['utf-8', 'shift_jis']) {
    try {
      const read = new TextDecoder(encoding, { fatal: true }).decode(Buffer.from(text, 'latin1'));
      if (!/[\p{Co}\uff61-\uff9f]/u.test(read)) return read;
    } catch {
      // Not in this one.
    }
  }
  return text;
}
