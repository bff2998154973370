import type { Readable } from 'node:stream';
import { StorageUnavailable } from '../port.ts';
import type { S3Client, S3Request } from './client.ts';
import { S3Refusal } from './failures.ts';
import { escapeXml, findText } from './xml.ts';

/** Larger objects are stored in parts of this size; R2 requires equal parts, and S3 at least 5 MiB. */
export const PART_BYTES = 8 * 1024 * 1024;
/** S3's limit. */
const PARTS_MAX = 10_000;
const FIRST_BYTES = 64 * 1024;
/** A stream that has sent more than this occupies the memory of a part; so many may at a time. */
const SMALL_BYTES = 1024 * 1024;
const LARGE_STREAMS_MAX = 64;

/** Makes a write conditional: services with conditional writes refuse it if the object exists; see `isPresent`. */
export function onlyIfAbsent(request: S3Request): S3Request {
  return { ...request, headers: { ...request.headers, 'if-none-match': '*' } };
}

/** Whether a conditional write was refused because the object exists. */
export function isPresent(error: unknown): boolean {
  return error instanceof S3Refusal && error.status === 412;
}

/** Stores content as an object; of a stream, at most one part is in memory. Nothing is stored when it fails. */
export function createObjectWriter(client: S3Client) {
  let largeStreams = 0;

  async function putWhole(key: string, body: Uint8Array): Promise<void> {
    await client.call({ method: 'PUT', key, headers: toTypeHeaders(body), body });
  }

  /** Parts of `PART_BYTES`, the last one shorter. Each is valid until the next one is asked for. */
  async function* toParts(content: Readable): AsyncGenerator<Uint8Array> {
    let part = Buffer.allocUnsafeSlow(FIRST_BYTES);
    let filled = 0;
    let isLarge = false;
    try {
      for await (const chunk of content as AsyncIterable<Uint8Array>) {
        for (let at = 0; at < chunk.byteLength;) {
          if (filled === PART_BYTES) {
            yield part;
            filled = 0;
          }
          if (filled === part.byteLength) {
            if (filled >= SMALL_BYTES && !isLarge) {
              if (largeStreams >= LARGE_STREAMS_MAX)
                throw new StorageUnavailable('too many large files are being stored at once');
              largeStreams += 1;
              isLarge = true;
            }
            const longer = Buffer.allocUnsafeSlow(Math.min(PART_BYTES, part.byteLength * 4));
            longer.set(part);
            part = longer;
          }
          const bytes = chunk.subarray(at, at + part.byteLength - filled);
          part.set(bytes, filled);
          filled += bytes.byteLength;
          at += bytes.byteLength;
        }
      }
      yield part.subarray(0, filled);
    } finally {
      if (isLarge) largeStreams -= 1;
    }
  }

  return async (key: string, content: Uint8Array | Readable): Promise<void> => {
    if (content instanceof Uint8Array) {
      if (content.byteLength <= PART_BYTES) return putWhole(key, content);
      return putParts(client, key, content.subarray(0, PART_BYTES), slice(content.subarray(PART_BYTES)));
    }
    const parts = toParts(content);
    try {
      const first = await parts.next();
      if (first.done) return;
      if (first.value.byteLength < PART_BYTES) await putWhole(key, first.value);
      else await putParts(client, key, first.value, parts);
    } finally {
      // Also ends the source of a stream that could not be stored.
      await parts.return(undefined);
    }
  };
}

/** Stores an object in parts, each of which stays valid until the next one is asked for. Nothing is stored when it fails. */
export async function putParts(
  client: S3Client,
  key: string,
  first: Uint8Array,
  parts: AsyncIterable<Uint8Array>,
): Promise<void> {
  const headers = toTypeHeaders(first);
  const { text } = await client.call({ method: 'POST', key, query: { uploads: '' }, headers });
  const uploadId = findText(text, 'UploadId') ?? '';
  if (uploadId === '') throw new S3Refusal(200, 'UnusableAnswer', `POST ${key} (uploads)`);
  try {
    const tags: string[] = [];
    let size = 0;
    for await (const body of startWith(first, parts)) {
      if (tags.length === PARTS_MAX) throw new RangeError(`${key} has more than ${PARTS_MAX} parts`);
      const query = { partNumber: String(tags.length + 1), uploadId };
      const { headers } = await client.call({ method: 'PUT', key, query, body });
      tags.push(headers.etag ?? '');
      size += body.byteLength;
    }
    await complete(client, key, uploadId, tags, size);
  } catch (error) {
    // What this leaves is aborted by deleteIncomplete.
    await client.call({ method: 'DELETE', key, query: { uploadId } }).catch(() => undefined);
    throw error;
  }
}

async function complete(
  client: S3Client,
  key: string,
  uploadId: string,
  tags: readonly string[],
  size: number,
): Promise<void> {
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
  );
  const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
  try {
    const headers = { 'content-type': 'application/xml' };
    await client.call({ method: 'POST', key, query: { uploadId }, headers, body });
  } catch (error) {
    // An attempt whose answer was lost may have completed it.
    if (!(error instanceof S3Refusal && error.s3Code === 'NoSuchUpload')) throw error;
    const found = await client.call({ method: 'HEAD', key });
    if (Number(found.headers['content-length']) !== size) throw error;
  }
}

/** For browsers that read the bucket themselves; the server sends the type that it has recorded. */
function toTypeHeaders(body: Uint8Array): Record<string, string> {
  const start = Buffer.from(body.subarray(0, 12)).toString('latin1');
  if (/^RIFF[^]{4}WEBP$/.test(start)) return { 'content-type': 'image/webp' };
  if (/^ID3|^\xff[\xe0-\xff]/.test(start)) return { 'content-type': 'audio/mpeg' };
  if (/^[^]{4}ftyp/.test(start)) return { 'content-type': 'audio/mp4' };
  return {};
}

async function* slice(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.byteLength; at += PART_BYTES) yield content.subarray(at, at + PART_BYTES);
}

async function* startWith<Value>(first: Value, rest: AsyncIterable<Value>): AsyncGenerator<Value> {
  yield first;
  yield* rest;
}
