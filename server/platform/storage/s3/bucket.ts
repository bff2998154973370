import { Readable } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { setTimeout as wait } from 'node:timers/promises';
import { MARKER_FILE, MissingObjectError, isKey, toKeySegments } from '../port.ts';
import type { ListedObject, Storage, StoredObject } from '../port.ts';
import type { S3Answer, S3Client } from './client.ts';
import { S3Refusal } from './failures.ts';
import { openObject } from './reader.ts';
import { createObjectWriter } from './writer.ts';
import { findText, listElements } from './xml.ts';

/** Objects of `checkBucket`, which a killed process may leave. */
export const PROBES = '.probe-';
const PROBE = /^\.probe-[\w-]+$/;
/** Longer than any upload takes between two parts: other processes may be writing. */
const LEFTOVER_AGE_MS = 60 * 60 * 1000;
/** A service that is consistent only after a moment may not know a new object yet. */
const NEW_MS = 5_000;
const NEW_OBJECTS = 1_000;
const NEW_PAUSES_MS = [100, 300, 900];

/** Storage in a bucket, and what is special about one. */
export interface BucketStorage extends Storage {
  /** The content of the object that marks the bucket as that of a site. */
  readMarker(): Promise<string | undefined>;
  /** Keeps an existing marker if the service supports conditional writes. */
  writeMarker(content: string): Promise<void>;
}

/** Storage in a bucket. Every process of a site may use it at the same time. */
export function createBucketStorage(client: S3Client, now: () => number = Date.now): BucketStorage {
  const { prefix } = client.location;
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

  async function* listAll(start: string): AsyncIterable<{ name: string } & StoredObject> {
    let token: string | undefined;
    do {
      const query: Record<string, string> = { 'list-type': '2', prefix: `${prefix}${start}` };
      if (token !== undefined) query['continuation-token'] = token;
      const { text } = await client.call({ method: 'GET', query });
      for (const entry of listElements(text, 'Contents')) {
        const name = findText(entry, 'Key')?.slice(prefix.length) ?? '';
        const modifiedAt = new Date(findText(entry, 'LastModified') ?? 0);
        yield { name, size: Number(findText(entry, 'Size')), modifiedAt };
      }
      token = findText(text, 'IsTruncated') === 'true' ? findText(text, 'NextContinuationToken') : undefined;
    } while (token !== undefined);
  }

  /** Multipart uploads that nobody has finished; their parts are invisible and cost money. */
  async function* listUploads(): AsyncIterable<{ key: string; uploadId: string; begunAtMs: number }> {
    let marker: Record<string, string> | undefined = {};
    while (marker !== undefined) {
      const query: Record<string, string> = { uploads: '', prefix, ...marker };
      const answer: S3Answer | undefined = await client.call({ method: 'GET', query }).catch(onUnsupported);
      if (answer === undefined) return;
      for (const entry of listElements(answer.text, 'Upload')) {
        const key = findText(entry, 'Key') ?? '';
        const uploadId = findText(entry, 'UploadId') ?? '';
        if (!key.startsWith(prefix)) continue;
        yield {
          key: key.slice(prefix.length),
          uploadId,
          begunAtMs: Date.parse(findText(entry, 'Initiated') ?? ''),
        };
      }
      const nextKey = findText(answer.text, 'NextKeyMarker') ?? '';
      const isTruncated: boolean = findText(answer.text, 'IsTruncated') === 'true' && nextKey !== '';
      marker = isTruncated
        ? { 'key-marker': nextKey, 'upload-id-marker': findText(answer.text, 'NextUploadIdMarker') ?? '' }
        : undefined;
    }
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
      for await (const { name, size, modifiedAt } of listAll('')) {
        if (name === MARKER_FILE || name.startsWith(PROBES)) continue;
        yield { key: name, isObject: isKey(name), size, modifiedAt };
      }
    },
    async deleteIncomplete() {
      // Somebody else's names may be addresses of other objects, and may not be deleted.
      const before = now() - LEFTOVER_AGE_MS;
      for await (const { key, uploadId, begunAtMs } of listUploads()) {
        if (begunAtMs < before && isKey(key))
          await client.call({ method: 'DELETE', key, query: { uploadId } }).catch(onMissing);
      }
      for await (const { name, modifiedAt } of listAll(PROBES)) {
        if (modifiedAt.getTime() < before && PROBE.test(name))
          await client.call({ method: 'DELETE', key: name });
      }
    },
    async readMarker() {
      const answer = await client.call({ method: 'GET', key: MARKER_FILE }).catch(onMissing);
      return answer?.text.trim();
    },
    async writeMarker(content) {
      const headers = { 'if-none-match': '*', 'content-type': 'text/plain' };
      const body = Buffer.from(`${content}\n`);
      await client.call({ method: 'PUT', key: MARKER_FILE, headers, body }).catch((error: unknown) => {
        if (!(error instanceof S3Refusal && error.status === 412)) throw error;
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

/** Some services do not list uploads; a rule of the bucket has to end them there. */
function onUnsupported(error: unknown): undefined {
  if (error instanceof S3Refusal && (error.status === 501 || error.status === 405)) return undefined;
  throw error;
}
