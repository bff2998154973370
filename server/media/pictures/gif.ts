import { Cuts } from './cuts.ts';
import type { CleanPicture } from './cuts.ts';
import { ensure } from './faults.ts';

const [EXTENSION, IMAGE, TRAILER] = [0x21, 0x2c, 0x3b];
const [CONTROL, APPLICATION] = [0xf9, 0xff];
const HEAD_BYTES = 13;
const DESCRIPTOR_BYTES = 10;
const CONTROL_BYTES = 8;
/** How often the pictures are repeated. */
const LOOP = /^\x0bNETSCAPE2\.0\x03\x01..\0/s;
const LOOP_BYTES = 19;
/** Red, green, blue and alpha. */
const PIXEL_BYTES = 4;

export function isGif(bytes: Buffer): boolean {
  return /^GIF8[79]a/.test(bytes.toString('latin1', 0, 6));
}

/**
 * A GIF with its pictures, their times and repetition, without comments, texts, other applications' data or data behind
 * it. Throws `UnusablePictureError`.
 */
export function cleanGif(bytes: Buffer): CleanPicture {
  ensure(bytes.byteLength > HEAD_BYTES, 'the GIF is cut off');
  const [width, height] = [bytes.readUInt16LE(6), bytes.readUInt16LE(8)];
  ensure(width > 0 && height > 0, 'the GIF has no size');
  const cuts = new Cuts(bytes);
  let at = HEAD_BYTES + toTableBytes(bytes[10]);
  cuts.retain(0, at);
  let pages = 0;
  let isRepeated = false;
  for (;;) {
    const kind = bytes[at];
    ensure(kind !== undefined, 'the GIF is cut off');
    if (kind === TRAILER) break;
    ensure(kind === IMAGE || kind === EXTENSION, 'the GIF is damaged');
    if (kind === IMAGE) {
      ensure(at + DESCRIPTOR_BYTES < bytes.byteLength, 'the GIF is cut off');
      const [left = 0, top = 0, across = 0, down = 0] = [1, 3, 5, 7].map((from) =>
        bytes.readUInt16LE(at + from),
      );
      ensure(left + across <= width && top + down <= height, 'a picture lies outside the canvas');
      // One byte precedes the coded data.
      const end = skipBlocks(bytes, at + DESCRIPTOR_BYTES + toTableBytes(bytes[at + 9]) + 1);
      cuts.retain(at, end);
      pages += 1;
      at = end;
      continue;
    }
    const end = skipBlocks(bytes, at + 2);
    const isControl = bytes[at + 1] === CONTROL && end - at === CONTROL_BYTES;
    const isLoop =
      bytes[at + 1] === APPLICATION && LOOP.test(bytes.toString('latin1', at + 2, at + LOOP_BYTES));
    if (isControl || (isLoop && !isRepeated)) cuts.retain(at, end);
    isRepeated ||= isLoop;
    at = end;
  }
  ensure(pages > 0, 'the GIF has no picture');
  cuts.retain(at, at + 1);
  // The canvas, the one before, and what is handed on.
  return { bytes: cuts.result, width, height, pages, workingBytes: width * height * PIXEL_BYTES * 3 };
}

/** The size of a table of colours, by the flags that announce it. */
function toTableBytes(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Where a row of blocks ends, each behind its length. */
function skipBlocks(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    const length = bytes[at];
    ensure(length !== undefined, 'the GIF is cut off');
    at += length + 1;
    if (length === 0) return at;
  }
}
