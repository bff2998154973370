import { Cuts, PROFILE_BYTES_MAX } from './cuts.ts';
import type { CleanPicture } from './cuts.ts';
import { ensure } from './faults.ts';

/** `RIFF`, the length of what follows, `WEBP`. */
const HEAD_BYTES = 12;
const CHUNK_HEAD_BYTES = 8;
/** Position, size, duration and flags of one picture of an animation. */
const FRAME_HEAD_BYTES = 16;
const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;
/** Red, green, blue and alpha. */
const PIXEL_BYTES = 4;

export function isWebp(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
}

interface Chunk {
  readonly type: string;
  readonly at: number;
  readonly start: number;
  /** Where its content ends; one more byte may pad it. */
  readonly end: number;
  readonly next: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * A WebP with its image data, colour profile and movement, without other metadata or data behind it. Throws
 * `UnusablePictureError`.
 */
export function cleanWebp(bytes: Buffer): CleanPicture {
  const end = Math.min(bytes.byteLength, CHUNK_HEAD_BYTES + bytes.readUInt32LE(4));
  const cuts = new Cuts(bytes);
  cuts.retain(0, HEAD_BYTES);
  let canvas: Size | undefined;
  let still: Size | undefined;
  let frames = 0;
  for (let at = HEAD_BYTES; at + CHUNK_HEAD_BYTES <= end;) {
    const chunk = readChunk(bytes, at, end);
    const { type, start } = chunk;
    if (type === 'VP8X') {
      ensure(at === HEAD_BYTES && chunk.end - start === 10, 'VP8X is at a wrong position');
      canvas = { width: bytes.readUIntLE(start + 4, 3) + 1, height: bytes.readUIntLE(start + 7, 3) + 1 };
      bytes[start] = (bytes[start] ?? 0) & ~(EXIF_FLAG | XMP_FLAG);
    } else if (type === 'ANMF') {
      ensure(canvas !== undefined, 'a picture precedes its canvas');
      checkFrame(bytes, chunk, canvas);
      frames += 1;
    } else if (type === 'VP8 ' || type === 'VP8L') {
      ensure(still === undefined, 'the WebP has two pictures');
      still = readSize(bytes, chunk);
    }
    const isRetained =
      type === 'ICCP' ? chunk.end - start <= PROFILE_BYTES_MAX : /^(?:VP8.|ALPH|AN..)$/.test(type);
    if (isRetained) cuts.retain(at, chunk.next);
    at = chunk.next;
  }
  ensure((still === undefined) !== (frames === 0), 'the WebP has no picture, or one beside those that move');
  const { width, height } = canvas ?? still ?? { width: 0, height: 0 };
  ensure(
    still === undefined || isSame(still, { width, height }),
    'the picture has another size than its canvas',
  );
  const retained = cuts.result;
  retained.writeUInt32LE(retained.byteLength - CHUNK_HEAD_BYTES, 4);
  // A decoder holds what it decodes and what it hands on; of one that moves, also the picture before.
  const workingBytes = width * height * PIXEL_BYTES * (frames > 0 ? 3 : 2);
  return { bytes: retained, width, height, pages: Math.max(1, frames), workingBytes };
}

function readChunk(bytes: Buffer, at: number, limit: number): Chunk {
  const start = at + CHUNK_HEAD_BYTES;
  const end = start + bytes.readUInt32LE(at + 4);
  ensure(end <= limit, 'the WebP is cut off');
  return {
    type: bytes.toString('latin1', at, at + 4),
    at,
    start,
    end,
    next: Math.min(limit, end + (end % 2)),
  };
}

/** A picture of one that moves lies within the canvas, and its data state the same size. */
function checkFrame(bytes: Buffer, { start, end }: Chunk, canvas: Size): void {
  ensure(end - start >= FRAME_HEAD_BYTES, 'a picture is too short');
  const read = (at: number) => bytes.readUIntLE(start + at, 3);
  const size = { width: read(6) + 1, height: read(9) + 1 };
  const isInside = read(0) * 2 + size.width <= canvas.width && read(3) * 2 + size.height <= canvas.height;
  ensure(isInside, 'a picture lies outside the canvas');
  let found: Size | undefined;
  for (let at = start + FRAME_HEAD_BYTES; at + CHUNK_HEAD_BYTES <= end;) {
    const chunk = readChunk(bytes, at, end);
    ensure(/^(?:ALPH|VP8.)$/.test(chunk.type), 'a picture holds something else');
    if (chunk.type !== 'ALPH') {
      ensure(found === undefined, 'a picture holds two');
      found = readSize(bytes, chunk);
    }
    at = chunk.next;
  }
  ensure(found !== undefined && isSame(found, size), 'a picture has another size than its data');
}

/** The size that lossy (RFC 6386 §9.1) or lossless data state. */
function readSize(bytes: Buffer, { type, start, end }: Chunk): Size {
  ensure(end - start >= 10, 'the image data are too short');
  if (type === 'VP8L') {
    const sides = bytes.readUInt32LE(start + 1);
    return { width: (sides & 0x3fff) + 1, height: ((sides >>> 14) & 0x3fff) + 1 };
  }
  return {
    width: bytes.readUInt16LE(start + 6) & 0x3fff,
    height: bytes.readUInt16LE(start + 8) & 0x3fff,
  };
}

function isSame(one: Size, other: Size): boolean {
  return one.width === other.width && one.height === other.height;
}
