import type { Hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { Readable, pipeline } from 'node:stream';
import type { Transform } from 'node:stream';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';

const CHUNK_BYTES = 256 * 1024;

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

/** The content of a compressed file is not what was compressed. */
export class DamagedContent extends Error {
  override readonly name = 'DamagedContent';
}

/** Zstandard (RFC 8878), which `zstd` reads and writes as well. */
export function compress(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  return transform(content, createZstdCompress());
}

/** Throws `DamagedContent`, or what reading throws. */
export async function* decompress(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* transform(content, createZstdDecompress());
  } catch (error) {
    if (!/^Z(?:STD)?_/.test((error as NodeJS.ErrnoException).code ?? '')) throw error;
    throw new DamagedContent('compressed content is damaged', { cause: error });
  }
}

async function* transform(
  content: AsyncIterable<Uint8Array>,
  transformer: Transform,
): AsyncGenerator<Uint8Array> {
  // Its errors are those of the transformer as well.
  pipeline(Readable.from(content, { objectMode: false }), transformer, () => undefined);
  yield* transformer as AsyncIterable<Uint8Array>;
}
