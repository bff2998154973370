import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a signed URL permits; a signature for one purpose is invalid for the other. */
export type SignedPurpose = 'play' | 'download' | 'download-private' | 'quality-check';
export type SignatureState = 'valid' | 'expired' | 'invalid';

export interface Signatures {
  /** `expires=…&signature=…` for one purpose and one sound. */
  sign(purpose: SignedPurpose, soundId: string, lifetimeMs: number): string;
  check(purpose: SignedPurpose, soundId: string, query: URLSearchParams): SignatureState;
}

/** HMAC-SHA256. The first secret signs; all are accepted. `expires` is in epoch seconds. */
export function createSignatures(
  secrets: Uint8Array | readonly Uint8Array[],
  now: () => number = Date.now,
): Signatures {
  const [first, ...others] = secrets instanceof Uint8Array ? [secrets] : secrets;
  if (first === undefined) throw new RangeError('signatures need a secret');
  const digest = (secret: Uint8Array, purpose: SignedPurpose, soundId: string, expires: string) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([purpose, soundId, expires]))
      .digest();
  return {
    sign(purpose, soundId, lifetimeMs) {
      const expires = String(Math.ceil((now() + lifetimeMs) / 1000));
      return `expires=${expires}&signature=${digest(first, purpose, soundId, expires).toString('base64url')}`;
    },
    check(purpose, soundId, query) {
      const expires = query.get('expires') ?? '';
      const given = Buffer.from(query.get('signature') ?? '', 'base64url');
      const isOurs = [first, ...others].some((secret) => {
        const wanted = digest(secret, purpose, soundId, expires);
        return given.byteLength === wanted.byteLength && timingSafeEqual(given, wanted);
      });
      if (!isOurs) return 'invalid';
      return Number(expires) * 1000 > now() ? 'valid' : 'expired';
    },
  };
}
