import { crc32, inflateSync } from 'node:zlib';
import { Cuts, PROFILE_BYTES_MAX } from './cuts.ts';
import type { CleanPicture } from './cuts.ts';
import { makeOrientation, readOrientation } from './exif.ts';
import { ensure } from './faults.ts';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Length, type and checksum of a chunk without content. */
const CHUNK_BYTES = 12;
/** Samples of a pixel by colour type, and the depths that each type allows (PNG §11.2.1). */
const COLOURS: Readonly<Record<number, { readonly samples: number; readonly depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 3, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};
/** Retained beside the image data and the end. */
const RETAINED_CHUNKS: ReadonlySet<string> = new Set(['IHDR', 'PLTE', 'tRNS', 'iCCP', 'eXIf']);
/** The name of a profile, its end and the method of compression. */
const PROFILE_HEAD_MAX = 81;

export function isPng(bytes: Buffer): boolean {
  return bytes.subarray(0, SIGNATURE.byteLength).equals(SIGNATURE);
}

interface Chunk {
  readonly type: string;
  /** Where its length stands. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

/**
 * A PNG with its header, palette, transparency, colour profile, orientation and image data, which becomes one chunk.
 * Texts and everything else are left out, whatever they would decompress to. Throws `UnusablePictureError`.
 */
export function cleanPng(bytes: Buffer): CleanPicture {
  const cuts = new Cuts(bytes);
  cuts.retain(0, SIGNATURE.byteLength);
  const seen = new Set<string>();
  let header: ReturnType<typeof readHeader> | undefined;
  /** Where the joined image data start, and whether further ones may follow. */
  let data: { readonly at: number; isOpen: boolean } | undefined;

  for (let chunk = readChunk(bytes, SIGNATURE.byteLength); ; chunk = readChunk(bytes, chunk.end + 4)) {
    const { type, at, start, end } = chunk;
    const content = bytes.subarray(start, end);
    if (type === 'IDAT') {
      ensure(header !== undefined && data?.isOpen !== false, 'image data are at a wrong position');
      requireChecksum(bytes, chunk);
      if (data === undefined) {
        data = { at: cuts.end, isOpen: true };
        cuts.retain(at, start);
      }
      cuts.retain(start, end);
      continue;
    }
    if (data?.isOpen) {
      data.isOpen = false;
      closeData(cuts, data.at, at);
    }
    ensure(type !== 'acTL', 'the PNG is animated', 'animated');
    if (type === 'IEND') {
      ensure(header !== undefined && data !== undefined, 'the PNG has no image data');
      requireChecksum(bytes, chunk);
      cuts.retain(at, end + 4);
      return { ...header, bytes: cuts.result, pages: 1 };
    }
    if (!RETAINED_CHUNKS.has(type)) continue;
    ensure(!seen.has(type), `the PNG has two ${type}`);
    seen.add(type);
    ensure((header === undefined) === (type === 'IHDR'), 'the PNG does not start with its header');
    if (type === 'IHDR') header = readHeader(content);
    if (type === 'eXIf') {
      const orientation = readOrientation(content);
      if (orientation !== 1) cuts.put(makeChunk('eXIf', makeOrientation(orientation)), end + 4);
    } else if (data === undefined && (type !== 'iCCP' || isBounded(content))) {
      requireChecksum(bytes, chunk);
      cuts.retain(at, end + 4);
    }
  }
}

function readChunk(bytes: Buffer, at: number): Chunk {
  ensure(at + CHUNK_BYTES <= bytes.byteLength, 'the PNG is cut off');
  const start = at + 8;
  const end = start + bytes.readUInt32BE(at);
  ensure(end + 4 <= bytes.byteLength, 'the PNG is cut off');
  return { type: bytes.toString('latin1', at + 4, start), at, start, end };
}

function requireChecksum(bytes: Buffer, { type, start, end }: Chunk): void {
  ensure(crc32(bytes.subarray(start - 4, end)) === bytes.readUInt32BE(end), `${type} is damaged`);
}

function readHeader(content: Buffer) {
  ensure(content.byteLength === 13, 'the header has another length');
  const [width, height] = [content.readUInt32BE(0), content.readUInt32BE(4)];
  const [depth = 0, colour = 0, , , interlace] = content.subarray(8);
  const { samples, depths } = COLOURS[colour] ?? { samples: 0, depths: [] };
  ensure(width > 0 && height > 0 && depths.includes(depth), 'the header is broken');
  // Palettes and grey with transparency are expanded: one more sample. Other pictures are read row by row.
  const pixelBytes = (samples + (samples % 2)) * (depth === 16 ? 2 : 1);
  return { width, height, workingBytes: interlace === 0 ? 0 : width * height * pixelBytes };
}

/** Completes the chunk of the joined image data: its length and checksum. */
function closeData(cuts: Cuts, at: number, readEnd: number): void {
  const chunk = cuts.result.subarray(at);
  chunk.writeUInt32BE(chunk.byteLength - 8, 0);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(chunk.subarray(4)), 0);
  cuts.put(checksum, readEnd);
}

/** Whether a colour profile is as small as it should be once it is decompressed. */
function isBounded(content: Buffer): boolean {
  const name = content.subarray(0, PROFILE_HEAD_MAX).indexOf(0);
  if (name < 1) return false;
  try {
    inflateSync(content.subarray(name + 2), { maxOutputLength: PROFILE_BYTES_MAX });
    return true;
  } catch {
    return false;
  }
}

function makeChunk(type: string, content: Buffer): Buffer {
  const chunk = Buffer.alloc(content.byteLength + CHUNK_BYTES);
  chunk.writeUInt32BE(content.byteLength, 0);
  chunk.write(type, 4, 'latin1');
  chunk.set(content, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), content.byteLength + 8);
  return chunk;
}
