import { PICTURE_BYTES_MAX } from '../../../contract/accounts/profile.ts';
import { checkAvif, isAvif } from './avif.ts';
import type { CleanPicture } from './cuts.ts';
import { UnusablePictureError, ensure } from './faults.ts';
import { cleanGif, isGif } from './gif.ts';
import { cleanJpeg, isJpeg } from './jpeg.ts';
import { cleanPng, isPng } from './png.ts';
import { cleanWebp, isWebp } from './webp.ts';

/** 25 Mpx: a 300 KB PNG can otherwise expand to 10 GB. */
export const PICTURE_PIXELS_MAX = 25_000_000;
/** The file and what its decoder keeps at once: a progressive JPEG with all pixels of a camera has 80 MB. */
export const PICTURE_MEMORY_MAX = 84 * 1024 * 1024;
/** Limits for animations: the encoder has several pictures in memory, and compares each with the next. */
const MOVING_PIXELS_MAX = 1_500_000;
const MOVING_ALL_PIXELS_MAX = 12_000_000;
const PAGES_MAX = 500;

/** The formats, and whether members may send them (spec §5) or only the staff. */
const FORMATS = [
  { is: isJpeg, clean: cleanJpeg, isForMembers: true },
  { is: isPng, clean: cleanPng, isForMembers: true },
  { is: isWebp, clean: cleanWebp, isForMembers: false },
  { is: isGif, clean: cleanGif, isForMembers: false },
  { is: isAvif, clean: checkAvif, isForMembers: false },
] as const;

/** Who sends a picture: members send JPEG and PNG, the staff also WebP, GIF and AVIF, which may move. */
export type PictureSender = 'member' | 'staff';

/**
 * What a decoder may get of a file: a picture whose format, size, need of memory and effort are within
 * bounds, without anything else. Changes `bytes`. Throws `UnusablePictureError`.
 */
export function cleanPicture(bytes: Buffer, sender: PictureSender): CleanPicture {
  if (sender === 'member') {
    ensure(
      bytes.byteLength <= PICTURE_BYTES_MAX,
      `the picture has ${bytes.byteLength} bytes, ${PICTURE_BYTES_MAX} are allowed`,
      'bytes',
    );
  }
  const format = FORMATS.find(({ is, isForMembers }) => (isForMembers || sender === 'staff') && is(bytes));
  if (format === undefined) throw new UnusablePictureError('type', 'not a picture of an accepted type');
  const picture = readWhole(format.clean, bytes);
  const { width, height, pages, workingBytes } = picture;
  const size = `${width} × ${height} × ${pages}`;
  ensure(width * height * pages <= PICTURE_PIXELS_MAX, `the picture is ${size}`, 'pixels');
  const memory = picture.bytes.byteLength + workingBytes;
  ensure(memory <= PICTURE_MEMORY_MAX, `the picture, ${size}, takes ${memory} bytes of memory`, 'memory');
  if (pages > 1) {
    const isSmall = width * height <= MOVING_PIXELS_MAX && width * height * pages <= MOVING_ALL_PIXELS_MAX;
    ensure(isSmall && pages <= PAGES_MAX, `the picture moves and is ${size}`, 'pixels');
  }
  return picture;
}

/** Reading beyond the end of the bytes means that they are cut off. */
function readWhole(clean: (bytes: Buffer) => CleanPicture, bytes: Buffer): CleanPicture {
  try {
    return clean(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new UnusablePictureError('broken', 'the picture is cut off', { cause: error });
  }
}
