import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * HMAC-SHA256 of a purpose and of what it is about, in base64url. Values of two purposes are never equal, so that a mark
 * made for one is worth nothing for another.
 */
export function keyedHash(secret: Uint8Array, purpose: string, ...parts: readonly string[]): string {
  return digest(secret, purpose, parts).toString('base64url');
}

/** Whether `given` is the keyed hash. Takes the same time for each wrong one. */
export function isKeyedHash(
  given: string,
  secret: Uint8Array,
  purpose: string,
  ...parts: readonly string[]
): boolean {
  const bytes = Buffer.from(given, 'base64url');
  const wanted = digest(secret, purpose, parts);
  return bytes.byteLength === wanted.byteLength && timingSafeEqual(bytes, wanted);
}

function digest(secret: Uint8Array, purpose: string, parts: readonly string[]): Buffer {
  return createHmac('sha256', secret)
    .update(JSON.stringify([purpose, ...parts]))
    .digest();
}
