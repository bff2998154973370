import { createHash } from 'node:crypto';
import type { Sharp } from 'sharp';
import { PICTURE_SHAPES, PICTURE_WIDTHS } from '../../contract/pictures.ts';
import type { PictureKind } from '../../contract/pictures.ts';
import { createSemaphore } from '../platform/concurrency/concurrency.ts';
import type { Storage } from '../platform/storage/storage.ts';
import { toPictureKey } from './object-keys.ts';
import {
  PICTURE_PIXELS_MAX,
  PICTURE_SECONDS_MAX,
  UnusablePictureError,
  checkPicture,
  checkStaffPicture,
  loadSharp,
} from './picture-checks.ts';

const QUALITY = 80;
/** Enough to read an ID; a higher resolution would only be more data to protect. */
const PHOTOGRAPH_SIDE_MAX = 2_400;
const PHOTOGRAPH_QUALITY = 85;
const NOTICE_SIDE_MAX = 2_400;

/**
 * Two uploaded pictures are processed at a time; each takes up to half a second of a core and 120 MB. Ten more
 * may wait; further ones are refused.
 */
export const pictureSemaphore = createSemaphore(2, 10);

/**
 * Re-encodes a JPEG or PNG as WebP in every width of its kind, without any metadata, and returns its key: the objects
 * are `pictures/{key}/{width}.webp`. The same bytes, kind and `salt` give the same key; a unique salt gives a key that
 * can be deleted later. Throws `UnusablePictureError`.
 */
export async function storePicture(
  storage: Storage,
  bytes: Uint8Array,
  kind: PictureKind,
  salt = '',
): Promise<string> {
  await checkPicture(bytes);
  const key = hashPicture(bytes, kind, salt);
  const stored: string[] = [];
  try {
    for (const width of PICTURE_WIDTHS[kind]) {
      const object = toPictureKey(key, width);
      if (await storage.has(object)) continue;
      await storage.put(object, await encode(bytes, kind, width));
      stored.push(object);
    }
  } catch (error) {
    await Promise.allSettled(stored.map((object) => storage.delete(object)));
    throw error;
  }
  return key;
}

/** Characters of a key: 132 bits. It stands in every page that shows the picture. */
const KEY_LENGTH = 22;

/** The key that `storePicture` returns, for callers that must record it before the picture is stored. */
export function hashPicture(bytes: Uint8Array, kind: PictureKind, salt: string): string {
  const hash = createHash('sha256').update(`${kind}\n${salt}\n`).update(bytes);
  return hash.digest('base64url').slice(0, KEY_LENGTH);
}

/** Deletes every width of a picture; no other record may use its key. */
export async function deletePicture(storage: Storage, key: string, kind: PictureKind): Promise<void> {
  await Promise.all(PICTURE_WIDTHS[kind].map((width) => storage.delete(toPictureKey(key, width))));
}

/**
 * Re-encodes a photograph of a document as a JPEG, upright, without metadata such as its location. Throws
 * `UnusablePictureError`.
 */
export async function encodePhotograph(bytes: Uint8Array): Promise<Buffer> {
  await checkPicture(bytes);
  return toBytes(
    (await decode(bytes))
      .resize({
        width: PHOTOGRAPH_SIDE_MAX,
        height: PHOTOGRAPH_SIDE_MAX,
        fit: 'inside',
        withoutEnlargement: true,
      })
      .flatten({ background: '#fff' })
      .jpeg({ quality: PHOTOGRAPH_QUALITY }),
  );
}

/**
 * Re-encodes a picture of the staff as a WebP, which moves if the picture does, without anything else that the file
 * contained. Throws `UnusablePictureError`.
 */
export async function encodeNoticePicture(bytes: Uint8Array): Promise<Buffer> {
  await checkStaffPicture(bytes);
  return toBytes(
    (await decode(bytes, true))
      .resize({ width: NOTICE_SIDE_MAX, height: NOTICE_SIDE_MAX, fit: 'inside', withoutEnlargement: true })
      .webp({ quality: QUALITY, effort: 3 }),
  );
}

async function encode(bytes: Uint8Array, kind: PictureKind, width: number): Promise<Buffer> {
  const shape = PICTURE_SHAPES[kind];
  const size =
    shape === null
      ? { width, withoutEnlargement: true }
      : { width, height: Math.round(width / shape), fit: 'cover' as const };
  return toBytes((await decode(bytes)).resize(size).webp({ quality: QUALITY, effort: 3 }));
}

async function decode(bytes: Uint8Array, animated = false): Promise<Sharp> {
  const sharp = await loadSharp();
  return sharp(bytes, {
    limitInputPixels: PICTURE_PIXELS_MAX,
    failOn: 'error',
    sequentialRead: true,
    animated,
  })
    .timeout({ seconds: PICTURE_SECONDS_MAX })
    .autoOrient();
}

function toBytes(picture: Sharp): Promise<Buffer> {
  return picture.toBuffer().catch((error: unknown) => {
    throw new UnusablePictureError('broken', 'the picture is broken', { cause: error });
  });
}
