import type { StorageLocation } from '../port.ts';
import { createS3Signer } from './signing.ts';

/** How browsers read public objects from the bucket themselves. */
export interface MediaRedirect {
  /** Whether each address is signed and expires; otherwise anybody may read these objects of the bucket. */
  readonly isSigned: boolean;
  /** Where browsers reach the service, or the bucket when it is public. */
  readonly origin: string;
}

/** The redirect of the settings; null for none. A sentence for settings that do not go together. */
export function toMediaRedirect(
  mode: 'off' | 'signed' | 'public',
  storage: StorageLocation,
  urls: { readonly siteUrl: string | null; readonly filesOrigin: string | null },
): MediaRedirect | string | null {
  if (mode === 'off') return null;
  if (storage.kind !== 's3') return 'needs a bucket in STORAGE_URL.';
  if (mode === 'public' && urls.filesOrigin === null)
    return 'needs FILES_ORIGIN, the address of the public bucket.';
  const origin = urls.filesOrigin ?? storage.bucket.origin;
  if (urls.siteUrl?.startsWith('https:') && !origin.startsWith('https:'))
    return `sends browsers to ${origin}, which pages over https may not load; set FILES_ORIGIN to an https address.`;
  return { isSigned: mode === 'signed', origin };
}

/** What the answer of the bucket says about the object. Only signed addresses can carry it. */
export interface ObjectReply {
  readonly type: string;
  readonly cacheControl: string;
  /** The address is valid for at least this long, at most a week. */
  readonly lifetimeSec: number;
  /** For this long every request gets the same address, so that browsers can cache its content. */
  readonly sameForSec: number;
}

/** The address from which a browser reads an object. */
export type ToBrowserAddress = (key: string, reply: ObjectReply) => Promise<string>;

/** Addresses of public objects. Throws a `TypeError` for a folder, which has none. */
export function createBrowserAddresses(
  location: StorageLocation,
  { isSigned, origin }: MediaRedirect,
  now: () => number = Date.now,
): ToBrowserAddress {
  if (location.kind !== 's3') throw new TypeError('only objects of a bucket have addresses');
  const { bucket, prefix } = location.bucket;
  if (!isSigned) return (key) => Promise.resolve(`${origin}/${prefix}${key}`);
  const sign = createS3Signer(location.bucket);
  return async (key, { type, cacheControl, lifetimeSec, sameForSec }) => {
    const url = new URL(`${origin}/${bucket}/${prefix}${key}`);
    url.searchParams.set('response-content-type', type);
    url.searchParams.set('response-cache-control', cacheControl);
    const nowMs = now();
    const signed = await sign({
      method: 'GET',
      url: url.href,
      nowMs: nowMs - (nowMs % (sameForSec * 1000)),
      lifetimeSec: lifetimeSec + sameForSec,
    });
    // Services differ in whether a plus is a space.
    return signed.url.href.replaceAll('+', '%20');
  };
}
