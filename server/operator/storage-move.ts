import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Database } from '../platform/database/open.ts';
import { MissingObjectError } from '../platform/storage/port.ts';
import { describeBucket } from '../platform/storage/s3/address.ts';
import { openStorage } from '../platform/storage/open.ts';
import { readMarker, readMarkerText, restoreMarker, toMarkedPlace } from '../platform/storage/markers.ts';
import type { ListedObject, Storage, StorageLocation } from '../platform/storage/port.ts';
import type { MarkedPlace } from '../platform/storage/markers.ts';
import { Refusal } from './refusals.ts';

/** Each holds at most one part of an object in memory. */
const AT_ONCE = 4;
const EXAMPLES_MAX = 20;

export interface Move {
  readonly from: StorageLocation;
  readonly to: StorageLocation;
  /** Compares only, and writes nothing. */
  readonly verifiesOnly: boolean;
  onProgress?(files: number, bytes: number): void;
}

export interface MoveResult {
  readonly copied: number;
  /** Objects that were there with the same content. */
  readonly same: number;
  readonly bytes: number;
  /** When only comparing: keys that the target lacks or has with other content, at most some. */
  readonly different: readonly string[];
  readonly differentCount: number;
  /** Files in the source that are no objects, which are not copied. */
  readonly foreign: number;
}

/**
 * Copies every object to another storage of the same site, and reads each one back to compare its hash. It can be
 * interrupted and repeated; the source is never changed. Throws `Refusal` for a source or target of another site.
 */
export async function moveStorage(database: Pick<Database, 'db'>, move: Move): Promise<MoveResult> {
  const { from, to, verifiesOnly, onProgress } = move;
  if (describeLocation(from) === describeLocation(to)) throw new Refusal('FROM and TO are the same storage');
  const marker = await readMarker(database, toMarkedPlace(from));
  if (marker.state !== 'marked' || marker.id === undefined)
    throw new Refusal(
      `${describeLocation(from)} is not the storage of this site, or the server was never started`,
    );
  const target = await openStorage(to);
  await claim(toMarkedPlace(to), target, marker.id, verifiesOnly);
  const source = await openStorage(from);

  const result = { copied: 0, same: 0, bytes: 0, different: [] as string[], differentCount: 0, foreign: 0 };
  async function handle({ key, size }: ListedObject): Promise<void> {
    if (await isSame(source, target, key, size)) result.same += 1;
    else if (!verifiesOnly) {
      if (!(await copyObject(source, target, key))) return;
      result.copied += 1;
    } else if (await source.has(key)) {
      result.differentCount += 1;
      if (result.different.length < EXAMPLES_MAX) result.different.push(key);
    }
    result.bytes += size;
    onProgress?.(result.copied + result.same, result.bytes);
  }
  const objects = source.list()[Symbol.asyncIterator]();
  async function copyObjects(): Promise<void> {
    for (let next = await objects.next(); next.done !== true; next = await objects.next()) {
      if (next.value.isObject) await handle(next.value);
      else result.foreign += 1;
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, copyObjects));
  return result;
}

/** A storage for messages: without its key. */
export function describeLocation(location: StorageLocation): string {
  return location.kind === 'folder' ? location.path : describeBucket(location.bucket);
}

/** Marks an empty target, so that only this site uses it from now on. */
async function claim(
  location: MarkedPlace,
  target: Storage,
  id: string,
  verifiesOnly: boolean,
): Promise<void> {
  const found = await readMarkerText(location);
  if (found === id) return;
  if (found !== undefined) throw new Refusal('TO has the files of another site');
  if (verifiesOnly) throw new Refusal('TO has no files of this site');
  const { done } = await target.list()[Symbol.asyncIterator]().next();
  if (done !== true)
    throw new Refusal('TO is not empty and has no marker of this site; choose an empty folder or prefix');
  await restoreMarker(location, id);
  if ((await readMarkerText(location)) !== id) throw new Refusal('TO was just taken by another site');
}

async function isSame(source: Storage, target: Storage, key: string, size: number): Promise<boolean> {
  if ((await target.find(key))?.size !== size) return false;
  const [there, here] = await Promise.all([hashObject(target, key), hashObject(source, key)]);
  return there !== undefined && there === here;
}

/** Returns false for an object that was deleted meanwhile. */
async function copyObject(source: Storage, target: Storage, key: string): Promise<boolean> {
  const stream = await source.open(key).catch(onMissing);
  if (stream === undefined) return false;
  const hash = createHash('sha256');
  async function* hashed() {
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      hash.update(chunk);
      yield chunk;
    }
  }
  await target.put(key, Readable.from(hashed(), { objectMode: false }));
  if ((await hashObject(target, key)) === hash.digest('hex')) return true;
  await target.delete(key);
  throw new Refusal(`${key} has other content in TO than in FROM; run the command again`);
}

async function hashObject(storage: Storage, key: string): Promise<string | undefined> {
  const stream = await storage.open(key).catch(onMissing);
  if (stream === undefined) return undefined;
  const hash = createHash('sha256');
  for await (const chunk of stream as AsyncIterable<Uint8Array>) hash.update(chunk);
  return hash.digest('hex');
}

function onMissing(error: unknown): undefined {
  if (error instanceof MissingObjectError) return undefined;
  throw error;
}
