import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';

/** A file's content or its path; a file is never read into memory as a whole. */
export type AudioFile = Uint8Array | { readonly path: string };

/** Random access to bytes. */
export interface ByteSource {
  readonly size: number;
  /** Fills `target` from `position` on; returns the number of bytes read. */
  readInto(target: Uint8Array, position: number): Promise<number>;
}

/** Small adjacent reads are combined into one read of the file. */
const WINDOW_BYTES = 8 * 1024;

export async function withByteSource<Result>(
  file: AudioFile,
  use: (source: ByteSource) => Promise<Result>,
): Promise<Result> {
  if (file instanceof Uint8Array) return use(toByteSource(file));
  const handle = await open(file.path, 'r');
  try {
    const { size } = await handle.stat();
    return await use(withWindow(toFileSource(handle, size)));
  } finally {
    await handle.close();
  }
}

function toFileSource(handle: FileHandle, size: number): ByteSource {
  return {
    size,
    async readInto(target, position) {
      let filled = 0;
      while (filled < target.byteLength) {
        const { bytesRead } = await handle.read(
          target,
          filled,
          target.byteLength - filled,
          position + filled,
        );
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return filled;
    },
  };
}

function withWindow(source: ByteSource): ByteSource {
  let window: { readonly start: number; readonly bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };
  return {
    size: source.size,
    async readInto(target, position) {
      const length = target.byteLength;
      if (length >= WINDOW_BYTES) return source.readInto(target, position);
      let { start, bytes } = window;
      if (position < start || position + length > start + bytes.byteLength) {
        // A new buffer each time: another caller may still be reading from the last.
        [start, bytes] = [position, await readBytes(source, position, WINDOW_BYTES)];
        window = { start, bytes };
      }
      const part = bytes.subarray(position - start, position - start + length);
      target.set(part);
      return part.byteLength;
    },
  };
}

export function toByteSource(bytes: Uint8Array): ByteSource {
  return {
    size: bytes.byteLength,
    readInto(target, position) {
      const part = bytes.subarray(position, position + target.byteLength);
      target.set(part);
      return Promise.resolve(part.byteLength);
    },
  };
}

/** Reads a few bytes into a new buffer; fewer at the end of the file. */
export async function readBytes(source: ByteSource, position: number, length: number): Promise<Buffer> {
  const target = Buffer.alloc(Math.max(0, Math.min(length, source.size - position)));
  const filled = await source.readInto(target, position);
  return target.subarray(0, filled);
}
