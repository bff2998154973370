import { isKeyedHash, keyedHash } from '../platform/crypto/keyed-hash.ts';

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
  return {
    sign(purpose, soundId, lifetimeMs) {
      const expires = String(Math.ceil((now() + lifetimeMs) / 1000));
      return `expires=${expires}&signature=${keyedHash(first, purpose, soundId, expires)}`;
    },
    check(purpose, soundId, query) {
      const expires = query.get('expires') ?? '';
      const given = query.get('signature') ?? '';
      const isOurs = [first, ...others].some((secret) =>
        isKeyedHash(given, secret, purpose, soundId, expires),
      );
      if (!isOurs) return 'invalid';
      return Number(expires) * 1000 > now() ? 'valid' : 'expired';
    },
  };
}
