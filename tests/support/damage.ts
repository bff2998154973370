import { createHash } from 'node:crypto';

/** Bytes without any structure, the same each time. */
export function makeGarbage(length: number, seed = 'garbage'): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash('sha256').update(`${seed} ${index}`).digest(),
  );
  return Buffer.concat(blocks, length);
}

/** The file with other bytes in place of its own from `at` on. */
export function overwrite(file: Uint8Array, at: number, bytes: Uint8Array): Buffer {
  const damaged = Buffer.from(file);
  damaged.set(bytes, at);
  return damaged;
}

export function insert(file: Uint8Array, at: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([file.subarray(0, at), bytes, file.subarray(at)]);
}
