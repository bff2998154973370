import decode from 'audio-decode';
import { readFileSync } from 'node:fs';
import { withCleanAudio } from '#server/media/audio/audio.ts';
import type { AudioFile } from '#server/media/audio/audio.ts';
import { makeM4a } from './sound-fixtures.ts';

/** Markup that a browser would run if a file containing it were shown as a page. */
export const SCRIPT = '<html><script>document.title = "ran"</script></html>';

/** An ID3v2.3 tag of these frames; `size` can be false. */
export function makeId3(frames: readonly (readonly [id: string, content: Buffer])[], size?: number): Buffer {
  const body = Buffer.concat(
    frames.map(([id, content]) => {
      const head = Buffer.alloc(10);
      head.write(id, 'latin1');
      head.writeUInt32BE(content.byteLength, 4);
      return Buffer.concat([head, content]);
    }),
  );
  const length = size ?? body.byteLength;
  const sizes = [21, 14, 7, 0].map((shift) => (length >> shift) & 0x7f);
  return Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), Buffer.from(sizes), body]);
}

/** A text of ID3v2: UTF-16 with its byte order mark, as most programs write Japanese. */
export function toId3Text(text: string): Buffer {
  return Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
}

export function makeId3v1(title: Buffer): Buffer {
  const tag = Buffer.alloc(128);
  tag.write('TAG', 'latin1');
  title.copy(tag, 3, 0, 30);
  return tag;
}

/** An APEv2 tag with one text value. */
export function makeApe(text: string): Buffer {
  const value = Buffer.from(text);
  const item = Buffer.concat([Buffer.alloc(8), Buffer.from('Comment\0'), value]);
  item.writeUInt32LE(value.byteLength, 0);
  const mark = (isHeader: boolean) => {
    const bytes = Buffer.alloc(32);
    bytes.write('APETAGEX', 'latin1');
    bytes.writeUInt32LE(2_000, 8);
    bytes.writeUInt32LE(item.byteLength + 32, 12);
    bytes.writeUInt32LE(1, 16);
    bytes.writeUInt32LE(isHeader ? 0xa000_0000 : 0x8000_0000, 20);
    return bytes;
  };
  return Buffer.concat([mark(true), item, mark(false)]);
}

export function makeBox(type: string, ...contents: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(content.byteLength + 8, 0);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, content]);
}

/** A title as iTunes stores it: moov/udta/meta/ilst/©nam. */
export function makeItunesTags(title: string): Buffer {
  const data = makeBox('data', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]), Buffer.from(title));
  return makeBox('udta', makeBox('meta', Buffer.alloc(4), makeBox('ilst', makeBox('\xa9nam', data))));
}

/** An M4A with additional boxes in `moov` and between the others; `moov` first or last. */
export function makeTaggedM4a(
  inMovie: readonly Buffer[],
  between: readonly Buffer[] = [],
  { isMovieLast = false, frames = 43 } = {},
): Buffer {
  const plain = Buffer.from(makeM4a(frames));
  const boxes = new Map<string, Buffer>();
  for (let at = 0; at < plain.byteLength; at += plain.readUInt32BE(at)) {
    boxes.set(plain.toString('latin1', at + 4, at + 8), plain.subarray(at, at + plain.readUInt32BE(at)));
  }
  const [ftyp, moov, mdat] = ['ftyp', 'moov', 'mdat'].map((type) => boxes.get(type) ?? Buffer.alloc(0)) as [
    Buffer,
    Buffer,
    Buffer,
  ];
  const movie = makeBox('moov', moov.subarray(8), ...inMovie);
  const parts = isMovieLast ? [ftyp, ...between, mdat, movie] : [ftyp, movie, ...between, mdat];
  const dataAt = parts.slice(0, parts.indexOf(mdat)).reduce((sum, part) => sum + part.byteLength, 8);
  movie.writeUInt32BE(dataAt, movie.indexOf('stco') + 12);
  return Buffer.concat(parts);
}

/** Overwrites bytes at an offset from the start of the first occurrence of `mark`. */
export function patch(bytes: Uint8Array, mark: string, offset: number, value: Uint8Array): Buffer {
  const patched = Buffer.from(bytes);
  const at = patched.indexOf(mark, 0, 'latin1');
  if (at === -1) throw new Error(`no ${mark} to be patched`);
  patched.set(value, at + offset);
  return patched;
}

/** The decoded samples of each channel, and their rate. */
export async function decodeAudio(bytes: Uint8Array) {
  const { channelData, sampleRate } = await decode(Buffer.from(bytes));
  return { sampleRate, channels: channelData.map((channel) => Array.from(channel)) };
}

/** A file made by FFmpeg or LAME; see tests/fixtures/audio/README.md. */
export function readFixture(name: string): Buffer {
  return readFileSync(new URL(`../../fixtures/audio/${name}`, import.meta.url));
}

/** The pieces in which the site reads a file, without what it removes. */
export function readChunks(file: AudioFile | Uint8Array): Promise<Buffer[]> {
  return withCleanAudio(file, async (audio) => {
    const chunks: Buffer[] = [];
    for await (const chunk of audio.bytes()) chunks.push(Buffer.from(chunk));
    return chunks;
  });
}

export async function clean(file: AudioFile | Uint8Array): Promise<Buffer> {
  return Buffer.concat(await readChunks(file));
}

export function toU32(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}
