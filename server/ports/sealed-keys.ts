import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { makeOnce } from './secrets.ts';

const KEY_BYTES = 32;
const KEY_ID_BYTES = 8;

interface SealingKey {
  /** The beginning of the key's SHA-256, in hex: tells keys apart and nothing else. */
  readonly id: string;
  readonly key: Uint8Array;
}

export interface SealingKeys {
  /** Seals whatever is sealed from now on. */
  readonly current: SealingKey;
  find(id: string): Uint8Array | undefined;
}

/**
 * The keys of a file, made with one key when it is not there: one key of 32 bytes in base64url each
 * line. The first seals; the others still open what they have sealed, so a new key is put on top.
 */
export function readOrMakeSealingKeys(path: string): SealingKeys {
  const text = readKeyFile(path) ?? makeKeyFile(path);
  const lines = text.split('\n').map((line) => line.trim());
  return toSealingKeys(lines.filter((line) => line !== '').map((line) => toKey(line, path)));
}

/** The first key seals. Throws when there is none. */
export function toSealingKeys(keys: readonly Uint8Array[]): SealingKeys {
  const known = keys.map((key): SealingKey => ({ id: toKeyId(key), key }));
  const [current] = known;
  if (current === undefined) throw new Error('there is no key to seal with');
  return { current, find: (id) => known.find((key) => key.id === id)?.key };
}

function readKeyFile(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function makeKeyFile(path: string): string {
  makeOnce(path, `${randomBytes(KEY_BYTES).toString('base64url')}\n`);
  return readFileSync(path, 'utf8');
}

/** The line is a secret, so no message repeats it. */
function toKey(line: string, path: string): Uint8Array {
  const key = Buffer.from(line, 'base64url');
  if (!/^[\w-]{43}$/.test(line) || key.byteLength !== KEY_BYTES) {
    throw new Error(`${path} must hold one key of ${KEY_BYTES} bytes in base64url in each line`);
  }
  return key;
}

function toKeyId(key: Uint8Array): string {
  return createHash('sha256')
    .update(key)
    .digest('hex')
    .slice(0, KEY_ID_BYTES * 2);
}
