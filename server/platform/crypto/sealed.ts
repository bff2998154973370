import {
  createCipheriv,
  createDecipheriv,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { toRawPublicKey } from './sealed-keys.ts';
import type { OpeningKeys, SealingKey } from './sealed-keys.ts';

const CIPHER = 'aes-256-gcm';
/** First bytes of all sealed content: the format and its version. */
const CONTENT_MARK = Buffer.from('OTS2', 'latin1');
const KEY_MARK = Buffer.from('OTK1', 'latin1');
const NO_HEADER = Buffer.alloc(0);
const KEY_ID_BYTES = 8;
const PUBLIC_KEY_BYTES = 32;
const DATA_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** What `sealDataKey` returns. */
export const SEALED_DATA_KEY_BYTES =
  KEY_MARK.byteLength + KEY_ID_BYTES + PUBLIC_KEY_BYTES + DATA_KEY_BYTES + TAG_BYTES;
/** By how much a sealed part is longer. */
export const SEALED_PART_EXTRA_BYTES = TAG_BYTES;

/** The input is not sealed, was modified, belongs to another context, or its key is missing. */
export class UnopenableSealError extends Error {
  override readonly name = 'UnopenableSealError';
}

/** A key for one content only. */
export function makeDataKey(): Buffer {
  return randomBytes(DATA_KEY_BYTES);
}

/**
 * Encrypts bytes with the data key (AES-256-GCM, a new nonce each time) so that they cannot be read or changed without
 * it. They open with the same `context` only, so one content cannot be substituted for another. Layout: mark, nonce
 * (12), ciphertext, tag (16).
 */
export function seal(dataKey: Uint8Array, plain: Uint8Array, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  return encrypt(dataKey, nonce, Buffer.concat([CONTENT_MARK, nonce]), plain, context);
}

/** Opens what was sealed with this data key and context. Throws `UnopenableSealError`. */
export function unseal(dataKey: Uint8Array, sealed: Buffer, context: string): Buffer {
  const header = readHeader(sealed, CONTENT_MARK, NONCE_BYTES);
  return decrypt(dataKey, header.subarray(-NONCE_BYTES), header, sealed, context);
}

/**
 * Seals a data key so that only the private half of `key` opens it: X25519 with an ephemeral key, HKDF-SHA256 and
 * AES-256-GCM, as in the base mode of RFC 9180 with our own encoding. Bound to `context`. Layout: mark, key id (8),
 * ephemeral public key (32), ciphertext (32), tag (16).
 */
export function sealDataKey(key: SealingKey, dataKey: Uint8Array, context: string): Buffer {
  const ephemeral = generateKeyPairSync('x25519');
  const encapsulated = toRawPublicKey(ephemeral.publicKey);
  const shared = diffieHellman({ privateKey: ephemeral.privateKey, publicKey: key.publicKey });
  const header = Buffer.concat([KEY_MARK, key.id, encapsulated]);
  const { wrapping, nonce } = derive(shared, header, key.publicKey, context);
  return encrypt(wrapping, nonce, header, dataKey, context);
}

/** Throws `UnopenableSealError`. */
export function openDataKey(keys: OpeningKeys, sealed: Buffer, context: string): Buffer {
  const header = readDataKeyHeader(sealed);
  const id = readKeyId(sealed);
  const found = keys.find(id);
  if (found === undefined) {
    const hint =
      'set PERSONAL_INFO_KEY_FILE to the file that holds it; if it is lost, reject the ID and ask for another photograph';
    throw new UnopenableSealError(`the private key ${id.toString('hex')} is not here: ${hint}`);
  }
  const x = header.subarray(-PUBLIC_KEY_BYTES).toString('base64url');
  let shared: Buffer;
  try {
    const publicKey = createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'X25519', x } });
    shared = diffieHellman({ privateKey: found.privateKey, publicKey });
  } catch (error) {
    throw new UnopenableSealError('the seal does not fit', { cause: error });
  }
  const { wrapping, nonce } = derive(shared, header, found.key.publicKey, context);
  return decrypt(wrapping, nonce, header, sealed, context);
}

/** The id of the key that a data key is sealed to. Throws `UnopenableSealError`. */
export function readKeyId(sealed: Buffer): Buffer {
  const idStart = KEY_MARK.byteLength;
  return readDataKeyHeader(sealed).subarray(idStart, idStart + KEY_ID_BYTES);
}

/** A part of a content that has a data key of its own, which seals each number once. */
export interface Part {
  readonly number: number;
  readonly isLast: boolean;
}

/** Layout: ciphertext, tag (16). */
export function sealPart(dataKey: Uint8Array, part: Part, plain: Uint8Array): Buffer {
  return encrypt(dataKey, toPartNonce(part), NO_HEADER, plain, '');
}

/** Throws `UnopenableSealError`, also for a part with another number, or that is not the last one. */
export function openPart(dataKey: Uint8Array, part: Part, sealed: Buffer): Buffer {
  if (sealed.byteLength < TAG_BYTES) throw new UnopenableSealError('the sealed content was cut off');
  return decrypt(dataKey, toPartNonce(part), NO_HEADER, sealed, '');
}

/** The number (11 bytes), and 1 for the last part. */
function toPartNonce({ number, isLast }: Part): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUIntBE(number, NONCE_BYTES - 7, 6);
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0;
  return nonce;
}

function readDataKeyHeader(sealed: Buffer): Buffer {
  return readHeader(sealed, KEY_MARK, KEY_ID_BYTES + PUBLIC_KEY_BYTES);
}

/** Key and nonce are used once, because the ephemeral key is new each time. */
function derive(shared: Buffer, header: Buffer, recipient: KeyObject, context: string) {
  const info = Buffer.concat([header, toRawPublicKey(recipient), Buffer.from(context, 'utf8')]);
  const bytes = Buffer.from(hkdfSync('sha256', shared, Buffer.alloc(0), info, DATA_KEY_BYTES + NONCE_BYTES));
  return { wrapping: bytes.subarray(0, DATA_KEY_BYTES), nonce: bytes.subarray(DATA_KEY_BYTES) };
}

function readHeader(sealed: Buffer, mark: Buffer, restBytes: number): Buffer {
  const headerBytes = mark.byteLength + restBytes;
  if (sealed.byteLength < headerBytes + TAG_BYTES || !sealed.subarray(0, mark.byteLength).equals(mark)) {
    throw new UnopenableSealError('these bytes are not sealed');
  }
  return sealed.subarray(0, headerBytes);
}

function encrypt(
  key: Uint8Array,
  nonce: Uint8Array,
  header: Buffer,
  plain: Uint8Array,
  context: string,
): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(toAad(header, context));
  return Buffer.concat([header, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(
  key: Uint8Array,
  nonce: Uint8Array,
  header: Buffer,
  sealed: Buffer,
  context: string,
): Buffer {
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(toAad(header, context)).setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(header.byteLength, -TAG_BYTES)), decipher.final()]);
  } catch (error) {
    throw new UnopenableSealError('the seal does not fit', { cause: error });
  }
}

function toAad(header: Buffer, context: string): Buffer {
  return Buffer.concat([header, Buffer.from(context, 'utf8')]);
}
