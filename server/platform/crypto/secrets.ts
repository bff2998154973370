import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

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

/** Creates a file that only its owner can read, unless it exists. Atomic: the file is complete or absent. */
export function makeOnce(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  writeFileSync(draft, content, { mode: 0o600, flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
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
