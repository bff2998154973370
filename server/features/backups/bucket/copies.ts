import * as v from 'valibot';
import { keyedHash } from '../../../platform/crypto/keyed-hash.ts';
import type { BucketLocation } from '../../../platform/storage/s3/address.ts';

/** A bucket for sealed copies of backups. */
export interface CopyTarget {
  readonly bucket: BucketLocation;
  /** Seals the copies, as `toPublicKeyLine` writes it. The private half is not on the server. */
  readonly publicKey: string;
}

/** The prefix of the lists, one of each backup, which is sent last. */
export const LISTS = 'backups/';
const OBJECTS = 'objects/';

const LIST_HEAD = v.object({
  format: v.literal(1, 'the copy has another format than 1; use the program that made it'),
  /** Base64url; objects are named by it, so that their names say nothing about what is in them. */
  nameKey: v.string(),
  /** The SHA-256 of the list of erasures at that time; null for none. */
  erasures: v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))),
});
/** The first line of a list; `SHA256SUMS` of the backup follows. */
export type ListHead = v.InferOutput<typeof LIST_HEAD>;

/** Throws an error with a readable message. */
export function parseListHead(line: string): ListHead {
  return v.parse(LIST_HEAD, JSON.parse(line));
}

export function toListKey(name: string): string {
  return `${LISTS}${name}`;
}

/** The key of a file by the SHA-256 of its content. */
export function toObjectKey(nameKey: string, hash: string): string {
  return `${OBJECTS}${keyedHash(Buffer.from(nameKey, 'base64url'), 'file of a backup', hash)}`;
}

/** A copy opens in its own place only. */
export function toContext(key: string): string {
  return `copy of a backup: ${key}`;
}
