import { createHash } from 'node:crypto';
import { runInProcess } from './processes.ts';

/** What the picture of a shared link shows (decision 167). */
export interface ShareSubject {
  /** `square`: a sound with its thumbnail; `circle`: an artist. */
  readonly shape: 'square' | 'circle';
  /** A sound's title, or an artist's name. */
  readonly title: string;
  /** The line below it; '' for none. */
  readonly line: string;
  readonly siteName: string;
  /** `contract/sounds/peaks.ts`; '' draws the wave of the site's sign. */
  readonly peaks: string;
  /** The key of a stored picture. */
  readonly pictureKey: string | null;
}

/** Changes with the drawing, so that pictures that browsers and other sites have cached are replaced. */
const DRAWING = 1;
const VERSION_LENGTH = 6;
/** Drawings wait for each other, and with the members' pictures. */
const OWNER = 'shared links';

/** Differs for any two pictures. */
export function toShareKey(subject: ShareSubject): string {
  return createHash('sha256')
    .update(JSON.stringify([DRAWING, subject]))
    .digest('base64url');
}

/** Six characters that change with everything that the picture shows. */
export function toShareVersion(subject: ShareSubject): string {
  return toShareKey(subject).slice(0, VERSION_LENGTH);
}

/**
 * Draws the picture of a shared link as a JPEG of 1200 × 630 pixels. `picture`: the stored picture, if there is one. Takes
 * about 0.1 s of a core and 20 MB in another process. Throws `Busy`.
 */
export async function drawSharePicture(subject: ShareSubject, picture: Buffer | null): Promise<Buffer> {
  const [drawn = new Uint8Array()] = await runInProcess(() => ({ subject, picture }), OWNER);
  return Buffer.from(drawn.buffer, drawn.byteOffset, drawn.byteLength);
}
