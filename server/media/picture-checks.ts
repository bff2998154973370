import sharp from 'sharp';
import { PICTURE_BYTES_MAX } from '../../contract/profile.ts';
import { readPngChunks } from './png-chunks.ts';

/** 25 Mpx: a 300 KB PNG can unfold to 10 GB otherwise. */
export const PICTURE_PIXELS_MAX = 25_000_000;
/** The largest picture that is taken is decoded in half a second; longer takes what was made to take long. */
export const PICTURE_SECONDS_MAX = 10;
/** How the formats that are taken (spec §5) begin: no other decoder ever sees what a stranger sends. */
const JPEG_MARK = Buffer.from([0xff, 0xd8, 0xff]);
/** Texts, colours and the like; real pictures have a dozen. */
const PNG_EXTRAS_MAX = 200;

export type PictureFault = 'bytes' | 'type' | 'pixels' | 'animated' | 'broken';

/** The bytes are no picture that we take; the message is for logs, not for people. */
export class UnusablePictureError extends Error {
  override readonly name = 'UnusablePictureError';
  readonly fault: PictureFault;

  constructor(fault: PictureFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/**
 * Reads the header alone: type and size are known before a single pixel is decoded.
 * Throws `UnusablePictureError`.
 */
export async function checkPicture(bytes: Uint8Array): Promise<void> {
  if (bytes.byteLength > PICTURE_BYTES_MAX) {
    throw new UnusablePictureError(
      'bytes',
      `the picture has ${bytes.byteLength} bytes, ${PICTURE_BYTES_MAX} are allowed`,
    );
  }
  checkContainer(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const found = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch((error: unknown) => {
      throw new UnusablePictureError('broken', 'the header is broken', { cause: error });
    });
  if (found.width * found.height > PICTURE_PIXELS_MAX) {
    throw new UnusablePictureError('pixels', `the picture is ${found.width} × ${found.height}`);
  }
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
