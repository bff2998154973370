import { randomUUID } from 'node:crypto';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { MIGRATIONS } from '../../schema/migrations.ts';
import { measureCopy, withSnapshot } from '../../platform/database/snapshots/snapshot.ts';
import { openDatabase } from '../../schema/open.ts';
import type { DatabaseLocation } from '../../platform/database/open.ts';
import { syncFolder } from '../../platform/synced-files.ts';
import { createDiskSpace } from '../../platform/storage/disk-space.ts';
import { findKey } from '../../platform/storage/folder.ts';
import type { MeasureFree } from '../../platform/storage/disk-space.ts';
import { SCRATCH, sweepAbandoned, withScratch } from './claim.ts';
import { readExactly } from './files.ts';
import { FILES_FOLDER, listDataFiles, listUnknown } from './folders.ts';
import type { DataFile, DataPlaces } from './folders.ts';
import { BackupRefused } from './format.ts';
import type { BackupWriter } from './format.ts';
import {
  DATABASE_FOLDER,
  DATA_FOLDER,
  FORMAT,
  MANIFEST_ENTRY,
  SUMMARY_ENTRY,
  SUMS_ENTRY,
  toSumsLine,
} from './manifest.ts';
import type { Manifest, Summary } from './manifest.ts';
import { createPoolWriter, toBackupName } from './pool.ts';
import { listReferencedFiles } from './references.ts';
import { createTarWriter } from './tar.ts';

/** What is backed up. */
export interface Site extends DataPlaces {
  readonly siteName: string;
  readonly version: string;
  readonly database: DatabaseLocation;
}

export interface CreateOptions {
  readonly withKeys: boolean;
  onProgress?(progress: Progress): void;
  /** For tests, which use a simulated disk. */
  readonly measureFree?: MeasureFree;
}

export interface Progress {
  readonly files: number;
  readonly bytes: number;
  /** An estimate. */
  readonly bytesTotal: number;
}

export interface CreatedBackup {
  readonly path: string;
  readonly manifest: Manifest;
  readonly summary: Summary;
  /** Without files that an earlier backup of the folder holds. */
  readonly bytesWritten: number;
  /** Entries of the data folder that this program does not know, and has not copied. */
  readonly unknown: readonly string[];
}

/**
 * Copies the database as it is now, then the files, while the server runs. A `target` that is a folder, or ends in a
 * slash, keeps each file once for all of its backups; any other becomes one tar archive, which must not exist yet. An
 * interrupted backup leaves only a scratch folder, which a later one removes. Throws `BackupRefused`, `PlaceInUse`, and
 * the error of a full disk before it would fill it.
 */
export async function createBackup(
  site: Site,
  target: string,
  options: CreateOptions,
): Promise<CreatedBackup> {
  const place = resolve(target);
  if (`${place}${sep}`.startsWith(`${resolve(site.dataDir)}${sep}`))
    throw new BackupRefused(`${place} is in the data folder; keep backups on another disk or machine`);
  const found = await stat(place).catch(() => undefined);
  const isFolder = found?.isDirectory() === true || target.endsWith('/');
  if (found !== undefined && !found.isDirectory()) throw new BackupRefused(`${place} exists already`);
  const folder = isFolder ? place : dirname(place);
  await makeFolder(folder);
  await sweepAbandoned(folder);
  const scratch = isFolder ? join(place, SCRATCH) : `${place}${SCRATCH}`;
  return withScratch(scratch, async () => {
    const takenAtMs = Date.now();
    const path = isFolder ? join(place, toBackupName(takenAtMs)) : place;
    const writer = await (isFolder
      ? createPoolWriter(place, scratch, takenAtMs)
      : createTarWriter(place, scratch));
    try {
      const bytesTotal = await requireSpace(site, folder, writer, options);
      const onProgress = (progress: Omit<Progress, 'bytesTotal'>) =>
        options.onProgress?.({ ...progress, bytesTotal });
      const { withKeys } = options;
      const { manifest, summary } = await write({ site, writer, scratch, withKeys, takenAtMs, onProgress });
      const bytesWritten = await writer.finish();
      return { path, manifest, summary, bytesWritten, unknown: await listUnknown(site) };
    } catch (error) {
      await writer.abort();
      throw error;
    }
  });
}

/** Not its parents: if they are missing, a disk is probably not mounted. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    throw new BackupRefused(`the folder ${folder} cannot be created (${code})`);
  }
  await syncFolder(dirname(folder));
}

/** Returns how many bytes the backup has. Throws the error of a full disk. */
async function requireSpace(
  site: Site,
  folder: string,
  writer: BackupWriter,
  { withKeys, measureFree }: CreateOptions,
): Promise<number> {
  const copy = await measureCopy(site.database);
  let { bytes } = copy;
  let newBytes = 0;
  for await (const file of listDataFiles(site, withKeys)) {
    bytes += file.size;
    if ((await findKnown(writer, file)) === undefined) newBytes += file.size;
  }
  await createDiskSpace(measureFree).requireFree(folder, newBytes + copy.bytesNeeded);
  return bytes;
}

interface Work {
  readonly site: Site;
  readonly writer: BackupWriter;
  readonly scratch: string;
  readonly withKeys: boolean;
  readonly takenAtMs: number;
  onProgress(progress: Omit<Progress, 'bytesTotal'>): void;
}

/** Writes every entry, in the order of the format. */
async function write({ site, writer, scratch, withKeys, takenAtMs, onProgress }: Work) {
  const sums = await open(join(scratch, SUMS_ENTRY), 'wx', 0o600);
  const modifiedAt = new Date(takenAtMs);
  let bytes = 0;
  let files = 0;
  const note = (name: string, hash: string) => sums.write(toSumsLine(name, hash));
  async function add(name: string, size: number, content: AsyncIterable<Uint8Array>, at = modifiedAt) {
    await note(name, await writer.add(name, size, content, at));
    onProgress({ files, bytes: (bytes += size) });
  }
  const addJson = (name: string, value: object) => {
    const content = Buffer.from(`${JSON.stringify(value, null, 2)}\n`);
    return add(name, content.byteLength, Readable.from([content]));
  };
  try {
    const { manifest, expected } = await withSnapshot(site.database, scratch, async (snapshot) => {
      const { migrations, counts } = snapshot;
      const made = {
        format: FORMAT,
        id: randomUUID(),
        siteName: site.siteName,
        version: site.version,
        dialect: site.database.kind,
        migrations: [...migrations],
        counts,
        takenAtMs,
        withKeys,
      } satisfies Manifest;
      await addJson(MANIFEST_ENTRY, made);
      for await (const { name, size, content } of snapshot.entries())
        await add(`${DATABASE_FOLDER}${name}`, size, content);
      // About 100 bytes of memory for each file of the site.
      const names = new Set<string>();
      // An older database, before its upgrade, lacks some of the columns.
      const isCurrent = MIGRATIONS.every(({ name }) => migrations.includes(name));
      if (isCurrent) for await (const name of listReferencedFiles(snapshot.db, site.files)) names.add(name);
      return { manifest: made as Manifest, expected: names };
    });
    for await (const file of listDataFiles(site, withKeys)) {
      const name = `${DATA_FOLDER}${file.name}`;
      const known = await findKnown(writer, file);
      if (known === undefined) {
        const isThere = await file.read((content) => add(name, file.size, content, file.modifiedAt));
        if (!isThere) continue;
      } else {
        await note(name, known);
        onProgress({ files, bytes: (bytes += file.size) });
      }
      files += 1;
      expected.delete(file.name);
    }
    const summary: Summary = { files, bytes, ...(await explainMissing(site, expected)) };
    await addJson(SUMMARY_ENTRY, summary);
    const { size } = await sums.stat();
    await writer.add(SUMS_ENTRY, size, readExactly(join(scratch, SUMS_ENTRY), size), modifiedAt);
    return { manifest, summary };
  } finally {
    await sums.close();
  }
}

/** The storage never changes an object under its key; all other files may be other ones under the same name. */
async function findKnown(writer: BackupWriter, { name, size }: DataFile): Promise<string | undefined> {
  const isObject = name.startsWith(FILES_FOLDER) && findKey(name.slice(FILES_FOLDER.length)) !== undefined;
  return isObject ? writer.findKnown(`${DATA_FOLDER}${name}`, size) : undefined;
}

/** Files whose rows were deleted after the snapshot was taken are not missing. */
async function explainMissing(
  { database: location, files }: Site,
  absent: ReadonlySet<string>,
): Promise<Pick<Summary, 'missing' | 'deletedMeanwhile'>> {
  if (absent.size === 0) return { missing: [], deletedMeanwhile: [] };
  const database = await openDatabase(location, { access: 'read' });
  try {
    const missing = new Set<string>();
    for await (const name of listReferencedFiles(database.db, files)) if (absent.has(name)) missing.add(name);
    return {
      missing: [...missing].toSorted(),
      deletedMeanwhile: [...absent].filter((name) => !missing.has(name)).toSorted(),
    };
  } finally {
    await database.close();
  }
}
