import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { setTimeout as wait } from 'node:timers/promises';
import { HOUR_MS } from '../../../../contract/values/time-units.ts';
import { MARKER_FILE, MissingObjectError, isKey, toKeySegments } from '../port.ts';
import type { ListedObject, Storage, StoredObject } from '../port.ts';
import type { S3Client } from './client.ts';
import { S3Refusal, isUnsupported } from './failures.ts';
import { listObjects, listUploads } from './listing.ts';
import { openObject } from './reader.ts';
import { createObjectWriter, isPresent, onlyIfAbsent } from './writer.ts';

/** Objects of `checkBucket`, which a killed process may leave. */
export const PROBES = '.probe-';
const PROBE = /^\.probe-[\w-]+$/;
/** Longer than any upload takes between two parts: other processes may be writing. */
const LEFTOVER_AGE_MS = HOUR_MS;
/** A service that is consistent only after a moment may not know a new object yet. */
const NEW_MS = 5_000;
const NEW_OBJECTS = 1_000;
const NEW_PAUSES_MS = [100, 300, 900];

/** Storage in a bucket, and what is special about one. */
export interface BucketStorage extends Storage {
  /** The content of the object that marks the bucket as that of a site. */
  readMarker(): Promise<string | undefined>;
  /** Keeps an existing marker: by a conditional write, or by a read before it where the service has none. */
  writeMarker(content: string): Promise<void>;
}

/** Storage in a bucket. Every process of a site may use it at the same time. */
export function createBucketStorage(client: S3Client, now: () => number = Date.now): BucketStorage {
  const write = createObjectWriter(client);
  const written = new LRUCache<string, true>({ max: NEW_OBJECTS, ttl: NEW_MS });

  /** Repeats what finds nothing if this process has just stored the object. */
  async function findAgain<Found>(key: string, find: () => Promise<Found | undefined>) {
    for (const pauseMs of [0, ...NEW_PAUSES_MS]) {
      if (pauseMs > 0) await wait(pauseMs);
      const found = await find();
      if (found !== undefined || !written.has(key)) return found;
    }
    return undefined;
  }

  async function find(key: string): Promise<StoredObject | undefined> {
    toKeySegments(key);
    return findAgain(key, async () => {
      const answer = await client.call({ method: 'HEAD', key }).catch(onMissing);
      if (answer === undefined) return undefined;
      const { 'content-length': size, 'last-modified': modified } = answer.headers;
      return { size: Number(size), modifiedAt: new Date(modified ?? 0) };
    });
  }

  return {
    async put(key, content) {
      toKeySegments(key);
      await write(key, content);
      written.set(key, true);
    },
    async open(key, range, ending) {
      toKeySegments(key);
      const opened = await findAgain(key, () => openObject(client, key, range, ending).catch(onBeyond));
      if (opened === undefined) throw new MissingObjectError(key);
      return opened;
    },
    find,
    has: async (key) => (await find(key)) !== undefined,
    async delete(key) {
      toKeySegments(key);
      written.delete(key);
      await client.call({ method: 'DELETE', key }).catch(onMissing);
    },
    async *list(): AsyncIterable<ListedObject> {
      for await (const { name, size, modifiedAt } of listObjects(client, '')) {
        if (name === MARKER_FILE || name.startsWith(PROBES)) continue;
        yield { key: name, isObject: isKey(name), size, modifiedAt };
      }
    },
    async deleteIncomplete() {
      // Uploads with other names may belong to somebody else, and must not be deleted.
      const before = now() - LEFTOVER_AGE_MS;
      for await (const { key, uploadId, begunAtMs } of listUploads(client, '')) {
        if (begunAtMs < before && isKey(key))
          await client.call({ method: 'DELETE', key, query: { uploadId } }).catch(onMissing);
      }
      for await (const { name, modifiedAt } of listObjects(client, PROBES)) {
        if (modifiedAt.getTime() < before && PROBE.test(name))
          await client.call({ method: 'DELETE', key: name });
      }
    },
    async readMarker() {
      const answer = await client.call({ method: 'GET', key: MARKER_FILE }).catch(onMissing);
      return answer?.text.trim();
    },
    async writeMarker(content) {
      const headers = { 'content-type': 'text/plain' };
      const marker = { method: 'PUT', key: MARKER_FILE, headers, body: Buffer.from(`${content}\n`) } as const;
      await client.call(onlyIfAbsent(marker)).catch(async (error: unknown) => {
        if (isPresent(error)) return;
        if (!isUnsupported(error)) throw error;
        const found = await client.call({ method: 'GET', key: MARKER_FILE }).catch(onMissing);
        if (found === undefined) await client.call(marker);
      });
    },
  };
}

/** Of an object or upload; a missing bucket is an error. */
function onMissing(error: unknown): undefined {
  if (error instanceof S3Refusal && error.status === 404 && error.s3Code !== 'NoSuchBucket') return undefined;
  throw error;
}

/** A range that begins behind the end has no bytes, as in a file. */
function onBeyond(error: unknown): Readable | undefined {
  return error instanceof S3Refusal && error.status === 416 ? Readable.from([]) : onMissing(error);
}
