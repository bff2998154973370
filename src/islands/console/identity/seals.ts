/**
 * Opens photographs of IDs in the browser, because the server has no private key (decision 092). The format is
 * that of server/platform/crypto/sealed.ts: X25519 with an ephemeral key, HKDF-SHA256 and AES-256-GCM.
 */

/** Why a photograph was not opened. */
export type SealProblem =
  | { readonly kind: 'no-x25519' }
  | { readonly kind: 'not-a-key-file' }
  | { readonly kind: 'other-key'; readonly keyId: string }
  | { readonly kind: 'no-data-key' }
  | { readonly kind: 'modified' };

export class SealError extends Error {
  override readonly name = 'SealError';
  readonly problem: SealProblem;

  constructor(problem: SealProblem, cause?: unknown) {
    super(problem.kind, { cause });
    this.problem = problem;
  }
}

/** A private key that can be used and not read, with its public half and its id in hex. */
export interface OpeningKey {
  readonly id: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly privateKey: CryptoKey;
}

const CURVE = { name: 'X25519' } as const;
const CONTENT_MARK = 'OTS2';
const KEY_MARK = 'OTK1';
const MARK_BYTES = 4;
const KEY_ID_BYTES = 8;
const PUBLIC_KEY_BYTES = 32;
const DATA_KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BLOCK = /-----BEGIN PRIVATE KEY-----([A-Za-z\d+/=\s]+?)-----END PRIVATE KEY-----/g;
/** Key files hold one line for each key of the last years. */
const KEY_FILE_BYTES_MAX = 64 * 1024;

/** Reads the private keys of a PEM file (PKCS #8). Throws `SealError`. */
export async function readKeyFile(file: Blob): Promise<OpeningKey[]> {
  await requireCurve();
  const text = file.size > KEY_FILE_BYTES_MAX ? '' : await file.text();
  const blocks = [...text.matchAll(KEY_BLOCK)].map((match) => match[1] ?? '');
  if (blocks.length === 0) throw new SealError({ kind: 'not-a-key-file' });
  try {
    return await Promise.all(blocks.map(importKey));
  } catch (error) {
    throw new SealError({ kind: 'not-a-key-file' }, error);
  }
}

/** Opens a photograph, a JPEG. `sealed` and `sealedKey` are in base64. Throws `SealError`. */
export async function openSeal(
  keys: readonly OpeningKey[],
  {
    sealed,
    sealedKey,
    context,
  }: { readonly sealed: string; readonly sealedKey: string | null; readonly context: string },
): Promise<Blob> {
  const content = fromBase64(sealed);
  if (sealedKey === null) throw new SealError({ kind: 'no-data-key' });
  const header = takeHeader(content, CONTENT_MARK, NONCE_BYTES);
  const dataKey = await openDataKey(keys, fromBase64(sealedKey), context);
  const plain = await decrypt(dataKey, header.subarray(-NONCE_BYTES), header, content, context);
  dataKey.fill(0);
  return new Blob([plain], { type: 'image/jpeg' });
}

async function openDataKey(
  keys: readonly OpeningKey[],
  sealed: Uint8Array<ArrayBuffer>,
  context: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const header = takeHeader(sealed, KEY_MARK, KEY_ID_BYTES + PUBLIC_KEY_BYTES);
  const keyId = toHex(header.subarray(MARK_BYTES, MARK_BYTES + KEY_ID_BYTES));
  const key = keys.find(({ id }) => id === keyId);
  if (key === undefined) throw new SealError({ kind: 'other-key', keyId });
  const info = concat(header, key.publicKey, encode(context));
  const bytes = await derive(key.privateKey, header.subarray(-PUBLIC_KEY_BYTES), info);
  const nonce = bytes.subarray(DATA_KEY_BYTES);
  return decrypt(bytes.subarray(0, DATA_KEY_BYTES), nonce, header, sealed, context);
}

/** The key and the nonce that wrap a data key. */
async function derive(
  privateKey: CryptoKey,
  encapsulated: Uint8Array<ArrayBuffer>,
  info: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const shared = await agree(privateKey, encapsulated);
    const material = await crypto.subtle.importKey('raw', shared, 'HKDF', false, ['deriveBits']);
    const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info };
    const bits = (DATA_KEY_BYTES + NONCE_BYTES) * 8;
    return new Uint8Array(await crypto.subtle.deriveBits(algorithm, material, bits));
  } catch (error) {
    // A public key of small order, for example.
    throw new SealError({ kind: 'modified' }, error);
  }
}

async function decrypt(
  rawKey: Uint8Array<ArrayBuffer>,
  iv: Uint8Array<ArrayBuffer>,
  header: Uint8Array<ArrayBuffer>,
  sealed: Uint8Array<ArrayBuffer>,
  context: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey('raw', rawKey, 'AES-GCM', false, ['decrypt']);
  const additionalData = concat(header, encode(context));
  try {
    const algorithm = { name: 'AES-GCM', iv, additionalData, tagLength: TAG_BYTES * 8 };
    return new Uint8Array(await crypto.subtle.decrypt(algorithm, key, sealed.subarray(header.byteLength)));
  } catch (error) {
    throw new SealError({ kind: 'modified' }, error);
  }
}

/** X25519 of a private and a public key (RFC 7748). */
async function agree(privateKey: CryptoKey, publicKey: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
  const other = await crypto.subtle.importKey('raw', publicKey, CURVE, false, []);
  return crypto.subtle.deriveBits({ name: CURVE.name, public: other }, privateKey, PUBLIC_KEY_BYTES * 8);
}

async function importKey(base64: string): Promise<OpeningKey> {
  const bytes = fromBase64(base64);
  const privateKey = await crypto.subtle.importKey('pkcs8', bytes, CURVE, false, ['deriveBits']);
  bytes.fill(0);
  // The public half cannot be exported: it is the private key times the base point, 9.
  const basePoint = new Uint8Array(PUBLIC_KEY_BYTES);
  basePoint[0] = 9;
  const publicKey = new Uint8Array(await agree(privateKey, basePoint));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', publicKey));
  return { id: toHex(hash.subarray(0, KEY_ID_BYTES)), publicKey, privateKey };
}

/** Browsers before 2025, and pages without HTTPS, lack the curve. Throws `SealError`. */
async function requireCurve(): Promise<void> {
  try {
    await crypto.subtle.generateKey(CURVE, false, ['deriveBits']);
  } catch (error) {
    throw new SealError({ kind: 'no-x25519' }, error);
  }
}

function takeHeader(
  sealed: Uint8Array<ArrayBuffer>,
  mark: string,
  restBytes: number,
): Uint8Array<ArrayBuffer> {
  const headerBytes = MARK_BYTES + restBytes;
  if (sealed.byteLength < headerBytes + TAG_BYTES || readMark(sealed) !== mark)
    throw new SealError({ kind: 'modified' });
  return sealed.subarray(0, headerBytes);
}

function readMark(sealed: Uint8Array): string {
  return String.fromCharCode(...sealed.subarray(0, MARK_BYTES));
}

function concat(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function fromBase64(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
