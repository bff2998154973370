import sharp from 'sharp';
import type { ResizeOptions, Sharp } from 'sharp';
import { PICTURE_PIXELS_MAX, cleanPicture } from './checks.ts';
import { UnusablePictureError } from './faults.ts';
import type { PictureFault } from './faults.ts';
import type { ShareSubject } from './share-pictures.ts';

/** What is made of a picture. */
export type PictureTask =
  /** A member's or the site's picture: a WebP of each width, the widest last, cut to the shape unless it is null. */
  | { readonly kind: 'widths'; readonly widths: readonly number[]; readonly shape: number | null }
  /** A photograph of a document: a JPEG. */
  | { readonly kind: 'photograph' }
  /** A picture of the staff: a WebP, which moves if the picture does. */
  | { readonly kind: 'notice' };

/** A file is read by the process, not by the server. */
export type PictureFile = Uint8Array | { readonly path: string };

export type PictureRequest =
  | { readonly file: PictureFile; readonly task: PictureTask }
  /** The picture of a shared link is drawn. */
  | { readonly subject: ShareSubject; readonly picture: Uint8Array | null };

/** A process answers each request once. */
export type Outcome =
  | { readonly state: 'done'; readonly pictures: readonly Uint8Array[] }
  | { readonly state: 'refused'; readonly fault: PictureFault; readonly message: string };
export type PictureReply = Outcome & {
  /** The process must be ended: the library still works on the picture, or has not returned its memory. */
  readonly isSpent: boolean;
};

const QUALITY = 80;
/** Enough to read an ID; a higher resolution would only be more data to protect. */
const PHOTOGRAPH_SIDE_MAX = 2_400;
const PHOTOGRAPH_QUALITY = 85;
const NOTICE_SIDE_MAX = 2_400;

/** Checks and decodes a picture once, and encodes what is made of it. Throws `UnusablePictureError`. */
export async function doPictureWork(bytes: Buffer, task: PictureTask): Promise<readonly Uint8Array[]> {
  const picture = cleanPicture(bytes, task.kind === 'notice' ? 'staff' : 'member');
  const source = sharp(picture.bytes, {
    limitInputPixels: PICTURE_PIXELS_MAX,
    failOn: 'error',
    sequentialRead: true,
    animated: picture.pages > 1,
  }).autoOrient();
  try {
    return await encode(source, task, picture.pages > 1);
  } catch (error) {
    throw new UnusablePictureError('broken', 'the picture is broken', { cause: error });
  }
}

async function encode(source: Sharp, task: PictureTask, isMoving: boolean): Promise<readonly Uint8Array[]> {
  if (task.kind === 'photograph') {
    const fitted = source.resize(toInside(PHOTOGRAPH_SIDE_MAX)).flatten({ background: '#fff' });
    return [await fitted.jpeg({ quality: PHOTOGRAPH_QUALITY }).toBuffer()];
  }
  if (task.kind === 'notice') {
    const fitted = source.resize(toInside(NOTICE_SIDE_MAX));
    // Each picture of one that moves is encoded in several ways.
    return [await fitted.webp({ quality: QUALITY, effort: isMoving ? 1 : 3 }).toBuffer()];
  }
  const toSize = (width: number): ResizeOptions =>
    task.shape === null
      ? { width, withoutEnlargement: true }
      : { width, height: Math.round(width / task.shape), fit: 'cover' };
  // Decoded once: the others are made of the widest.
  const widest = await source
    .resize(toSize(Math.max(...task.widths)))
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = widest.info;
  const pictures: Uint8Array[] = [];
  for (const each of task.widths) {
    const copy = sharp(widest.data, { raw: { width, height, channels } });
    pictures.push(await copy.resize(toSize(each)).webp({ quality: QUALITY, effort: 3 }).toBuffer());
  }
  return pictures;
}

function toInside(side: number): ResizeOptions {
  return { width: side, height: side, fit: 'inside', withoutEnlargement: true };
}
