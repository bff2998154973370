import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import {
  changeRestored,
  compareRows,
  isEmptyDatabase,
  restoreSnapshot,
} from '../../platform/database/snapshots/snapshot.ts';
import type { RestoreState } from '../../platform/database/snapshots/restore-mark.ts';
import { MARKER_FILE } from '../../platform/storage/port.ts';
import { createDiskSpace } from '../../platform/storage/disk-space.ts';
import { findKey } from '../../platform/storage/folder.ts';
import { openStorage } from '../../platform/storage/open.ts';
import { restoreMarker } from '../../platform/storage/markers.ts';
import type { BucketLocation } from '../../platform/storage/s3/address.ts';
import { createFolderMaker, syncFolder, writeSynced } from '../../platform/synced-files.ts';
import { markErased } from './erasure-queries.ts';
import { forgetReports } from './place-queries.ts';
import { readErasures } from './erasures.ts';
import { FILES_FOLDER, toClass, toFolderClasses } from './folders.ts';
import type { DataPlaces, FolderClasses } from './folders.ts';
import { BackupRefused } from './format.ts';
import type { BackupReader } from './format.ts';
import { DATABASE_FOLDER, DATA_FOLDER, isSafeName } from './manifest.ts';
import type { Manifest, Summary } from './manifest.ts';
import { checkEntries, findBackup, readManifest, requireMigrations } from './read.ts';
import { beginRestore, checkPlace, endRestore } from './restore-marks.ts';
import type { Place } from './restore-marks.ts';

export interface Restored {
  readonly path: string;
  readonly manifest: Manifest;
  readonly summary: Summary;
  /** What the backup has although it was erased since; undefined without a list of erasures. */
  readonly erased?: { readonly accounts: number; readonly sounds: number } | undefined;
}

export interface RestoreOptions {
  /** Where a list of erasures may be, besides the folder of the backup. Null: none is read. */
  readonly erasureFolders?: readonly string[] | null;
  onProgress?(progress: { readonly files: number; readonly bytes: number }): void;
}

/**
 * Fills an empty data folder, an empty database and an empty bucket with a backup that it has read to its end before. Until
 * everything is there, the database has as many rows as the backup, and what was erased since is marked for erasure, marks
 * in each of them prevent any start; the same restore can then be repeated, also with another empty data folder. Throws `BackupRefused`, and `DamagedBackup` before
 * anything is written.
 */
export async function restoreBackup(
  place: Place & DataPlaces,
  target: string,
  { erasureFolders = [], onProgress }: RestoreOptions = {},
): Promise<Restored> {
  const { path, reader } = await findBackup(target);
  const erasures = erasureFolders && (await readErasures([dirname(path), ...erasureFolders]));
  const manifest = await readManifest(reader);
  requireMigrations(manifest);
  const { id } = manifest;
  const state = await checkPlace(place, id);
  let bytes = 0;
  const { summary, sums } = await checkEntries(reader, (progress) => {
    ({ bytes } = progress);
    onProgress?.(progress);
  });
  const classes = toFolderClasses(place.files);
  for (const name of sums.keys()) requireEntryName(classes, name);
  // Most of the bytes go to the bucket if there is one.
  if (place.storage.kind === 'folder') await createDiskSpace().requireFree(place.dataDir, bytes);
  if (state !== 'complete') {
    await beginRestore(place, { id, state });
    await fill(place, manifest, reader, state);
  }
  const erased = await changeRestored(place.database, async (transaction) => {
    // An older backup has no such table.
    if ('backup_places' in manifest.counts) await forgetReports(transaction);
    return erasures && markErased(transaction, erasures);
  });
  await endRestore(place, id);
  return { path, manifest, summary, erased: erased ?? undefined };
}

async function fill(
  place: Place & DataPlaces,
  manifest: Manifest,
  reader: BackupReader,
  state: RestoreState,
): Promise<void> {
  await copyFiles(reader, place);
  // A file of SQLite is renamed into the marked folder when it is complete.
  const isFilled =
    place.database.kind === 'sqlite' ? !(await isEmptyDatabase(place.database)) : state === 'filled';
  if (!isFilled) {
    const copy = { ...manifest, migrations: requireMigrations(manifest) };
    await restoreSnapshot(place.database, copy, readSnapshot(reader), place.dataDir);
  }
  const [difference] = await compareRows(place.database, manifest);
  if (difference !== undefined)
    throw new BackupRefused(
      `the database is not that of the backup: ${difference}; empty it and restore again`,
    );
}

/** A backup of another origin must not write anywhere else. */
function requireEntryName(classes: FolderClasses, name: string): void {
  const kind = name.startsWith(DATA_FOLDER) ? toClass(classes, name.slice(DATA_FOLDER.length)) : 'data';
  if (!isSafeName(name) || (kind !== 'data' && kind !== 'keys'))
    throw new BackupRefused(`the backup has an entry that this program does not restore: ${name}`);
}

async function copyFiles(reader: BackupReader, { dataDir, storage, files }: DataPlaces): Promise<void> {
  const classes = toFolderClasses(files);
  const makeFolder = createFolderMaker(dataDir, 0o700);
  let folder = '';
  for await (const { name, content } of reader.entries()) {
    if (!name.startsWith(DATA_FOLDER)) continue;
    requireEntryName(classes, name);
    const below = name.slice(DATA_FOLDER.length);
    if (storage.kind === 's3' && below.startsWith(FILES_FOLDER)) {
      await copyObject(storage.bucket, below.slice(FILES_FOLDER.length), content);
      continue;
    }
    const path = join(dataDir, below);
    await makeFolder(dirname(path));
    await writeSynced(path, content, {
      flags: 'w',
      mode: toClass(classes, below) === 'keys' ? 0o600 : 0o644,
    });
    if (folder !== '' && folder !== dirname(path)) await syncFolder(folder);
    folder = dirname(path);
  }
  if (folder !== '') await syncFolder(folder);
}

/** `path` is that of the object in a folder. */
async function copyObject(bucket: BucketLocation, path: string, content: AsyncIterable<Uint8Array>) {
  const stream = Readable.from(content, { objectMode: false });
  if (path === MARKER_FILE) {
    const id = (await stream.toArray()).join('').trim();
    return restoreMarker({ folder: 'files', bucket }, id);
  }
  const key = findKey(path);
  if (key === undefined) throw new BackupRefused(`the backup has a file that is no object: ${path}`);
  await (await openStorage({ kind: 's3', bucket })).put(key, stream);
}

/** The entries of the snapshot, which come before those of the data folder. */
async function* readSnapshot(reader: BackupReader) {
  for await (const { name, content } of reader.entries()) {
    if (name.startsWith(DATA_FOLDER)) return;
    if (name.startsWith(DATABASE_FOLDER)) yield { name: name.slice(DATABASE_FOLDER.length), content };
  }
}
