import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DATABASE_FOLDER, SUMMARY_ENTRY, SUMS_ENTRY, parseSummary } from './manifest.ts';
import { findLatest } from './pool.ts';

/** A backup that can be restored on trial. */
export interface LatestBackup {
  readonly path: string;
  /** About how many bytes a restore needs: what the backup has, and its database once more for migrations. */
  measure(): Promise<number>;
  /** False once it is deleted, such as for a newer one. */
  isThere(): Promise<boolean>;
}

/** The newest backup of a folder; undefined if there is none. */
export async function findLatestBackup(folder: string, nowMs: number): Promise<LatestBackup | undefined> {
  const name = await findLatest(folder, nowMs);
  if (name === undefined) return undefined;
  const path = join(folder, name);
  return {
    path,
    async measure() {
      const { bytes } = parseSummary(await readFile(join(path, SUMMARY_ENTRY), 'utf8'));
      let databaseBytes = 0;
      for (const entry of await readdir(join(path, DATABASE_FOLDER)))
        databaseBytes += (await stat(join(path, DATABASE_FOLDER, entry))).size;
      return bytes + databaseBytes;
    },
    isThere: async () => (await stat(join(path, SUMS_ENTRY)).catch(() => undefined)) !== undefined,
  };
}
