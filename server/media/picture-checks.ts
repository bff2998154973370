import { PICTURE_BYTES_MAX } from '../../contract/profile.ts';
import { once } from '../platform/once.ts';
import { readPngChunks } from './png-chunks.ts';

/** 25 Mpx: a 300 KB PNG can otherwise expand to 10 GB. */
export const PICTURE_PIXELS_MAX = 25_000_000;
/** The largest accepted picture is decoded in half a second; only hostile files take longer. */
export const PICTURE_SECONDS_MAX = 10;
/** How the accepted formats (spec §5) start: no other decoder ever processes members' files. */
const JPEG_MARK = Buffer.from([0xff, 0xd8, 0xff]);
/** How the other formats of the staff start: AVIF, GIF and WebP, as Latin-1. */
const OTHER_MARKS = /^(?:.{4}ftypavi|GIF8[79]a|RIFF.{4}WEBP)/s;
/** Texts, colours and similar chunks; real pictures have a dozen. */
const PNG_EXTRAS_MAX = 200;

/** The library of pictures, which takes 20 MB once the first one is uploaded. */
export const loadSharp = once(async () => {
  const { default: sharp } = await import('sharp');
  // One thread per picture, no cache of decoded pictures: memory stays constant, and requests keep their core.
  sharp.concurrency(1);
  sharp.cache(false);
  return sharp;
});

export type PictureFault = 'bytes' | 'type' | 'pixels' | 'animated' | 'broken';

/** The bytes are not an accepted picture; the message is for logs, not for people. */
export class UnusablePictureError extends Error {
  override readonly name = 'UnusablePictureError';
  readonly fault: PictureFault;

  constructor(fault: PictureFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** Reads only the header: type and size are checked before any pixel is decoded. Throws `UnusablePictureError`. */
export async function checkPicture(bytes: Uint8Array): Promise<void> {
  if (bytes.byteLength > PICTURE_BYTES_MAX) {
    throw new UnusablePictureError(
      'bytes',
      `the picture has ${bytes.byteLength} bytes, ${PICTURE_BYTES_MAX} are allowed`,
    );
  }
  checkContainer(toBuffer(bytes));
  await checkPixels(bytes);
}

/**
 * The same for a picture of the staff, of up to 64 MiB, which may also be AVIF, GIF or WebP: those may move, and all
 * their pictures together count. Throws `UnusablePictureError`.
 */
export async function checkStaffPicture(bytes: Uint8Array): Promise<void> {
  if (!OTHER_MARKS.test(toBuffer(bytes).toString('latin1', 0, 12))) checkContainer(toBuffer(bytes));
  await checkPixels(bytes);
}

async function checkPixels(bytes: Uint8Array): Promise<void> {
  const sharp = await loadSharp();
  const {
    width,
    height,
    pages = 1,
  } = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw new UnusablePictureError('broken', 'the header is broken', { cause: error });
    });
  if (width * height * pages > PICTURE_PIXELS_MAX) {
    throw new UnusablePictureError('pixels', `the picture is ${width} × ${height} × ${pages}`);
  }
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

function checkContainer(bytes: Buffer): void {
  if (bytes.subarray(0, JPEG_MARK.byteLength).equals(JPEG_MARK)) return;
  const chunks = readPngChunks(bytes);
  if (chunks === undefined) throw new UnusablePictureError('type', 'neither a JPEG nor a PNG');
  if (chunks.isAnimated) throw new UnusablePictureError('animated', 'the PNG is animated');
  if (chunks.extras > PNG_EXTRAS_MAX) {
    throw new UnusablePictureError('broken', `the PNG has ${chunks.extras} chunks beside its picture`);
  }
}
