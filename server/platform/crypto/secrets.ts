import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const SECRET_BYTES = 32;

/**
 * A secret of 32 bytes kept in the data folder, made when it is first asked for. Two processes
 * that start at once get the same one: the finished file is linked into place, the first link wins.
 * `name` is a file name; it is part of the program, never of a request.
 */
export function readOrMakeSecret(dataDir: string, name: string): Uint8Array {
  const path = join(dataDir, 'secrets', name);
  const known = readSecret(path);
  if (known !== undefined) return known;

  makeOnce(path, randomBytes(SECRET_BYTES).toString('base64url'));
  const made = readSecret(path);
  if (made === undefined) throw new Error(`the secret ${path} could not be made`);
  return made;
}

/** Makes a file that its owner alone may read, unless there is one; whole or not at all. */
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
  if (secret.byteLength < SECRET_BYTES) throw new Error(`${path} is no secret of ${SECRET_BYTES} bytes`);
  return secret;
}
