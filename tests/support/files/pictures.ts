import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { Sharp } from 'sharp';

/** Noise, so that it compresses badly; the same every time. */
export function makeNoise(width: number, height: number): Sharp {
  const pixels = Buffer.alloc(width * height * 3);
  let state = 42;
  for (let index = 0; index < pixels.length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    pixels[index] = state >>> 24;
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

export const makePaper = (width: number, height: number, background = '#c33') =>
  sharp({ create: { width, height, channels: 3, background } });

/** A PNG of these chunks; `sizes` in its header can be false. */
export function makePng(
  { width, height }: { readonly width: number; readonly height: number },
  pixels: Buffer,
  extras: readonly (readonly [type: string, content: Buffer])[] = [],
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8); // 8 bits of grey
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    toChunk('IHDR', header),
    ...extras.map(([type, content]) => toChunk(type, content)),
    toChunk('IDAT', pixels),
    toChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Grey rows in PNG form: a filter byte before each. */
export const toRows = (width: number, height: number) => deflateSync(Buffer.alloc((width + 1) * height));

function toChunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const chunk = Buffer.alloc(body.byteLength + 8);
  chunk.writeUInt32BE(content.byteLength, 0);
  chunk.set(body, 4);
  chunk.writeUInt32BE(crc32(body), body.byteLength + 4);
  return chunk;
}

/** 48 KB that declare 50,000 × 50,000 pixels (2.5 GB) and begin with 1,000 real rows. */
export function makePngBomb(): Buffer {
  const row = Buffer.alloc(50_001);
  const once = deflateSync(Buffer.concat(Array.from({ length: 1_000 }, () => row)));
  return makePng({ width: 50_000, height: 50_000 }, once);
}

/** An animated PNG with two frames, according to its first chunk. */
export function makeAnimatedPng(): Buffer {
  const control = Buffer.alloc(8);
  control.writeUInt32BE(2, 0);
  return makePng({ width: 20, height: 20 }, toRows(20, 20), [['acTL', control]]);
}

/** A JPEG whose header declares another size. */
export async function makeLyingJpeg(side: number): Promise<Buffer> {
  const jpeg = await makePaper(40, 40).jpeg().toBuffer();
  const at = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  jpeg.writeUInt16BE(side, at + 5);
  jpeg.writeUInt16BE(side, at + 7);
  return jpeg;
}

export const CANARY = 'CANARY-35.6812N-139.7671E';

/** A photograph with its position and author, rotated to its side by its camera. */
export function makeTellingJpeg(width = 600, height = 400): Promise<Buffer> {
  return makeNoise(width, height)
    .withMetadata({ orientation: 6 })
    .withExifMerge({
      IFD0: { Copyright: CANARY },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '35/1 40/1 52/1' },
    })
    .jpeg({ quality: 80 })
    .toBuffer();
}
