import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { mkdir, open, readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { requireRoom } from './disk-room.ts';
import type { MeasureFree } from './disk-room.ts';

/** Longer than any request may take (server/web/listen.ts): only a crash leaves a file this old. */
const LEFTOVER_AGE_MS = 60 * 60 * 1000;
const SWEEP_EVERY_MS = LEFTOVER_AGE_MS;
const CIPHER = 'aes-256-gcm';

/** What somebody sends, on disk while a call is answered. */
export interface TemporaryFile {
  readonly path: string;
  append(chunk: Uint8Array): Promise<void>;
  /** Nothing is appended after this. */
  close(): Promise<void>;
  /** The bytes as they were appended. */
  read(): Promise<Buffer>;
  /** Also closes it; removing what is gone is no error. */
  remove(): Promise<void>;
}

export interface TemporaryFiles {
  /**
   * A sealed one is ciphertext on disk, under a key that this process forgets with the file. Throws like a
   * full disk where the bytes that are going to come would fill it.
   */
  make(isSealed: boolean, bytesToCome: number): Promise<TemporaryFile>;
}

/** Temporary files in a folder of this machine; sweeps what a crash left behind, now and once an hour. */
export async function openTemporaryFiles(
  folder: string,
  now: () => number = Date.now,
  measureFree?: MeasureFree,
): Promise<TemporaryFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let sweptAtMs = now();
  await sweep(folder, sweptAtMs - LEFTOVER_AGE_MS);
  return {
    async make(isSealed, bytesToCome) {
      if (now() - sweptAtMs >= SWEEP_EVERY_MS) {
        sweptAtMs = now();
        await sweep(folder, sweptAtMs - LEFTOVER_AGE_MS);
      }
      await requireRoom(folder, bytesToCome, measureFree);
      return makeFile(join(folder, randomUUID()), isSealed ? createSeal() : NO_SEAL);
    },
  };
}

async function makeFile(path: string, seal: Seal): Promise<TemporaryFile> {
  const file = await open(path, 'wx', 0o600);
  const state = { isOpen: true };
  async function close(): Promise<void> {
    if (!state.isOpen) return;
    state.isOpen = false;
    await file.close();
  }
  return {
    path,
    append: (chunk) => file.writeFile(seal.close(chunk)),
    close,
    read: async () => seal.open(await readFile(path)),
    async remove() {
      await close();
      await rm(path, { force: true });
    },
  };
}

interface Seal {
  close(chunk: Uint8Array): Uint8Array;
  open(content: Buffer): Buffer;
}

const NO_SEAL: Seal = { close: (chunk) => chunk, open: (content) => content };

/** One key for one file, never stored: what a crash leaves on disk is noise. */
function createSeal(): Seal {
  const key = randomBytes(32);
  const nonce = randomBytes(12);
  const cipher = createCipheriv(CIPHER, key, nonce);
  return {
    close: (chunk) => cipher.update(chunk),
    open(content) {
      cipher.final();
      const decipher = createDecipheriv(CIPHER, key, nonce).setAuthTag(cipher.getAuthTag());
      return Buffer.concat([decipher.update(content), decipher.final()]);
    },
  };
}

async function sweep(folder: string, before: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined); // removed meanwhile by whoever made it
    if (found && found.mtimeMs < before) await rm(path, { force: true });
  }
}
