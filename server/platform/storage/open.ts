import { access } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { DiskSpace } from './disk-space.ts';
import { openFolderStorage } from './folder.ts';
import { MARKER_FILE } from './port.ts';
import type { Storage, StorageLocation } from './port.ts';
import { createBucketStorage } from './s3/bucket.ts';
import type { BucketStorage } from './s3/bucket.ts';
import { checkBucket } from './s3/check.ts';
import type { CheckOptions, MissingAbility } from './s3/check.ts';
import { createS3Client } from './s3/client.ts';
import { observeClient } from './s3/observed.ts';
import type { BucketUse, ObservedClient } from './s3/observed.ts';
import { parseBucketAddress } from './s3/address.ts';
import type { BucketLocation, S3Credentials } from './s3/address.ts';

/** Of one process: each has a pool of connections. The settings name one bucket, a move names two. */
const clients = new WeakMap<BucketLocation, ObservedClient>();

/** The location that the path of a folder or the address of a bucket names. Returns a sentence for a wrong address. */
export function toStorageLocation(text: string, credentials: S3Credentials): StorageLocation | string {
  if (!text.startsWith('s3:')) return { kind: 'folder', path: resolve(text) };
  const bucket = parseBucketAddress(text, credentials);
  return typeof bucket === 'string' ? bucket : { kind: 's3', bucket };
}

/** Opens the storage that the settings name. A bucket is not checked; see `requireBucket`. */
export async function openStorage(location: StorageLocation, space?: DiskSpace): Promise<Storage> {
  if (location.kind === 'folder') return openFolderStorage(location.path, Date.now, space);
  return openBucket(location.bucket);
}

export function openBucket(location: BucketLocation): BucketStorage {
  return createBucketStorage(toClient(location));
}

/** Throws `BucketError` unless a bucket can do what the site needs; returns what it lacks and the site does without. */
export function requireBucket(
  location: BucketLocation,
  options?: CheckOptions,
): Promise<readonly MissingAbility[]> {
  return checkBucket(toClient(location), options);
}

/** The results of this process's calls to a bucket. */
export function findBucketUse(location: BucketLocation): BucketUse {
  return toClient(location).use;
}

/** Rejects if the last call to the bucket failed, or the folder is not that of the site any more. */
export async function checkStorage(location: StorageLocation): Promise<void> {
  if (location.kind === 'folder') {
    await access(join(location.path, MARKER_FILE));
    return;
  }
  const { failure } = findBucketUse(location.bucket);
  if (failure !== null) throw failure;
}

function toClient(location: BucketLocation): ObservedClient {
  const client = clients.get(location) ?? observeClient(createS3Client(location));
  clients.set(location, client);
  return client;
}
