import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeOnce } from '../storage/private-files.ts';
import { syncFolderNow } from '../synced-files.ts';

const KEY_ID_BYTES = 8;
const PEM_BLOCK = /-----BEGIN [A-Z ]+-----[\s\S]+?-----END [A-Z ]+-----/g;

/** A public key: it can seal but not open. */
export interface SealingKey {
  /** The beginning of the SHA-256 of the public key; identifies the key. */
  readonly id: Buffer;
  readonly publicKey: KeyObject;
}

/** Private keys: each opens what was sealed with its public half. */
export interface OpeningKeys {
  find(id: Buffer): { readonly key: SealingKey; readonly privateKey: KeyObject } | undefined;
}

export interface SealingKeyFiles {
  /** Read by the server. */
  readonly publicFile: string;
  /** Read by staff commands only. */
  readonly privateFile: string;
}

/**
 * Reads the public key from `publicFile`. If the file is missing, it is derived from the private key. If that is
 * missing too, a new pair is generated, and its private half is written to `privateFile` but not retained in memory.
 */
export function readOrMakeSealingKey({ publicFile, privateFile }: SealingKeyFiles): SealingKey {
  const existing = readSealingKey(publicFile);
  if (existing !== undefined) return existing;
  if (!existsSync(privateFile)) {
    const { privateKey } = generateKeyPairSync('x25519');
    try {
      makeOnce(privateFile, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    } catch (error) {
      const hint =
        'set PERSONAL_INFO_KEY_FILE to a path outside of DATA_DIR that can be written at the first start, or set ' +
        'PERSONAL_INFO_PUBLIC_KEY (npm run operator -- personal-info make-key FILE)';
      throw new Error(`the private key for photographs of IDs cannot be written to ${privateFile}: ${hint}`, {
        cause: error,
      });
    }
  }
  // If two processes start at the same time, both use the pair whose file was written first.
  const [first] = readPrivateKeys(privateFile);
  if (first === undefined) throw new Error(`${privateFile} must hold an X25519 private key in PEM`);
  makeOnce(publicFile, createPublicKey(first).export({ type: 'spki', format: 'pem' }).toString());
  return toSealingKey(readFileSync(publicFile, 'utf8'));
}

/** The public key of a PEM file; undefined if the file is missing. Throws when it contains anything else. */
export function readSealingKey(publicFile: string): SealingKey | undefined {
  return existsSync(publicFile) ? toSealingKey(readFileSync(publicFile, 'utf8')) : undefined;
}

/** The private keys of a PEM file, newest first. Throws when the file contains anything else or cannot be read. */
export function readOpeningKeys(privateFile: string): OpeningKeys {
  return toOpeningKeys(readPrivateKeys(privateFile));
}

export function toOpeningKeys(privateKeys: readonly KeyObject[]): OpeningKeys {
  const openingKeys = privateKeys.map((privateKey) => ({
    privateKey,
    key: toKey(createPublicKey(privateKey)),
  }));
  return { find: (id) => openingKeys.find(({ key }) => key.id.equals(id)) };
}

/** The first key of a PEM text. Throws unless it is an X25519 public key. */
export function toSealingKey(pem: string): SealingKey {
  const [block = ''] = pem.match(PEM_BLOCK) ?? [];
  return toKey(requireX25519(createPublicKey(block)));
}

/** A public key as one line: SPKI in base64, the middle line of its PEM. */
export function toPublicKeyLine(publicKey: KeyObject): string {
  return publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
}

/**
 * The public key in a setting: the line of `toPublicKeyLine`, or PEM, in which line breaks may be written as \\n.
 * Undefined for any other text, and for a private key.
 */
export function findSealingKey(text: string): SealingKey | undefined {
  const line = text
    .replaceAll('\\n', '\n')
    .trim()
    .replace(/^-----BEGIN PUBLIC KEY-----([^-]*)-----END PUBLIC KEY-----$/, '$1')
    .replace(/\s/g, '');
  try {
    const der = Buffer.from(line, 'base64');
    const key = requireX25519(createPublicKey({ key: der, type: 'spki', format: 'der' }));
    return toPublicKeyLine(key) === line ? toKey(key) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Makes a pair of keys: writes the private one into a new file that only its owner can read, and returns the public one.
 * Throws an error with the code EEXIST for an existing file.
 */
export function makeSealingKey(privateFile: string): SealingKey {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  writeFileSync(privateFile, pem, { flag: 'wx', mode: 0o600, flush: true });
  syncFolderNow(dirname(privateFile));
  return toKey(publicKey);
}

/** The 32 bytes of a public key (RFC 7748). */
export function toRawPublicKey(publicKey: KeyObject): Buffer {
  return Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
}

/** The content is secret, so no error message repeats it. */
function readPrivateKeys(path: string): KeyObject[] {
  const blocks = readFileSync(path, 'utf8').match(PEM_BLOCK) ?? [];
  try {
    if (blocks.length > 0) return blocks.map((block) => requireX25519(createPrivateKey(block)));
  } catch {
    // Reported below, without the content of the file.
  }
  throw new Error(`${path} must hold X25519 private keys in PEM (PKCS #8)`);
}

function requireX25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'x25519') throw new Error('the key is not an X25519 key');
  return key;
}

function toKey(publicKey: KeyObject): SealingKey {
  const id = createHash('sha256').update(toRawPublicKey(publicKey)).digest().subarray(0, KEY_ID_BYTES);
  return { id, publicKey };
}
