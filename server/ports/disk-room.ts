import { statfs } from 'node:fs/promises';

/** Left to the database and whatever else writes: it fails much worse than an upload does. */
const RESERVE_BYTES = 256 * 1024 ** 2;

/** How many bytes are free on the disk of a folder. */
export type MeasureFree = (folder: string) => Promise<number>;

/** As the system says it when it is too late. */
class DiskFull extends Error {
  override readonly name = 'DiskFull';
  readonly code = 'ENOSPC';

  constructor(folder: string, sizeBytes: number, freeBytes: number) {
    super(`${folder} has ${freeBytes} bytes free, too little for ${sizeBytes}`);
  }
}

/** Throws with code ENOSPC where so many more bytes in a folder would leave less than is needed elsewhere. */
export async function requireRoom(
  folder: string,
  sizeBytes: number,
  measureFree: MeasureFree = measureFreeBytes,
): Promise<void> {
  const freeBytes = await measureFree(folder);
  if (freeBytes < sizeBytes + RESERVE_BYTES) throw new DiskFull(folder, sizeBytes, freeBytes);
}

async function measureFreeBytes(folder: string): Promise<number> {
  const { blocks, bavail, bsize } = await statfs(folder);
  return blocks === 0 ? Infinity : bavail * bsize; // some file systems tell nothing of themselves
}
