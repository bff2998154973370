import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { PICTURE_SHAPES, PICTURE_WIDTHS } from '../../contract/pictures.ts';
import type { PictureKind } from '../../contract/pictures.ts';
import type { Storage } from '../ports/storage.ts';
import { toPictureKey } from './object-keys.ts';

export const PICTURE_BYTES_MAX = 10 * 1024 * 1024;
/** 25 Mpx: a 300 KB PNG can unfold to 10 GB otherwise. */
export const PICTURE_PIXELS_MAX = 25_000_000;

const FORMATS = new Set(['jpeg', 'png', 'webp']);
const QUALITY = 80;

/** The bytes are no picture that we take; the message is for logs, not for people. */
export class UnusablePictureError extends Error {
  override readonly name = 'UnusablePictureError';
}

// One thread a picture, none kept decoded: memory stays flat and requests keep their core.
sharp.concurrency(1);
sharp.cache(false);

/**
 * Re-encodes a picture as WebP in every width of its kind, without any metadata, and returns its
 * key: the objects are `pictures/{key}/{width}.webp`. The same bytes and kind give the same key.
 * Throws `UnusablePictureError`.
 */
export async function storePicture(storage: Storage, bytes: Uint8Array, kind: PictureKind): Promise<string> {
  if (bytes.byteLength > PICTURE_BYTES_MAX) {
    throw new UnusablePictureError(
      `the picture has ${bytes.byteLength} bytes, ${PICTURE_BYTES_MAX} are allowed`,
    );
  }
  await checkPicture(bytes);
  const key = createHash('sha256').update(`${kind}\n`).update(bytes).digest('hex');
  for (const width of PICTURE_WIDTHS[kind]) {
    const object = toPictureKey(key, width);
    if (await storage.has(object)) continue;
    await storage.put(object, await encode(bytes, kind, width));
  }
  return key;
}

/** Reads the header alone: type and size are known before a single pixel is decoded. */
async function checkPicture(bytes: Uint8Array): Promise<void> {
  const found = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw new UnusablePictureError('not a picture', { cause: error });
    });
  if (!FORMATS.has(found.format))
    throw new UnusablePictureError(`pictures of type ${found.format} are not taken`);
  if (found.width * found.height > PICTURE_PIXELS_MAX) {
    throw new UnusablePictureError(`the picture is ${found.width} × ${found.height}`);
  }
}

async function encode(bytes: Uint8Array, kind: PictureKind, width: number): Promise<Buffer> {
  const shape = PICTURE_SHAPES[kind];
  const size =
    shape === null
      ? { width, withoutEnlargement: true }
      : { width, height: Math.round(width / shape), fit: 'cover' as const };
  return sharp(bytes, { limitInputPixels: PICTURE_PIXELS_MAX, failOn: 'error', sequentialRead: true })
    .autoOrient()
    .resize(size)
    .webp({ quality: QUALITY, effort: 3 })
    .toBuffer()
    .catch((error: unknown) => {
      throw new UnusablePictureError('the picture is broken', { cause: error });
    });
}
