import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { HOUR_MS, MINUTE_MS } from '../../../contract/values/time-units.ts';
import { createDiskSpace } from './disk-space.ts';
import type { DiskSpace } from './disk-space.ts';

/** Longer than the time limit of any request (server/web/listen.ts): only a crash leaves a file this old. */
const LEFTOVER_AGE_MS = HOUR_MS;
const CLEANUP_INTERVAL_MS = LEFTOVER_AGE_MS;
/** A file that has not grown for this long expects no more bytes: its process was probably killed. */
const ABANDONED_MS = 10 * MINUTE_MS;
/** The name of a file that expects bytes contains its final size, for other processes. */
const AWAITED_SIZE = /\.(\d+)$/;
const CIPHER = 'aes-256-gcm';

/** A received file, on disk while a call is answered. */
export interface TemporaryFile {
  /** Changes once it is closed. */
  readonly path: string;
  append(chunk: Uint8Array): Promise<void>;
  /** Nothing can be appended after this. */
  close(): Promise<void>;
  /** The bytes as they were appended. */
  read(): Promise<Buffer>;
  /** Also closes it; removing a missing file is not an error. */
  remove(): Promise<void>;
}

export interface TemporaryFiles {
  /**
   * A sealed file is ciphertext on disk, under a key that this process discards with the file. Space for `bytesToCome`
   * is reserved until it is closed. Throws the error of a full disk if there is too little.
   */
  make(isSealed: boolean, bytesToCome: number): Promise<TemporaryFile>;
}

/** Temporary files in a local folder; deletes what crashes left behind, at the start and once an hour. */
export async function openTemporaryFiles(
  folder: string,
  now: () => number = Date.now,
  space: DiskSpace = createDiskSpace(),
): Promise<TemporaryFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  space.watch(folder, () => sumExpected(folder, Date.now() - ABANDONED_MS));
  let cleanedAtMs = now();
  await deleteAbandoned(folder, cleanedAtMs - LEFTOVER_AGE_MS);
  return {
    async make(isSealed, bytesToCome) {
      if (now() - cleanedAtMs >= CLEANUP_INTERVAL_MS) {
        cleanedAtMs = now();
        await deleteAbandoned(folder, cleanedAtMs - LEFTOVER_AGE_MS);
      }
      const path = join(folder, randomUUID());
      const requireFree = (bytes: number) => space.requireFree(folder, bytes);
      const file = await makeFile(path, bytesToCome, isSealed ? createSeal() : NO_SEAL, requireFree);
      try {
        await space.admit(folder);
      } catch (error) {
        await file.remove();
        throw error;
      }
      return file;
    },
  };
}

async function makeFile(
  finalPath: string,
  bytesToCome: number,
  seal: Seal,
  requireFree: (bytes: number) => Promise<void>,
): Promise<TemporaryFile> {
  let path = `${finalPath}.${bytesToCome}`;
  const file = await open(path, 'wx', 0o600);
  const state = { isOpen: true };
  async function close(): Promise<void> {
    if (!state.isOpen) return;
    state.isOpen = false;
    await file.close();
  }
  return {
    get path() {
      return path;
    },
    async append(chunk) {
      await requireFree(chunk.byteLength);
      await file.writeFile(seal.close(chunk));
    },
    async close() {
      if (!state.isOpen) return;
      await close();
      await rename(path, finalPath);
      path = finalPath;
    },
    read: async () => seal.open(await readFile(path)),
    async remove() {
      await close();
      await rm(path, { force: true });
    },
  };
}

/** How many bytes the folder's unfinished files still expect, including those of other processes. */
async function sumExpected(folder: string, activeSince: number): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder)) {
    const size = AWAITED_SIZE.exec(name)?.[1];
    const found = size === undefined ? undefined : await stat(join(folder, name)).catch(() => undefined);
    if (found && found.mtimeMs >= activeSince) bytes += Math.max(0, Number(size) - found.size);
  }
  return bytes;
}

interface Seal {
  close(chunk: Uint8Array): Uint8Array;
  open(content: Buffer): Buffer;
}

const NO_SEAL: Seal = { close: (chunk) => chunk, open: (content) => content };

/** One key per file, never stored: what a crash leaves on disk cannot be decrypted. */
function createSeal(): Seal {
  const key = randomBytes(32);
  const nonce = randomBytes(12);
  const cipher = createCipheriv(CIPHER, key, nonce);
  let tag: Buffer | undefined;
  return {
    close: (chunk) => cipher.update(chunk),
    open(content) {
      if (tag === undefined) {
        cipher.final();
        tag = cipher.getAuthTag();
      }
      const decipher = createDecipheriv(CIPHER, key, nonce).setAuthTag(tag);
      return Buffer.concat([decipher.update(content), decipher.final()]);
    },
  };
}

async function deleteAbandoned(folder: string, before: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined); // Removed in the meantime by its owner.
    if (found && found.mtimeMs < before) await rm(path, { force: true });
  }
}
