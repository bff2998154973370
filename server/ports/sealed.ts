import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SealingKeys } from './sealed-keys.ts';

const CIPHER = 'aes-256-gcm';
/** Begins every sealed content: the format and its version. */
const MARK = Buffer.from('OTS1', 'latin1');
const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = MARK.byteLength + KEY_ID_BYTES + NONCE_BYTES;

/** What was to be opened is not sealed, was changed, belongs elsewhere, or its key is not here. */
export class UnopenableSealError extends Error {
  override readonly name = 'UnopenableSealError';
}

/**
 * Bytes that nobody reads or changes without the key (AES-256-GCM, a fresh nonce each time). They
 * open with the same `context` only: one cannot be passed off as another.
 * Layout: mark, key id (8), nonce (12), ciphertext, tag (16).
 */
export function seal(keys: SealingKeys, plain: Uint8Array, context: string): Buffer {
  const { id, key } = keys.current;
  const header = Buffer.concat([MARK, Buffer.from(id, 'hex'), randomBytes(NONCE_BYTES)]);
  const cipher = createCipheriv(CIPHER, key, header.subarray(-NONCE_BYTES));
  cipher.setAAD(toAad(header, context));
  return Buffer.concat([header, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** What was sealed with this context. Throws `UnopenableSealError`. */
export function unseal(keys: SealingKeys, sealed: Buffer, context: string): Buffer {
  if (sealed.byteLength < HEADER_BYTES + TAG_BYTES || !sealed.subarray(0, MARK.byteLength).equals(MARK)) {
    throw new UnopenableSealError('these bytes are not sealed');
  }
  const header = sealed.subarray(0, HEADER_BYTES);
  const keyId = header.toString('hex', MARK.byteLength, MARK.byteLength + KEY_ID_BYTES);
  const key = keys.find(keyId);
  if (key === undefined) throw new UnopenableSealError(`the key ${keyId} is not in the key file`);
  const decipher = createDecipheriv(CIPHER, key, header.subarray(-NONCE_BYTES));
  decipher.setAAD(toAad(header, context)).setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch (error) {
    throw new UnopenableSealError('the seal does not fit', { cause: error });
  }
}

function toAad(header: Buffer, context: string): Buffer {
  return Buffer.concat([header, Buffer.from(context, 'utf8')]);
}
