import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomId } from '../database/database.ts';
import type { Database } from '../database/database.ts';
import type { StorageLocation } from './port.ts';
import { makeOnce } from './private-files.ts';

/** A file with an id that the database knows: without it, the folder is not the one that belongs to the database. */
export const MARKER_FILE = '.site-marker';

/** A folder with persistent files: the data folder, or that of the storage. */
export interface MarkedFolder {
  readonly folder: 'data' | 'files';
  readonly path: string;
}

/**
 * - `unmarked`: the database knows no marker of this folder, which is so until the first start.
 * - `missing`: the database knows one, and the folder has none.
 * - `foreign`: the folder has that of another site.
 */
export type MarkerState = 'marked' | 'unmarked' | 'missing' | 'foreign';

export interface Marker {
  readonly state: MarkerState;
  /** The id that the file must contain; undefined when unmarked. */
  readonly id: string | undefined;
}

/** A folder is not the one that belongs to the database; the message says what to do. */
export class FolderMarkerError extends Error {
  override readonly name = 'FolderMarkerError';
}

/** The folders with a marker. A bucket needs none: it cannot be empty by mistake of a mount. */
export function listMarkedFolders({
  dataDir,
  storage,
}: {
  readonly dataDir: string;
  readonly storage: StorageLocation;
}): readonly MarkedFolder[] {
  const data = { folder: 'data' as const, path: dataDir };
  return storage.kind === 'folder' ? [data, { folder: 'files', path: storage.path }] : [data];
}

export function toMarkerFile({ path }: Pick<MarkedFolder, 'path'>): string {
  return join(path, MARKER_FILE);
}

/** Compares a folder's marker with the database. */
export async function readMarker({ db }: Pick<Database, 'db'>, place: MarkedFolder): Promise<Marker> {
  const row = await db
    .selectFrom('folder_markers')
    .select('marker')
    .where('folder', '=', place.folder)
    .executeTakeFirst();
  if (row === undefined) return { state: 'unmarked', id: undefined };
  const found = readMarkerFile(place);
  const state = found === row.marker ? 'marked' : found === undefined ? 'missing' : 'foreign';
  return { state, id: row.marker };
}

/**
 * Writes the markers that do not exist yet. Throws `FolderMarkerError` when the database knows a marker and the folder
 * has none, or another one: its volume is probably not mounted, and a start would begin to fill an empty folder. Several
 * processes may do this at the same time.
 */
export async function requireMarkers(
  database: Pick<Database, 'db'>,
  places: readonly MarkedFolder[],
  nowMs: number,
): Promise<void> {
  for (const place of places) {
    const known = await readMarker(database, place);
    const marker = known.state === 'unmarked' ? await mark(database, place, nowMs) : known;
    if (marker.state !== 'marked') throw new FolderMarkerError(describe(place, marker));
  }
}

/** Writes a missing marker again, for an operator who has made sure that the folder is the right one. */
export function restoreMarker(place: MarkedFolder, id: string): void {
  makeOnce(toMarkerFile(place), `${id}\n`);
}

/** The file is written first: after an interruption in between, the next start adopts its id. */
async function mark({ db }: Pick<Database, 'db'>, place: MarkedFolder, nowMs: number): Promise<Marker> {
  mkdirSync(place.path, { recursive: true });
  makeOnce(toMarkerFile(place), `${randomId()}\n`);
  const marker = readMarkerFile(place) ?? '';
  await db
    .insertInto('folder_markers')
    .values({ folder: place.folder, marker, created_at: nowMs })
    .onConflict((on) => on.doNothing())
    .execute();
  return readMarker({ db }, place);
}

function readMarkerFile(place: MarkedFolder): string | undefined {
  const file = toMarkerFile(place);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

function describe(place: MarkedFolder, { state, id }: Marker): string {
  const file = toMarkerFile(place);
  const problem = state === 'missing' ? `${file} is missing` : `${file} belongs to another site`;
  return (
    `${problem}: ${place.path} is not the folder that belongs to this database. Is its volume mounted? If you restored ` +
    `or replaced the folder on purpose, write ${id ?? ''} into ${file} and start again.`
  );
}
