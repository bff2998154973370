import { existsSync, readFileSync } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  dropRestoreMark,
  isEmptyDatabase,
  readRestoreMark,
  writeRestoreMark,
} from '../../platform/database/snapshots/snapshot.ts';
import type { DatabaseLocation } from '../../platform/database/open.ts';
import type { RestoreMark, RestoreState } from '../../platform/database/snapshots/restore-mark.ts';
import { describeBucket } from '../../platform/storage/s3/address.ts';
import { openStorage } from '../../platform/storage/open.ts';
import { readMarkerText } from '../../platform/storage/markers.ts';
import type { BucketLocation } from '../../platform/storage/s3/address.ts';
import type { StorageLocation } from '../../platform/storage/port.ts';
import { makeFolderNow, syncFolder, writeSynced } from '../../platform/synced-files.ts';
import { BackupRefused } from './format.ts';
import { OperatorError } from '../../platform/operator-error.ts';

/** What a restore fills. */
export interface Place {
  readonly dataDir: string;
  readonly database: DatabaseLocation;
  readonly storage: StorageLocation;
}

/** A part of a place that has a mark of its own, because it can be used without the others. */
interface Part {
  readonly name: string;
  read(): Promise<RestoreMark | undefined>;
  write(mark: RestoreMark): Promise<void>;
  remove(): Promise<void>;
  /** Says why it is not empty; undefined if it is. */
  findContent(): Promise<string | undefined>;
}

/** In the data folder. */
const FILE = 'restore-incomplete.json';
const DRAFT = 'restore-incomplete.json.new';
/** In the bucket. */
const OBJECT = 'restores/incomplete';
/** A new disk has it. */
const IGNORED: ReadonlySet<string> = new Set([FILE, DRAFT, 'lost+found']);

/**
 * Throws `OperatorError` if a restore has begun and not ended in the data folder, or in the bucket if there is one. `openDatabase` does so
 * for a database of PostgreSQL.
 */
export async function requireRestored({ dataDir, storage }: Omit<Place, 'database'>): Promise<void> {
  const parts = [toFolder(dataDir), ...(storage.kind === 's3' ? [toBucket(storage.bucket)] : [])];
  for (const { name, read } of parts) {
    if ((await read()) === undefined) continue;
    throw new OperatorError(
      `${name} is half restored; run "npm run operator -- backup restore" with the same backup again`,
    );
  }
}

/** Throws if a restore into this data folder has begun and not ended. */
export function requireRestoredFolder(dataDir: string): Promise<void> {
  return requireRestored({ dataDir, storage: { kind: 'folder', path: dataDir } });
}

/**
 * How far an earlier attempt to restore this backup came; `begun` also without one. Throws `BackupRefused` for a part
 * that is neither empty nor marked for this backup: it holds something else, or was used since.
 */
export async function checkPlace(place: Place, id: string): Promise<RestoreState> {
  makeFolderNow(place.dataDir, 0o700);
  const parts = toParts(place);
  const begun = await parts[0].read();
  if (begun?.id === id && begun.state === 'complete') return 'complete';
  for (const part of parts) {
    const mark = await part.read();
    if (mark !== undefined && mark.id !== id)
      throw new BackupRefused(
        `the restore of another backup into ${part.name} was interrupted; empty it first`,
      );
    const content = mark === undefined ? await part.findContent() : undefined;
    if (content !== undefined) throw new BackupRefused(content);
  }
  return begun?.state ?? 'begun';
}

/** Marks every part before it is filled. */
export async function beginRestore(place: Place, mark: RestoreMark): Promise<void> {
  const [first, ...others] = toParts(place);
  await first.write(mark);
  for (const part of others) await part.write({ ...mark, state: 'begun' });
}

/** Removes the marks. After an interruption, `checkPlace` returns `complete`, until none is left. */
export async function endRestore(place: Place, id: string): Promise<void> {
  const [first, ...others] = toParts(place);
  await first.write({ id, state: 'complete' });
  for (const part of others) await part.remove();
  await first.remove();
}

/** The first is marked first and unmarked last. */
function toParts({ dataDir, database, storage }: Place): [Part, ...Part[]] {
  const folder = toFolder(dataDir);
  const bucket = storage.kind === 's3' ? [toBucket(storage.bucket)] : [];
  return database.kind === 'postgres' ? [toDatabase(database), ...bucket, folder] : [folder, ...bucket];
}

function toDatabase(location: DatabaseLocation): Part {
  return {
    name: 'the database',
    read: () => readRestoreMark(location),
    write: (mark) => writeRestoreMark(location, mark),
    remove: () => dropRestoreMark(location),
    findContent: async () =>
      (await isEmptyDatabase(location))
        ? undefined
        : 'the database of DATABASE_URL is not empty; restore into an empty database',
  };
}

function toBucket(bucket: BucketLocation): Part {
  const name = `the bucket ${describeBucket(bucket)}`;
  const open = () => openStorage({ kind: 's3', bucket });
  return {
    name,
    async read() {
      const storage = await open();
      if (!(await storage.has(OBJECT))) return undefined;
      return JSON.parse(await text(await storage.open(OBJECT))) as RestoreMark;
    },
    write: async (mark) => (await open()).put(OBJECT, Buffer.from(JSON.stringify(mark))),
    remove: async () => (await open()).delete(OBJECT),
    async findContent() {
      const marker = await readMarkerText({ folder: 'files', bucket });
      const { done } = await (await open()).list()[Symbol.asyncIterator]().next();
      return marker === undefined && done === true
        ? undefined
        : `${name} is not empty; restore into an empty bucket or another prefix`;
    },
  };
}

function toFolder(dataDir: string): Part {
  const path = join(dataDir, FILE);
  return {
    name: dataDir,
    read: async () =>
      existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as RestoreMark) : undefined,
    async write(mark) {
      const draft = join(dataDir, DRAFT);
      await writeSynced(draft, JSON.stringify(mark), { flags: 'w' });
      await rename(draft, path);
      await syncFolder(dataDir);
    },
    async remove() {
      await rm(path, { force: true });
      await syncFolder(dataDir);
    },
    async findContent() {
      const found = (await readdir(dataDir)).find((name) => !IGNORED.has(name));
      return found === undefined
        ? undefined
        : `${dataDir} is not empty (${found}); restore into an empty folder`;
    },
  };
}
