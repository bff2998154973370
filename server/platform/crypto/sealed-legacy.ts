import { createDecipheriv, createHash } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, utimesSync } from 'node:fs';
import { UnopenableSealError } from './sealed.ts';

/** Seals of versions up to 1.3, made and opened with one symmetric key. Kept to reseal their content. */
const MARK = Buffer.from('OTS1', 'latin1');
const KEY_ID_BYTES = 8;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = MARK.byteLength + KEY_ID_BYTES + NONCE_BYTES;
/** One 32-byte key per line, in base64url. */
const KEY_LINE = /^[\w-]{43}$/;

export function isLegacySeal(sealed: Buffer): boolean {
  return sealed.subarray(0, MARK.byteLength).equals(MARK);
}

/** Throws `UnopenableSealError`. */
export function unsealLegacy(keys: readonly Buffer[], sealed: Buffer, context: string): Buffer {
  const header = sealed.subarray(0, HEADER_BYTES);
  const id = header.toString('hex', MARK.byteLength, MARK.byteLength + KEY_ID_BYTES);
  const toId = (key: Buffer) =>
    createHash('sha256')
      .update(key)
      .digest('hex')
      .slice(0, KEY_ID_BYTES * 2);
  const key = keys.find((each) => toId(each) === id);
  if (key === undefined) throw new UnopenableSealError(`the key ${id} of an earlier version is not here`);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, header.subarray(-NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.concat([header, Buffer.from(context, 'utf8')]));
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch (error) {
    throw new UnopenableSealError('the seal does not fit', { cause: error });
  }
}

/** Where the symmetric keys of a key file are kept until they are no longer needed. */
export function toRetiredFile(path: string): string {
  return `${path}.old`;
}

/**
 * Moves a key file with symmetric keys to `toRetiredFile(path)`, so that the path is free for a private key. Any other
 * file is left alone. Running processes of an earlier version have the keys in memory.
 */
export function retireLegacyKeys(path: string, nowMs: number): void {
  try {
    if (!existsSync(path) || parseKeys(readFileSync(path, 'utf8')).length === 0) return;
    const retired = toRetiredFile(path);
    if (existsSync(retired)) {
      appendFileSync(retired, `\n${readFileSync(path, 'utf8')}`, { flush: true });
      rmSync(path);
    } else {
      renameSync(path, retired);
    }
    utimesSync(retired, nowMs / 1000, nowMs / 1000);
  } catch (error) {
    // Another process that starts at the same time has already moved it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** The keys of all retired files that exist. */
export function readLegacyKeys(retiredFiles: readonly string[]): Buffer[] {
  return retiredFiles
    .filter((path) => existsSync(path))
    .flatMap((path) => parseKeys(readFileSync(path, 'utf8')));
}

/** Empty when the text is not a list of symmetric keys. */
function parseKeys(text: string): Buffer[] {
  const lines = text.split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '');
  return keys.every((line) => KEY_LINE.test(line)) ? keys.map((line) => Buffer.from(line, 'base64url')) : [];
}
