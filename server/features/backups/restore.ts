import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { isEmptyDatabase, restoreSnapshot } from '../../platform/database/database.ts';
import type { DatabaseLocation } from '../../platform/database/database.ts';
import {
  MARKER_FILE,
  createDiskSpace,
  describeBucket,
  openStorage,
  readMarkerText,
  restoreMarker,
  toFolderPath,
} from '../../platform/storage/storage.ts';
import type { BucketLocation, StorageLocation } from '../../platform/storage/storage.ts';
import { syncFolderOf, writeSynced } from './files.ts';
import { FILES_FOLDER, toClass } from './folders.ts';
import { BackupRefused } from './format.ts';
import type { BackupReader } from './format.ts';
import { DATABASE_FOLDER, DATA_FOLDER, isSafeName } from './manifest.ts';
import type { Manifest, Summary } from './manifest.ts';
import { checkEntries, findBackup, readManifest, requireKnownVersion } from './read.ts';

/** In the data folder while it is filled: nothing may use it. */
const MARKER = 'restore-incomplete.json';
/** A new disk has it. */
const IGNORED: ReadonlySet<string> = new Set([MARKER, 'lost+found']);

export interface Restored {
  readonly path: string;
  readonly manifest: Manifest;
  readonly summary: Summary;
}

interface Place {
  readonly dataDir: string;
  readonly database: DatabaseLocation;
  readonly storage: StorageLocation;
}

/** Throws if a restore into this data folder has begun and not ended. */
export function requireRestored(dataDir: string): void {
  if (existsSync(join(dataDir, MARKER))) {
    throw new Error(
      `${dataDir} is half restored; run "npm run operator -- backup restore" with the same backup again`,
    );
  }
}

/**
 * Fills an empty data folder, an empty database and an empty bucket with a backup that it has read to its end before. Until
 * everything is there, a marker prevents the server from starting; the same restore can then be repeated. Throws
 * `BackupRefused`, and `DamagedBackup` before anything is written.
 */
export async function restoreBackup(
  place: Place,
  target: string,
  onProgress?: (progress: { readonly files: number; readonly bytes: number }) => void,
): Promise<Restored> {
  const { path, reader } = await findBackup(target);
  const manifest = await readManifest(reader);
  requireKnownVersion(manifest);
  if (manifest.dialect !== place.database.kind) {
    const name =
      manifest.dialect === 'sqlite' ? 'SQLite: leave DATABASE_URL empty' : 'PostgreSQL: set DATABASE_URL';
    throw new BackupRefused(`the backup is of ${name}`);
  }
  const { isRepeated, isEmpty } = await checkPlace(place, manifest);
  let bytes = 0;
  const { summary, sums } = await checkEntries(reader, (progress) => {
    ({ bytes } = progress);
    onProgress?.(progress);
  });
  for (const name of sums.keys()) requireEntryName(name);
  // Most of the bytes go to the bucket if there is one.
  if (place.storage.kind === 'folder') await createDiskSpace().requireFree(place.dataDir, bytes);
  if (!isRepeated) await setMarker(place.dataDir, manifest);
  await copyFiles(reader, place);
  if (isEmpty) await restoreSnapshot(place.database, manifest.migrations, readSnapshot(reader));
  await rm(join(place.dataDir, MARKER));
  await syncFolderOf(join(place.dataDir, MARKER));
  return { path, manifest, summary };
}

/** Whether this restore has begun before, and has then filled the database already. Throws `BackupRefused`. */
async function checkPlace({ dataDir, database, storage }: Place, { id }: Manifest) {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const begun = readMarker(dataDir);
  if (begun !== undefined && begun !== id) {
    throw new BackupRefused(`the restore of another backup into ${dataDir} was interrupted; empty it first`);
  }
  const isRepeated = begun === id;
  const found = (await readdir(dataDir)).find((name) => !IGNORED.has(name));
  if (!isRepeated && found !== undefined)
    throw new BackupRefused(`${dataDir} is not empty (${found}); restore into an empty folder`);
  const isEmpty = await isEmptyDatabase(database);
  if (!isEmpty && !isRepeated)
    throw new BackupRefused('the database of DATABASE_URL is not empty; restore into an empty database');
  if (storage.kind === 's3' && !isRepeated) await requireEmptyBucket(storage.bucket);
  return { isRepeated, isEmpty };
}

async function requireEmptyBucket(bucket: BucketLocation): Promise<void> {
  const marker = await readMarkerText({ folder: 'files', bucket });
  const { done } = await (await openStorage({ kind: 's3', bucket })).list()[Symbol.asyncIterator]().next();
  if (marker !== undefined || done !== true)
    throw new BackupRefused(
      `the bucket ${describeBucket(bucket)} is not empty; restore into an empty bucket or another prefix`,
    );
}

function readMarker(dataDir: string): string | undefined {
  const path = join(dataDir, MARKER);
  if (!existsSync(path)) return undefined;
  try {
    return (JSON.parse(readFileSync(path, 'utf8')) as { readonly id: string }).id;
  } catch {
    // Killed while it was written, before anything else.
    return undefined;
  }
}

async function setMarker(dataDir: string, { id, takenAtMs }: Manifest): Promise<void> {
  const path = join(dataDir, MARKER);
  await writeSynced(path, JSON.stringify({ id, takenAtMs }), { flags: 'w' });
  await syncFolderOf(path);
}

/** A backup of another origin must not write anywhere else. */
function requireEntryName(name: string): void {
  const kind = name.startsWith(DATA_FOLDER) ? toClass(name.slice(DATA_FOLDER.length)) : 'data';
  if (!isSafeName(name) || (kind !== 'data' && kind !== 'keys'))
    throw new BackupRefused(`the backup has an entry that this program does not restore: ${name}`);
}

async function copyFiles(reader: BackupReader, { dataDir, storage }: Place): Promise<void> {
  let folder = '';
  for await (const { name, content } of reader.entries()) {
    if (!name.startsWith(DATA_FOLDER)) continue;
    requireEntryName(name);
    const below = name.slice(DATA_FOLDER.length);
    if (storage.kind === 's3' && below.startsWith(FILES_FOLDER)) {
      await copyObject(storage.bucket, below.slice(FILES_FOLDER.length), content);
      continue;
    }
    const path = join(dataDir, below);
    const first = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeSynced(path, content, { flags: 'w', mode: toClass(below) === 'keys' ? 0o600 : 0o644 });
    if (first !== undefined) await syncFolderOf(first);
    if (folder !== '' && folder !== dirname(path)) await syncFolderOf(join(folder, 'entry'));
    folder = dirname(path);
  }
  if (folder !== '') await syncFolderOf(join(folder, 'entry'));
}

/** `path` is that of the object in a folder. */
async function copyObject(bucket: BucketLocation, path: string, content: AsyncIterable<Uint8Array>) {
  const stream = Readable.from(content, { objectMode: false });
  if (path === MARKER_FILE) {
    const id = (await stream.toArray()).join('').trim();
    return restoreMarker({ folder: 'files', bucket }, id);
  }
  const [top = '', , ...rest] = path.split('/');
  const key = [top, ...rest].join('/');
  if (toFolderPath(key) !== path) throw new BackupRefused(`the backup has a file that is no object: ${path}`);
  await (await openStorage({ kind: 's3', bucket })).put(key, stream);
}

/** The entries of the snapshot, which come before those of the data folder. */
async function* readSnapshot(reader: BackupReader) {
  for await (const { name, content } of reader.entries()) {
    if (name.startsWith(DATA_FOLDER)) return;
    if (name.startsWith(DATABASE_FOLDER)) yield { name: name.slice(DATABASE_FOLDER.length), content };
  }
}
