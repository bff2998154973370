import type { Readable } from 'node:stream';

/** Longer than a call takes to record, store and claim a file: one that is unclaimed by then stays unclaimed. */
export const INCOMING_MS_MAX = 60 * 60 * 1000;

/** A folder, or a bucket by its URL. */
export type StorageLocation = { kind: 'folder'; path: string } | { kind: 's3'; url: string };

export interface StoredObject {
  readonly size: number;
  readonly modifiedAt: Date;
}

export interface ListedObject extends StoredObject {
  /** For a file that is no object, its path from the root of the storage. */
  readonly key: string;
  /** Whether the file is where the object of this key is stored. */
  readonly isObject: boolean;
}

/** Both ends are inclusive, as in HTTP (RFC 9110 §14.1.2). */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * File storage. A key is a path of two to four plain segments, such as `sounds/{sha256}`; objects are immutable and can
 * only be deleted, so readers need no locks.
 */
export interface Storage {
  /** Stores the content atomically, and returns once it survives a power failure. */
  put(key: string, content: Uint8Array | Readable): Promise<void>;
  /** A stream of the bytes; throws `MissingObjectError` before the first byte. */
  open(key: string, range?: ByteRange): Promise<Readable>;
  find(key: string): Promise<StoredObject | undefined>;
  has(key: string): Promise<boolean>;
  /** Deleting a missing object is not an error. */
  delete(key: string): Promise<void>;
  /**
   * Every file, in no particular order, without those that are being written. Objects that are stored or deleted
   * meanwhile may be included or not.
   */
  list(): AsyncIterable<ListedObject>;
  /** Deletes incomplete files left by crashes, once no process can be writing them. */
  deleteIncomplete(): Promise<void>;
}

export class MissingObjectError extends Error {
  override readonly name = 'MissingObjectError';
  constructor(key: string) {
    super(`no object in storage under ${key}`);
  }
}

const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,127}$/;

/** Whether the text is a storage key. */
export function isKey(text: string): boolean {
  const segments = text.split('/');
  return segments.length >= 2 && segments.length <= 4 && segments.every((segment) => SEGMENT.test(segment));
}

/** The key's segments. Throws for anything that could leave the storage folder. */
export function toKeySegments(key: string): [string, string, ...string[]] {
  const [folder, name, ...rest] = key.split('/');
  const segments = [folder, name, ...rest];
  if (folder === undefined || name === undefined || segments.length > 4) throw badKey(key);
  if (!segments.every((segment) => segment !== undefined && SEGMENT.test(segment))) throw badKey(key);
  return [folder, name, ...rest];
}

function badKey(key: string): RangeError {
  return new RangeError(`not a storage key: ${JSON.stringify(key.slice(0, 80))}`);
}
