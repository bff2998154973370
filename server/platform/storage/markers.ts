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

/** A place with persistent files: the data folder, or the folder or bucket of the storage. */
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
 * - `unmarked`: the database knows no marker of this folder, which is so until the first start.
 * - `missing`: the database knows one, and the folder has none.
 * - `foreign`: the folder has that of another site.
 * - `keyed`: the database knows the id of a secret key instead, because the site keeps nothing in its data folder.
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

/** The places with a marker. A data folder with temporary files only needs none: see `requireSecretKey`. */
export function listMarkedPlaces(places: DataPlaces): readonly MarkedPlace[] {
  const data: MarkedPlace[] = hasPersistentFolder(places) ? [{ folder: 'data', path: places.dataDir }] : [];
  return [...data, toMarkedPlace(places.storage)];
}

export function toMarkedPlace(storage: StorageLocation): MarkedPlace {
  return storage.kind === 'folder'
    ? { folder: 'files', path: storage.path }
    : { folder: 'files', bucket: storage.bucket };
}

const own = (db: Handle): Kysely<Pick<Schema, 'folder_markers'>> => db;

/** Whether a place is a bucket. */
export function isMarkedBucket(place: MarkedPlace): place is MarkedBucket {
  return 'bucket' in place;
}

export function toMarkerFile({ path }: Pick<MarkedFolder, 'path'>): string {
  return join(path, MARKER_FILE);
}

/** Compares a place's marker with the database. */
export async function readMarker({ db }: Pick<Database, 'db'>, place: MarkedPlace): Promise<Marker> {
  const row = await own(db)
    .selectFrom('folder_markers')
    .select('marker')
    .where('folder', '=', place.folder)
    .executeTakeFirst();
  if (row === undefined) return { state: 'unmarked', id: undefined };
  const found = await readMarkerText(place);
  if (found === row.marker) return { state: 'marked', id: row.marker };
  const isKey = row.marker.startsWith(KEY_MARK);
  return { state: isKey ? 'keyed' : found === undefined ? 'missing' : 'foreign', id: row.marker };
}

/**
 * Writes the markers that do not exist yet. Throws `FolderMarkerError` when the database knows a marker and the folder
 * has none, or another one: its volume is probably not mounted, and a start would begin to fill an empty folder. Several
 * processes may do this at the same time.
 */
export async function requireMarkers(
  database: Pick<Database, 'db'>,
  places: readonly MarkedPlace[],
  nowMs: number,
): Promise<void> {
  for (const place of places) {
    const known = await readMarker(database, place);
    const marker = known.state === 'unmarked' ? await mark(database, place, nowMs) : known;
    if (marker.state !== 'marked') throw new FolderMarkerError(describe(place, marker));
  }
}

/**
 * For a data folder with temporary files only: the database knows the id of the secret key in place of the folder's
 * marker, so that a process with another key, or with none, does not start. `ids` are those of the key and of the
 * previous one, `ids[0]` is remembered. Throws `FolderMarkerError`.
 */
export async function requireSecretKey(
  { db }: Pick<Database, 'db'>,
  dataDir: string,
  ids: readonly string[],
  nowMs: number,
): Promise<void> {
  const place = { folder: 'data', path: dataDir } as const;
  const known = await readMarker({ db }, place);
  const accepted = ids.map((id) => `${KEY_MARK}${id}`);
  const [marker = ''] = accepted;
  if (known.id === marker) return;
  if (known.id === undefined) {
    await insertMarker({ db }, place, marker, nowMs);
    // Another process, with another key, may have been first.
    return requireSecretKey({ db }, dataDir, ids, nowMs);
  }
  // `marked`: the operator has written the file, as `describeKey` says.
  if (known.state === 'keyed' && !accepted.includes(known.id))
    throw new FolderMarkerError(describeKey(place, known.id));
  await own(db)
    .updateTable('folder_markers')
    .set({ marker, created_at: nowMs })
    .where('folder', '=', place.folder)
    .where('marker', '=', known.id)
    .execute();
}

/** Writes a missing marker again, for an operator who has made sure that the place is the right one. */
export async function restoreMarker(place: MarkedPlace, id: string): Promise<void> {
  if (isMarkedBucket(place)) await openBucket(place.bucket).writeMarker(id);
  else makeOnce(toMarkerFile(place), `${id}\n`);
}

/** The file is written first: after an interruption in between, the next start adopts its id. */
async function mark({ db }: Pick<Database, 'db'>, place: MarkedPlace, nowMs: number): Promise<Marker> {
  if (!isMarkedBucket(place)) makeFolderNow(place.path);
  if ((await readMarkerText(place)) === undefined) await restoreMarker(place, randomId());
  const marker = (await readMarkerText(place)) ?? '';
  await insertMarker({ db }, place, marker, nowMs);
  return readMarker({ db }, place);
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

/** The id that a place has; undefined for none. */
export async function readMarkerText(place: MarkedPlace): Promise<string | undefined> {
  if (isMarkedBucket(place)) return openBucket(place.bucket).readMarker();
  const file = toMarkerFile(place);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

function describe(place: MarkedPlace, { state, id = '' }: Marker): string {
  if (isMarkedBucket(place)) {
    const problem = state === 'missing' ? `has no object ${MARKER_FILE}` : 'belongs to another site';
    return (
      `The bucket ${describeBucket(place.bucket)} ${problem}, so it does not have the files of this database. Correct ` +
      'STORAGE_URL, or copy the files first: npm run operator -- storage move FROM TO.'
    );
  }
  const file = toMarkerFile(place);
  if (state === 'keyed') {
    return (
      `this site keeps nothing in ${place.path}, but a setting for that is missing here: DATABASE_URL, STORAGE_URL, ` +
      'SECRET_KEY, PERSONAL_INFO_PUBLIC_KEY and SMTP_URL belong together. To keep data in this folder from now on, ' +
      `write ${id} into ${file} and start again.`
    );
  }
  const problem = state === 'missing' ? `${file} is missing` : `${file} belongs to another site`;
  return (
    `${problem}: ${place.path} is not the folder that belongs to this database. Is its volume mounted? If you restored ` +
    `or replaced the folder on purpose, write ${id} into ${file} and start again.`
  );
}

function describeKey(place: MarkedFolder, id: string): string {
  return (
    'SECRET_KEY is not the key of this site. Set the same on every machine. To change it, set SECRET_KEY_PREVIOUS to the ' +
    `key before. If that key is lost, write ${id} into ${toMarkerFile(place)} and start again.`
  );
}
