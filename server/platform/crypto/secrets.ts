import { createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeOnce } from '../storage/private-files.ts';

const SECRET_BYTES = 32;
/** 32 random bytes have about 30 different values; fewer than 20 do not occur by chance. */
const DIFFERENT_BYTES_MIN = 16;
const HEX = /^[0-9a-f]+$/i;
/** Base64 or base64url, with or without padding. */
const BASE64 = /^[\w+/-]+={0,2}$/;

/** Every secret of the site. */
export const SECRET_NAMES = ['access-tokens', 'certificates', 'file-signatures', 'sessions'] as const;
type SecretName = (typeof SECRET_NAMES)[number];

/** The public key that seals photographs of IDs, if the settings have none. */
export function toPublicKeyFile(dataDir: string): string {
  return join(dataDir, 'secrets/personal-info.pub');
}

/** Where the secrets of the site come from. */
export interface SecretSource {
  readonly dataDir: string;
  /** All secrets are derived from it; null: each is a file in the data folder. */
  readonly secretKey: KeyObject | null;
  /** The key before this one: what was signed with it is still accepted. */
  readonly previousSecretKey: KeyObject | null;
}

/**
 * The key in a text of at least 32 random bytes in hex, base64 or base64url; undefined for any other text. A `KeyObject`
 * shows its content neither in a log nor in JSON.
 */
export function findSecretKey(text: string): KeyObject | undefined {
  // Hex digits are base64 as well, but hold half a byte each.
  const isHex = HEX.test(text);
  if (!isHex && !BASE64.test(text)) return undefined;
  const bytes = Buffer.from(text, isHex ? 'hex' : 'base64');
  if (bytes.byteLength < SECRET_BYTES || new Set(bytes).size < DIFFERENT_BYTES_MIN) return undefined;
  return createSecretKey(bytes);
}

/** Identifies a key without disclosing it: 16 derived bytes in hex. */
export function toSecretKeyId(key: KeyObject): string {
  return Buffer.from(derive(key, 'id').subarray(0, 16)).toString('hex');
}

/**
 * The 32-byte secret of this name. On machines with the same `secretKey` it is the same; otherwise it is a file in the
 * data folder, created on first use.
 */
export function openSecret({ dataDir, secretKey }: SecretSource, name: SecretName): Uint8Array {
  return secretKey === null ? readOrMakeSecret(dataDir, name) : derive(secretKey, name);
}

/** `openSecret` without creating one: undefined if there is none yet. Throws for a damaged one. */
export function findSecret(
  { dataDir, secretKey }: Pick<SecretSource, 'dataDir' | 'secretKey'>,
  name: SecretName,
): Uint8Array | undefined {
  return secretKey === null ? readSecret(toPath(dataDir, name)) : derive(secretKey, name);
}

/** That secret, then the one that the previous key gives, for what accepts signatures of both. */
export function openSecrets(source: SecretSource, name: SecretName): readonly Uint8Array[] {
  const { previousSecretKey: previous } = source;
  return [openSecret(source, name), ...(previous === null ? [] : [derive(previous, name)])];
}

/** RFC 5869. The key is uniformly random, so it needs no salt; the name keeps the secrets apart. */
function derive(key: KeyObject, name: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, Buffer.alloc(0), name, SECRET_BYTES));
}

/**
 * A 32-byte secret in the data folder, created on first use. Processes that start at the same time get the same one:
 * the complete file is linked into place, and the first link wins. `name` is a file name; it is a constant of the
 * program and never part of a request.
 */
export function readOrMakeSecret(dataDir: string, name: string): Uint8Array {
  const path = toPath(dataDir, name);
  const existing = readSecret(path);
  if (existing !== undefined) return existing;

  makeOnce(path, randomBytes(SECRET_BYTES).toString('base64url'));
  const made = readSecret(path);
  if (made === undefined) throw new Error(`failed to create the secret ${path}`);
  return made;
}

function toPath(dataDir: string, name: string): string {
  return join(dataDir, 'secrets', name);
}

function readSecret(path: string): Uint8Array | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const secret = Buffer.from(text.trim(), 'base64url');
  if (secret.byteLength < SECRET_BYTES) throw new Error(`${path} is not a secret of ${SECRET_BYTES} bytes`);
  return secret;
}
