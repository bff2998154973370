import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeOnce } from '../storage/storage.ts';

const SECRET_BYTES = 32;

/**
 * A 32-byte secret in the data folder, created on first use. Processes that start at the same time get the same one:
 * the complete file is linked into place, and the first link wins. `name` is a file name; it is a constant of the
 * program and never part of a request.
 */
export function readOrMakeSecret(dataDir: string, name: string): Uint8Array {
  const path = join(dataDir, 'secrets', name);
  const known = readSecret(path);
  if (known !== undefined) return known;

  makeOnce(path, randomBytes(SECRET_BYTES).toString('base64url'));
  const made = readSecret(path);
  if (made === undefined) throw new Error(`failed to create the secret ${path}`);
  return made;
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
