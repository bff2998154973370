import type { Hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

const CHUNK_BYTES = 256 * 1024;

/** Flushes the folder of a new or renamed file. */
export async function syncFolderOf(file: string): Promise<void> {
  const folder = await open(dirname(file), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Writes a file that is on disk when this returns. */
export async function writeSynced(
  file: string,
  content: AsyncIterable<Uint8Array> | string,
  { flags = 'wx', mode = 0o600 }: { readonly flags?: 'wx' | 'w'; readonly mode?: number } = {},
): Promise<void> {
  const handle = await open(file, flags, mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The first `size` bytes of a file. */
export async function* readExactly(file: string, size: number): AsyncGenerator<Uint8Array> {
  const handle = await open(file);
  try {
    yield* readHandle(handle, size);
  } finally {
    await handle.close();
  }
}

/** The same of an open file, which another process may replace or remove meanwhile. Throws if it became shorter. */
export async function* readHandle(handle: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size;) {
    const wanted = Math.min(CHUNK_BYTES, size - at);
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, at);
    if (bytesRead === 0) throw new Error('a file became shorter while it was read');
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** The same content; `hash` has seen it once it is read. */
export async function* hashing(content: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}
