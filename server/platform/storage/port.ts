import type { Readable } from 'node:stream';
import { HOUR_MS } from '../../../contract/values/time-units.ts';
import type { BucketLocation } from './s3/address.ts';
import { OperatorError } from '../operator-error.ts';

/** Longer than a call takes to record, store and claim a file: one that is unclaimed by then stays unclaimed. */
export const INCOMING_MS_MAX = HOUR_MS;

/** A folder, or a bucket with a prefix. */
export type StorageLocation =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 's3'; readonly bucket: BucketLocation };

/** A file or object with an id that the database has too: without it, the location belongs to another database. */
export const MARKER_FILE = '.site-marker';

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

/** The room on the disk of a storage, see `DiskSpace`. */
export interface StorageRoom {
  /** Registers objects to come. `sumExpected` returns how many bytes they still expect, in all processes. */
  watch(sumExpected: () => Promise<number>): void;
  /** Call after an object is announced. Throws with code ENOSPC unless all expected bytes fit. */
  admit(): Promise<void>;
  /** Throws with code ENOSPC if storing this many bytes now would take room that is reserved for the database. */
  requireFree(bytes: number): Promise<void>;
}

/**
 * File storage. A key is a path of two to four plain segments, such as `sounds/{sha256}`; objects are immutable and can
 * only be deleted, so readers need no locks.
 */
export interface Storage {
  /**
   * Stores the content atomically, and returns once it survives a power failure. Bytes of a stream that ends early
   * without an error are stored; a stream that fails stores nothing, and its error is thrown.
   */
  put(key: string, content: Uint8Array | Readable): Promise<void>;
  /**
   * A stream of the bytes; throws `MissingObjectError` before the first byte. Destroy it if it is not read to its end.
   * `ending` ends the requests of a bucket, also before the first byte.
   */
  open(key: string, range?: ByteRange, ending?: AbortSignal): Promise<Readable>;
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
  /** Absent where room cannot run out, as in a bucket. */
  readonly room?: StorageRoom;
}

export class MissingObjectError extends Error {
  override readonly name = 'MissingObjectError';
  constructor(key: string) {
    super(`no object in storage under ${key}`);
  }
}

/**
 * Storage that is not in this machine cannot be used at the moment, or refuses. Callers are answered 503, or 507 with
 * the code of a full disk.
 */
export class StorageUnavailable extends OperatorError {
  override readonly name = 'StorageUnavailable';
  readonly code: string;

  constructor(message: string, code = 'STORAGE_UNAVAILABLE', options?: ErrorOptions) {
    super(message, options);
    this.code = code;
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
  if (folder === undefined || name === undefined || segments.length > 4) throw toKeyError(key);
  if (!segments.every((segment) => segment !== undefined && SEGMENT.test(segment))) throw toKeyError(key);
  return [folder, name, ...rest];
}

function toKeyError(key: string): RangeError {
  return new RangeError(`not a storage key: ${JSON.stringify(key.slice(0, 80))}`);
}
