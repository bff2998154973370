import { createHash } from 'node:crypto';

/** Pseudo-random bytes, the same each time. */
export function makeGarbage(length: number, seed = 'garbage'): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash('sha256').update(`${seed} ${index}`).digest(),
  );
  return Buffer.concat(blocks, length);
}

/** The file with its bytes from `at` on replaced. */
export function overwrite(file: Uint8Array, at: number, bytes: Uint8Array): Buffer {
  const damaged = Buffer.from(file);
  damaged.set(bytes, at);
  return damaged;
}

export function insert(file: Uint8Array, at: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([file.subarray(0, at), bytes, file.subarray(at)]);
}

/** The file truncated, or with 1 or 20 bits flipped; deterministic for a seed. */
export function harmAtRandom(file: Uint8Array, seed: string): Buffer {
  const numbers = makeGarbage(4 * 42, seed);
  const pick = (index: number, count: number) => numbers.readUInt32LE(index * 4) % count;
  const kind = pick(0, 3);
  if (kind === 0) return Buffer.from(file.subarray(0, pick(1, file.byteLength)));
  const damaged = Buffer.from(file);
  for (let turn = 0; turn < (kind === 1 ? 1 : 20); turn += 1) {
    const at = pick(2 + turn * 2, file.byteLength);
    damaged.writeUInt8(damaged.readUInt8(at) ^ (1 << pick(3 + turn * 2, 8)), at);
  }
  return damaged;
}
