import { buffer } from 'node:stream/consumers';
import { MissingObjectError, StorageUnavailable } from './port.ts';
import type { Storage } from './port.ts';

/** A visitor is waiting. A bucket that answers takes less than a tenth of it. */
export const READABLE_MS_MAX = 5_000;

/**
 * Reads the last byte of an object of this size, which proves that its content exists, whole and readable at this
 * moment. Throws `StorageUnavailable`, after five seconds at the latest: also for an object that is missing or shorter, as
 * all are of a folder that is not mounted.
 */
export async function requireReadable(
  storage: Pick<Storage, 'open'>,
  key: string,
  sizeBytes: number,
  msMax = READABLE_MS_MAX,
): Promise<void> {
  const ending = AbortSignal.timeout(msMax);
  const last = sizeBytes - 1;
  try {
    const { byteLength } = await buffer(await storage.open(key, { start: last, end: last }, ending));
    if (byteLength !== 1) throw new MissingObjectError(key);
  } catch (error) {
    if (error instanceof MissingObjectError)
      throw new StorageUnavailable(`${key} is missing or cut off`, undefined, { cause: error });
    if (!ending.aborted) throw error;
    throw new StorageUnavailable(`the storage did not send ${key} in time`, undefined, { cause: error });
  }
}
