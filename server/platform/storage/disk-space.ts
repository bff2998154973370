import { stat, statfs } from 'node:fs/promises';

const MIB = 1024 ** 2;
/** Kept free for the database when new files are accepted; a full disk breaks log-ins as well as uploads. */
export const RESERVE_BYTES = 256 * MIB;
/**
 * Kept free when previously accepted work is written: the cleaned copy of an upload, a mail. Such work needs at most
 * 100 MB for a moment and frees as much afterwards. With less than this a process is not ready.
 */
export const LOW_BYTES = 64 * MIB;
/** How long a measurement is used, and for how many bytes written by this process. */
const MEASUREMENT_MS = 250;
const MEASUREMENT_BYTES = 8 * MIB;

/** The free bytes on the disk of a folder. */
export type MeasureFree = (folder: string) => Promise<number>;

/** Uses the same code as the operating system's error. */
class DiskFull extends Error {
  override readonly name = 'DiskFull';
  readonly code = 'ENOSPC';

  constructor(folder: string, neededBytes: number, freeBytes: number) {
    super(`${folder} has ${freeBytes} bytes free, ${neededBytes} are needed`);
  }
}

/** Prevents members' files from filling the disk. Several processes may share the disk. */
export interface DiskSpace {
  /**
   * Registers a folder of incoming files. `sumExpected` returns how many bytes its files still expect, in all
   * processes.
   */
  watch(folder: string, sumExpected: () => Promise<number>): void;
  /**
   * Call after a new file is announced, so that `sumExpected` includes it. Throws with code ENOSPC unless all expected
   * bytes of the folder's disk fit and leave `RESERVE_BYTES`; the caller then withdraws the announcement. If two
   * processes announce at the same time, at least one sees the other.
   */
  admit(folder: string): Promise<void>;
  /** Throws with code ENOSPC if writing this many bytes now would leave less than `reserveBytes`. */
  requireFree(folder: string, bytes: number, reserveBytes?: number): Promise<void>;
  /** Throws with code ENOSPC if less than `LOW_BYTES` are free. */
  check(folder: string): Promise<void>;
  /** The free bytes on the disk of a folder. Throws if it is missing. */
  readonly measureFree: MeasureFree;
}

interface Measurement {
  readonly atMs: number;
  bytesLeft: number;
  bytesCovered: number;
}

export function createDiskSpace(measureFree: MeasureFree = measureFreeBytes): DiskSpace {
  const watched = new Map<string, () => Promise<number>>();
  const latest = new Map<string, Measurement>();

  async function measure(folder: string): Promise<Measurement> {
    const atMs = performance.now();
    const measurement = { atMs, bytesLeft: await measureFree(folder), bytesCovered: MEASUREMENT_BYTES };
    latest.set(folder, measurement);
    return measurement;
  }

  /**
   * Measures expected bytes first: bytes that arrive between the two measurements count twice rather than not at all.
   */
  async function scan(folder: string): Promise<void> {
    const disk = await findDisk(folder);
    let expectedBytes = 0;
    for (const [each, sumExpected] of watched) {
      if (each === folder || (await findDisk(each)) === disk) expectedBytes += await sumExpected();
    }
    const freeBytes = await measureFree(folder);
    if (freeBytes < expectedBytes + RESERVE_BYTES) throw new DiskFull(folder, expectedBytes, freeBytes);
  }

  const scans = new Map<string, () => Promise<void>>();
  return {
    measureFree,
    watch: (folder, sumExpected) => void watched.set(folder, sumExpected),
    admit(folder) {
      const scanFolder = scans.get(folder) ?? coalesce(() => scan(folder));
      scans.set(folder, scanFolder);
      return scanFolder();
    },
    async requireFree(folder, bytes, reserveBytes = RESERVE_BYTES) {
      let measured = latest.get(folder);
      const isFresh =
        measured && performance.now() - measured.atMs < MEASUREMENT_MS && measured.bytesCovered >= bytes;
      if (!measured || !isFresh || measured.bytesLeft < bytes + reserveBytes)
        measured = await measure(folder);
      if (measured.bytesLeft < bytes + reserveBytes) throw new DiskFull(folder, bytes, measured.bytesLeft);
      measured.bytesLeft -= bytes;
      measured.bytesCovered -= bytes;
    },
    async check(folder) {
      const { bytesLeft } = await measure(folder);
      if (bytesLeft < LOW_BYTES) throw new DiskFull(folder, LOW_BYTES, bytesLeft);
    },
  };
}

/** One run at a time. Calls during a run share the next one, so no result is older than its call. */
function coalesce(work: () => Promise<void>): () => Promise<void> {
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const start = () =>
    (current ??= work().finally(() => {
      current = undefined;
    }));
  return () => {
    if (current === undefined) return start();
    return (next ??= current
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return start();
      }));
  };
}

async function findDisk(folder: string): Promise<number | undefined> {
  return (await stat(folder).catch(() => undefined))?.dev;
}

/** Infinite if the file system reports no sizes. */
export async function measureFreeBytes(folder: string): Promise<number> {
  const { blocks, bavail, bsize } = await statfs(folder);
  return blocks === 0 ? Infinity : bavail * bsize;
}
