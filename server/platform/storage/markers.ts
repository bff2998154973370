import type { Kysely } from 'kysely';
import type { Handle } from '../database/handle.ts';
import type { Schema } from '../database/schema.ts';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomId } from '../database/statements/random-id.ts';
import type { Database } from '../database/open.ts';
import { makeFolderNow } from '../synced-files.ts';
import { hasPersistentFolder } from './local-data.ts';
import type { DataPlaces } from './local-data.ts';
import { openBucket } from './open.ts';
import { MARKER_FILE } from './port.ts';
import type { StorageLocation } from './port.ts';
import { makeOnce } from './private-files.ts';
import { describeBucket } from './s3/address.ts';
import type { BucketLocation } from './s3/address.ts';
import { OperatorError } from '../operator-error.ts';

/** A location of persistent files: the data folder, or the folder or bucket of the storage. */
export type MarkedPlace = MarkedFolder | MarkedBucket;

export interface MarkedFolder {
  readonly folder: 'data' | 'files';
  readonly path: string;
}

export interface MarkedBucket {
  readonly folder: 'files';
  readonly bucket: BucketLocation;
}
/** Begins the marker of a data folder without persistent files; the id of the secret key follows. */
const KEY_MARK = 'key:';

/**
 * - `unmarked`: the database has no marker of this folder, which is so until the first start.
 * - `missing`: the database has one, and the folder has none.
 * - `foreign`: the folder has that of another site.
 * - `keyed`: the database has the id of a secret key instead, because the site keeps nothing in its data folder.
 */
export type MarkerState = 'marked' | 'unmarked' | 'missing' | 'foreign' | 'keyed';

export interface Marker {
  readonly state: MarkerState;
  /** The id that the file must contain; undefined when unmarked. */
  readonly id: string | undefined;
}

/** A folder or bucket is not the one that belongs to the database; the message says what to do. */
export class FolderMarkerError extends OperatorError {
  override readonly name = 'FolderMarkerError';
}

/** The locations with a marker. A data folder with temporary files only needs none: see `requireSecretKey`. */
export function listMarkedPlaces(locations: DataPlaces): readonly MarkedPlace[] {
  const data: MarkedPlace[] = hasPersistentFolder(locations)
    ? [{ folder: 'data', path: locations.dataDir }]
    : [];
  return [...data, toMarkedPlace(locations.storage)];
}

export function toMarkedPlace(storage: StorageLocation): MarkedPlace {
  return storage.kind === 'folder'
    ? { folder: 'files', path: storage.path }
    : { folder: 'files', bucket: storage.bucket };
}

const own = (db: Handle): Kysely<Pick<Schema, 'folder_markers'>> => db;

/** Whether a location is a bucket. */
export function isMarkedBucket(location: MarkedPlace): location is MarkedBucket {
  return 'bucket' in location;
}

export function toMarkerFile({ path }: Pick<MarkedFolder, 'path'>): string {
  return join(path, MARKER_FILE);
}

/** Compares a location's marker with the database. */
export async function readMarker({ db }: Pick<Database, 'db'>, location: MarkedPlace): Promise<Marker> {
  const row = await own(db)
    .selectFrom('folder_markers')
    .select('marker')
    .where('folder', '=', location.folder)
    .executeTakeFirst();
  if (row === undefined) return { state: 'unmarked', id: undefined };
  const found = await readMarkerText(location);
  if (found === row.marker) return { state: 'marked', id: row.marker };
  const isKey = row.marker.startsWith(KEY_MARK);
  return { state: isKey ? 'keyed' : found === undefined ? 'missing' : 'foreign', id: row.marker };
}

/**
 * Writes the markers that do not exist yet. Throws `FolderMarkerError` when the database has a marker and the folder
 * has none, or another one: its volume is probably not mounted, and a start would begin to fill an empty folder. Several
 * processes may do this at the same time.
 */
export async function requireMarkers(
  database: Pick<Database, 'db'>,
  locations: readonly MarkedPlace[],
  nowMs: number,
): Promise<void> {
  for (const location of locations) {
    const existing = await readMarker(database, location);
    const marker = existing.state === 'unmarked' ? await mark(database, location, nowMs) : existing;
    if (marker.state !== 'marked') throw new FolderMarkerError(describe(location, marker));
  }
}

/**
 * For a data folder with temporary files only: the database has the id of the secret key instead of the folder's
 * marker, so that a process with another key, or with none, does not start. `ids` are those of the key and of the
 * previous one, `ids[0]` is remembered. Throws `FolderMarkerError`.
 */
export async function requireSecretKey(
  { db }: Pick<Database, 'db'>,
  dataDir: string,
  ids: readonly string[],
  nowMs: number,
): Promise<void> {
  const location = { folder: 'data', path: dataDir } as const;
  const existing = await readMarker({ db }, location);
  const accepted = ids.map((id) => `${KEY_MARK}${id}`);
  const [marker = ''] = accepted;
  if (existing.id === marker) return;
  if (existing.id === undefined) {
    await insertMarker({ db }, location, marker, nowMs);
    // Another process, with another key, may have been first.
    return requireSecretKey({ db }, dataDir, ids, nowMs);
  }
  // `marked`: the operator has written the file, as `describeKey` says.
  if (existing.state === 'keyed' && !accepted.includes(existing.id))
    throw new FolderMarkerError(describeKey(location, existing.id));
  await own(db)
    .updateTable('folder_markers')
    .set({ marker, created_at: nowMs })
    .where('folder', '=', location.folder)
    .where('marker', '=', existing.id)
    .execute();
}

/** Writes a missing marker again, for an operator who has made sure that the location is the right one. */
export async function restoreMarker(location: MarkedPlace, id: string): Promise<void> {
  if (isMarkedBucket(location)) await openBucket(location.bucket).writeMarker(id);
  else makeOnce(toMarkerFile(location), `${id}\n`);
}

/** The file is written first: after an interruption in between, the next start adopts its id. */
async function mark({ db }: Pick<Database, 'db'>, location: MarkedPlace, nowMs: number): Promise<Marker> {
  if (!isMarkedBucket(location)) makeFolderNow(location.path);
  if ((await readMarkerText(location)) === undefined) await restoreMarker(location, randomId());
  const marker = (await readMarkerText(location)) ?? '';
  await insertMarker({ db }, location, marker, nowMs);
  return readMarker({ db }, location);
}

async function insertMarker(
  { db }: Pick<Database, 'db'>,
  { folder }: MarkedPlace,
  marker: string,
  nowMs: number,
): Promise<void> {
  await own(db)
    .insertInto('folder_markers')
    .values({ folder, marker, created_at: nowMs })
    .onConflict((on) => on.doNothing())
    .execute();
}

/** The id in a location's marker; undefined for none. */
export async function readMarkerText(location: MarkedPlace): Promise<string | undefined> {
  if (isMarkedBucket(location)) return openBucket(location.bucket).readMarker();
  const file = toMarkerFile(location);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

function describe(location: MarkedPlace, { state, id = '' }: Marker): string {
  if (isMarkedBucket(location)) {
    const problem = state === 'missing' ? `has no object ${MARKER_FILE}` : 'belongs to another site';
    return (
      `The bucket ${describeBucket(location.bucket)} ${problem}, so it does not have the files of this database. Correct ` +
      'STORAGE_URL, or copy the files first: npm run operator -- storage move FROM TO.'
    );
  }
  const file = toMarkerFile(location);
  if (state === 'keyed') {
    return (
      `this site keeps nothing in ${location.path}, but a setting for that is missing here: DATABASE_URL, STORAGE_URL, ` +
      'SECRET_KEY, PERSONAL_INFO_PUBLIC_KEY and SMTP_URL belong together. To keep data in this folder from now on, ' +
      `write ${id} into ${file} and start again.`
    );
  }
  const problem = state === 'missing' ? `${file} is missing` : `${file} belongs to another site`;
  return (
    `${problem}: ${location.path} is not the folder that belongs to this database. Is its volume mounted? If you restored ` +
    `or replaced the folder on purpose, write ${id} into ${file} and start again.`
  );
}

function describeKey(location: MarkedFolder, id: string): string {
  return (
    'SECRET_KEY is not the key of this site. Set the same on every machine. To change it, set SECRET_KEY_PREVIOUS to the ' +
    `key before. If that key is lost, write ${id} into ${toMarkerFile(location)} and start again.`
  );
}
