import { buffer } from 'node:stream/consumers';
import { LRUCache } from 'lru-cache';
import { DAY_SEC } from '../../contract/values/time-units.ts';
import { drawSharePicture, toShareKey, toShareVersion } from '../media/pictures/share-pictures.ts';
import type { ShareSubject } from '../media/pictures/share-pictures.ts';
import { toPictureKey } from '../media/object-keys.ts';
import { Problem } from '../platform/http/problem.ts';
import { TooManyRequests } from '../platform/limits/rate-limits.ts';
import { isRefusal } from '../platform/limits/admission.ts';
import type { Admission } from '../platform/limits/admission.ts';
import { MissingObjectError } from '../platform/storage/port.ts';
import type { SharedKind } from '../platform/storage/file-urls.ts';
import type { Storage } from '../platform/storage/port.ts';
import { toClientAddress } from './client-address.ts';
import type { MediaHandler } from './media.ts';
import { sendFile, sendJson } from './replies.ts';
import type { Exchange } from './replies.ts';
import { UPLOAD_POLICY } from './security-headers.ts';

export interface SharePicturesOptions {
  /** What a picture shows of a public sound or artist; undefined for others. */
  readonly find: (kind: SharedKind, name: string) => Promise<ShareSubject | undefined>;
  readonly storage: Pick<Storage, 'open'>;
  /** Admission of drawings; pictures in memory need none. */
  readonly admission: Admission;
  readonly trustedProxyHops: number;
}

interface Drawing {
  readonly subject: ShareSubject;
  /** An address. */
  readonly visitor: string;
}

const PATH = /^\/media\/share\/(sounds|artist)\/([^/]{1,1500})\/([\w-]{6})\.jpg$/;
/** Some 200 pictures. Further ones are drawn again. */
const MEMORY_BYTES_MAX = 16 * 1024 * 1024;
const RETRY_AFTER_SECONDS = 5;
const PICTURE_WIDTH = { square: 640, circle: 240 } as const;

/**
 * Answers requests for pictures of shared links, and passes others to `next`. A picture is drawn when it is first
 * requested, once for all concurrent requests. An older address shows what is public now.
 */
export function withSharePictures(
  { find, storage, admission, trustedProxyHops }: SharePicturesOptions,
  next: MediaHandler,
): MediaHandler {
  const pictures = new LRUCache<string, Buffer, Drawing>({
    maxSize: MEMORY_BYTES_MAX,
    sizeCalculation: ({ byteLength }) => byteLength,
    fetchMethod: (_version, _old, { context: { subject, visitor } }) =>
      admission.run(visitor, async () => drawSharePicture(subject, await readPicture(storage, subject))),
  });

  async function send(exchange: Exchange, kind: SharedKind, name: string, version: string): Promise<void> {
    const subject = await find(kind, name);
    if (subject === undefined) throw new Problem(404, 'ファイルが見つかりません。');
    const current = toShareVersion(subject);
    const visitor = toClientAddress(exchange.req, trustedProxyHops) || 'unknown';
    const picture = await pictures.forceFetch(toShareKey(subject), { context: { subject, visitor } });
    await sendFile(exchange, {
      size: picture.byteLength,
      etag: `"${current}"`,
      headers: [
        ['content-security-policy', UPLOAD_POLICY],
        ['content-type', 'image/jpeg'],
        // Not for ever: what it shows may be withdrawn.
        ['cache-control', `public, max-age=${current === version ? DAY_SEC : 300}`],
        // Other sites show it.
        ['cross-origin-resource-policy', 'cross-origin'],
      ],
      content: picture,
    });
  }

  return async (exchange, target) => {
    const [, kind, name = '', version = ''] = PATH.exec(target.path) ?? [];
    const { method } = exchange.req;
    if (kind === undefined || (method !== 'GET' && method !== 'HEAD')) return next(exchange, target);
    try {
      await send(exchange, kind as SharedKind, decodeURIComponent(name), version);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      await admission.delayRefusal();
      const [status, seconds] =
        error instanceof TooManyRequests ? [429, error.retryAfterSec] : [503, RETRY_AFTER_SECONDS];
      const detail = '画像へのアクセスが多すぎます。しばらくしてからもう一度お試しください。';
      sendJson(exchange, status, { detail }, [['retry-after', String(seconds)]]);
    }
  };
}

/** null if there is none, also if it has just been deleted. */
async function readPicture(
  storage: Pick<Storage, 'open'>,
  { pictureKey, shape }: ShareSubject,
): Promise<Buffer | null> {
  if (pictureKey === null) return null;
  try {
    return await buffer(await storage.open(toPictureKey(pictureKey, PICTURE_WIDTH[shape])));
  } catch (error) {
    if (!(error instanceof MissingObjectError)) throw error;
    return null;
  }
}
