import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { MissingObjectError, StorageUnavailable } from '#server/platform/storage/port.ts';
import { createBucketStorage } from '#server/platform/storage/s3/bucket.ts';
import { checkBucket } from '#server/platform/storage/s3/check.ts';
import { createS3Client } from '#server/platform/storage/s3/client.ts';
import { findText, listElements } from '#server/platform/storage/s3/xml.ts';
import { classifyFailure } from '#server/platform/database/drivers/failure.ts';
import { type Fault, type SeenRequest, startS3, startSecondS3 } from '#support/processes/s3.ts';
import { measureProcessorMs } from '#support/processes/processor-time.ts';
import { listKeys } from '#support/files/memory-files.ts';

const MIB = 1024 ** 2;
const LIMITS = { stallMs: 300, totalMs: 5_000, attempts: 4, pauseMs: 5 };

async function open(now?: () => number, limits = LIMITS) {
  const s3 = await startS3(startSecondS3);
  const client = createS3Client(s3.location, limits);
  // A busy machine may need longer than `limits` for a large object that a test only prepares.
  const patient = createBucketStorage(createS3Client(s3.location));
  return { s3, client, patient, storage: createBucketStorage(client, now) };
}

/** The fault for the first so many requests of each kind. */
function first(count: number, fault: Fault) {
  return ({ before }: SeenRequest) => (before < count ? fault : undefined);
}

test.each<[string, Fault]>([
  ['500', { kind: 'answer', status: 500 }],
  ['503 SlowDown', { kind: 'answer', status: 503, body: '<Error><Code>SlowDown</Code></Error>' }],
  ['429', { kind: 'answer', status: 429 }],
  ['a broken connection', { kind: 'refuse' }],
  ['a lost answer', { kind: 'lose' }],
  ['no answer', { kind: 'delay', ms: 300 }],
])('every operation is repeated after %s', async (_name, fault) => {
  const { s3, storage } = await open(undefined, { ...LIMITS, stallMs: 100 });
  s3.onRequest = first(2, fault);
  await storage.put('sounds/a', Buffer.from('content'));
  expect(await storage.find('sounds/a')).toMatchObject({ size: 7 });
  expect(await text(await storage.open('sounds/a'))).toBe('content');
  expect(await listKeys(storage)).toEqual(['sounds/a']);
  await storage.delete('sounds/a');
  expect(await storage.has('sounds/a')).toBe(false);
});

test('a failure that lasts is reported as unavailable storage, without the key', async () => {
  const { s3, storage } = await open();
  s3.onRequest = () => ({ kind: 'answer', status: 503 });
  const error = await storage.put('sounds/a', Buffer.from('x')).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StorageUnavailable);
  expect(classifyFailure(error)).toBe('unavailable');
  expect(s3.seen).toHaveLength(LIMITS.attempts);
  expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain('S3RVER');
});

test('what cannot help is not repeated, and a full bucket is reported as a full disk', async () => {
  const { s3, storage } = await open();
  s3.onRequest = () => ({ kind: 'answer', status: 403, body: '<Error><Code>AccessDenied</Code></Error>' });
  await expect(storage.find('sounds/a')).rejects.toThrow(/403/);
  expect(s3.seen).toHaveLength(1);
  s3.onRequest = () => ({ kind: 'answer', status: 403, body: '<Error><Code>QuotaExceeded</Code></Error>' });
  const error = await storage.put('sounds/a', Buffer.from('x')).catch((thrown: unknown) => thrown);
  expect(classifyFailure(error)).toBe('full');
});

test('a reading goes on after its connection breaks or stalls', async () => {
  const { s3, patient, storage } = await open();
  const content = randomBytes(3 * MIB);
  await patient.put('sounds/a', content);
  for (const kind of ['cut', 'stall'] as const) {
    let cuts = 0;
    s3.onRequest = ({ method }) => (method === 'GET' && (cuts += 1) <= 2 ? { kind, bytes: MIB } : undefined);
    expect((await buffer(await storage.open('sounds/a'))).equals(content)).toBe(true);
    const range = { start: 100, end: 2 * MIB + 99 };
    cuts = 0;
    expect(
      (await buffer(await storage.open('sounds/a', range))).equals(content.subarray(100, 2 * MIB + 100)),
    ).toBe(true);
  }
});

test('a reading that never gets on fails', async () => {
  const { s3, patient, storage } = await open();
  await patient.put('sounds/a', Buffer.alloc(MIB));
  s3.onRequest = () => ({ kind: 'cut', bytes: 0 });
  await expect(storage.open('sounds/a').then((stream) => buffer(stream))).rejects.toBeInstanceOf(
    StorageUnavailable,
  );
});

test('a slow reader is no stalled answer', async () => {
  const { patient, storage } = await open();
  await patient.put('sounds/a', Buffer.alloc(4 * MIB));
  const stream = await storage.open('sounds/a');
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 3 * LIMITS.stallMs));
    bytes += chunk.byteLength;
  }
  expect(bytes).toBe(4 * MIB);
});

test('the request ends with its reader', async () => {
  const { s3, patient, storage } = await open();
  await patient.put('sounds/a', Buffer.alloc(20 * MIB));
  const stream = await storage.open('sounds/a');
  await new Promise((resolve) => stream.once('data', resolve));
  stream.destroy();
  const read = s3.seen.findLast(({ method }) => method === 'GET');
  await expect.poll(() => read?.isBroken).toBe(true);
  expect(read?.bytes).toBeLessThan(20 * MIB);
});

test('parts are of equal size, and are aborted when the source or the storage fails', async () => {
  const { s3, patient, storage } = await open();
  const source = () =>
    Readable.from(
      Array.from({ length: 20 }, () => Buffer.alloc(MIB)),
      { objectMode: false },
    );
  await patient.put('sounds/a', source());
  const sizes = s3.seen.flatMap(({ method, query, headers }) =>
    method === 'PUT' && query.has('partNumber') ? [Number(headers['content-length'])] : [],
  );
  expect(sizes).toEqual([8 * MIB, 8 * MIB, 4 * MIB]);
  expect(s3.uploads.size).toBe(0);

  s3.onRequest = ({ query }) =>
    query.get('partNumber') === '2' ? { kind: 'answer', status: 403 } : undefined;
  const refused = source();
  await expect(storage.put('sounds/b', refused)).rejects.toBeInstanceOf(StorageUnavailable);
  expect(refused.destroyed).toBe(true);
  expect(s3.uploads.size).toBe(0);
  expect(await storage.has('sounds/b')).toBe(false);
});

test('a completed upload whose answer is lost is complete; an error in an answer 200 is one', async () => {
  const { s3, storage } = await open();
  let lost = 0;
  s3.onRequest = ({ method, query }) =>
    method === 'POST' && query.has('uploadId') && (lost += 1) === 1 ? { kind: 'lose' } : undefined;
  await storage.put('sounds/a', Buffer.alloc(9 * MIB));
  expect(lost).toBe(2);
  expect(await storage.find('sounds/a')).toMatchObject({ size: 9 * MIB });

  const body = '<?xml version="1.0"?>\n<Error><Code>InternalError</Code></Error>';
  s3.onRequest = ({ method, query }) =>
    method === 'POST' && query.has('uploadId') ? { kind: 'answer', status: 200, body } : undefined;
  await expect(storage.put('sounds/b', Buffer.alloc(9 * MIB))).rejects.toThrow(/InternalError/);
  expect(await storage.has('sounds/b')).toBe(false);
});

test('an object that was just stored is asked for again if the service does not know it yet', async () => {
  const { s3, storage } = await open();
  await storage.put('sounds/a', Buffer.from('new'));
  let misses = 0;
  s3.onRequest = ({ method }) =>
    method !== 'PUT' && (misses += 1) <= 2 ? { kind: 'answer', status: 404 } : undefined;
  expect(await text(await storage.open('sounds/a'))).toBe('new');
  misses = 0;
  expect(await storage.has('sounds/a')).toBe(true);
  s3.seen.length = 0;
  await expect(storage.open('sounds/never')).rejects.toBeInstanceOf(MissingObjectError);
  expect(s3.seen).toHaveLength(1);
});

test('uploads that nobody finished are aborted after an hour', async () => {
  let now = Date.now();
  const { s3, client, storage } = await open(() => now);
  await client.call({ method: 'POST', key: 'sounds/a', query: { uploads: '' } });
  await client.call({ method: 'PUT', key: '.probe-left', body: Buffer.from('x') });
  await storage.deleteIncomplete();
  expect(s3.uploads.size).toBe(1);
  now += 60 * 60 * 1000 + 60_000;
  await storage.deleteIncomplete();
  expect(s3.uploads.size).toBe(0);
  expect(await client.call({ method: 'HEAD', key: '.probe-left' }).catch(() => 'gone')).toBe('gone');
});

test.each([
  '.probe-/../sounds/a',
  '.probe-x?/../../sounds/a',
  'sounds/../../other/sounds/a',
  'sounds/a?versionId=1',
  'sounds/a#',
  'sounds/a b+%2F..%2F',
])('A15 the name %j of somebody else in the bucket reaches no object', async (name) => {
  const { s3, client, storage } = await open();
  await storage.put('sounds/a', Buffer.from('kept'));
  const [old, key] = ['2020-01-01T00:00:00Z', `${s3.location.prefix}${name}`];
  s3.onRequest = ({ method, query }) => {
    if (method !== 'GET' || query.size === 0) return undefined;
    const body = query.has('uploads')
      ? `<Upload><Key>${key}</Key><UploadId>u</UploadId><Initiated>${old}</Initiated></Upload>`
      : `<Contents><Key>${key}</Key><LastModified>${old}</LastModified><Size>1</Size></Contents>`;
    return { kind: 'answer', status: 200, body };
  };
  await storage.deleteIncomplete();
  expect(s3.seen.filter(({ method }) => method === 'DELETE')).toEqual([]);
  await expect(client.call({ method: 'DELETE', key: name })).rejects.toThrow(RangeError);
  await expect(storage.open(name)).rejects.toThrow(RangeError);
  await expect(storage.delete(name)).rejects.toThrow(RangeError);
  await expect(storage.put(name, Buffer.from('x'))).rejects.toThrow(RangeError);
  expect(await text(await storage.open('sounds/a'))).toBe('kept');
});

test('memory is bounded when many large files arrive at once', async () => {
  const s3 = await startS3(startSecondS3);
  const storage = createBucketStorage(createS3Client(s3.location));
  const streams = Array.from({ length: 70 }, () => {
    const stream = new Readable({ read: () => undefined });
    stream.push(Buffer.alloc(2 * MIB));
    return stream;
  });
  const stored = streams.map((stream, index) =>
    storage.put(`sounds/${index}`, stream).then(
      () => 'stored',
      (error: unknown) => error,
    ),
  );
  await expect.poll(() => streams.filter(({ destroyed }) => destroyed).length).toBe(6);
  for (const stream of streams) if (!stream.destroyed) stream.push(null);
  const results = await Promise.all(stored);
  expect(results.filter((result) => result === 'stored')).toHaveLength(64);
  expect(results.filter((result) => result instanceof StorageUnavailable)).toHaveLength(6);
});

test.each<[string, RegExp, (seen: SeenRequest) => Fault | undefined]>([
  ['no bucket', /has no bucket sounds-of-a-site; create it/, () => answer(404, 'NoSuchBucket')],
  ['a wrong secret', /refuses the signature/, () => answer(403, 'SignatureDoesNotMatch')],
  ['an unknown key', /does not know the access key/, () => answer(403, 'InvalidAccessKeyId')],
  ['a wrong clock', /clock of this machine differs/, () => answer(403, 'RequestTimeTooSkewed')],
  ['another region', /in another region/, () => answer(400, 'AuthorizationHeaderMalformed')],
  ['no right to write', /no right to write/, ({ method }) => deny(method === 'PUT')],
  ['no right to read', /no right to read/, ({ method, query }) => deny(method === 'GET' && query.size === 0)],
  ['no right to list', /no right to list/, ({ query }) => deny(query.has('list-type'))],
  ['parts', /stored in parts/, ({ query }) => refuseIf(query.has('partNumber'), 501)],
  [
    'pages that begin again',
    /listed page by page/,
    ({ query }) =>
      query.has('continuation-token')
        ? {
            kind: 'answer',
            status: 200,
            body: '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>',
          }
        : undefined,
  ],
  [
    'ranges',
    /read in part/,
    ({ headers }) => ('range' in headers ? { kind: 'answer', status: 200, body: 'x' } : undefined),
  ],
  ['signed addresses', /MEDIA_REDIRECT=signed/, ({ query }) => refuseIf(query.has('X-Amz-Signature'), 403)],
  [
    'no right to delete',
    /no right to delete/,
    ({ method, query }) => deny(method === 'DELETE' && !query.has('uploadId')),
  ],
  [
    'no right to abort',
    /and to abort that/,
    ({ query, method }) => deny(method === 'DELETE' && query.has('uploadId')),
  ],
  ['no server', /cannot be reached/, () => ({ kind: 'refuse' })],
])('the check of a bucket names %s in one sentence', async (_name, problem, onRequest) => {
  const { s3, client } = await open();
  expect(await checkBucket(client, { signsAddresses: true })).toEqual([]);
  s3.onRequest = onRequest;
  const error = await checkBucket(client, { signsAddresses: true }).then(
    () => undefined,
    (thrown: unknown) => thrown as Error,
  );
  expect(error?.name).toBe('BucketError');
  expect(error?.message).toMatch(problem);
  expect(error?.message).toMatch(/^STORAGE_URL: [^\n]+\.$/);
  expect(error?.message).not.toContain('S3RVER');
});

test.each<[string, string, (seen: SeenRequest) => Fault | undefined]>([
  ['are refused', 'conditional writes', ({ headers }) => refuseIf(isConditional(headers), 501)],
  ['are not known', 'conditional writes', ({ headers }) => refuseIf(isConditional(headers), 400)],
  [
    'are ignored',
    'conditional writes',
    ({ headers, before }) =>
      isConditional(headers) && before > 0 ? { kind: 'answer', status: 200 } : undefined,
  ],
  [
    'cannot be listed',
    'listing uploads',
    ({ method, query }) => refuseIf(method === 'GET' && query.has('uploads'), 501),
  ],
  [
    'cannot be aborted',
    'aborting uploads',
    ({ method, query }) => refuseIf(method === 'DELETE' && query.has('uploadId'), 405),
  ],
])('the check of a bucket goes on where %s: %s', async (_name, ability, onRequest) => {
  const { s3, client, storage } = await open();
  s3.onRequest = onRequest;
  const missing = await checkBucket(client);
  expect(missing).toEqual([
    {
      ability,
      found: expect.stringMatching(/^The service [^\n]+\.$/),
      loss: expect.stringMatching(/^[^\n]+\.$/),
    },
  ]);
  expect(await listKeys(storage)).toEqual([]);
});

test('the check of a bucket costs sixteen requests, and leaves no object', async () => {
  const { s3, client, storage } = await open();
  await checkBucket(client, { signsAddresses: true });
  expect(s3.seen.length).toBeLessThanOrEqual(16);
  expect(s3.uploads.size).toBe(0);
  expect(await listKeys(storage)).toEqual([]);
});

test.each([
  ['as a service with conditional writes', () => undefined],
  [
    'after a read where the service has none',
    ({ headers }: SeenRequest) => refuseIf(isConditional(headers), 501),
  ],
])('a marker that exists is kept, %s', async (_name, onRequest) => {
  const { s3, storage } = await open();
  s3.onRequest = onRequest;
  expect(await storage.readMarker()).toBeUndefined();
  await storage.writeMarker('first');
  await storage.writeMarker('second');
  expect(await storage.readMarker()).toBe('first');
});

test('texts of XML are decoded', () => {
  const xml = '<A xmlns="x"><Key>a &amp; b&#x2F;&#34;</Key></A><A><Key>&lt;</Key></A>';
  expect(listElements(xml, 'A').map((each) => findText(each, 'Key'))).toEqual(['a & b/"', '<']);
  expect(findText(xml, 'Missing')).toBeUndefined();
});

test.each(['<A>', '<A ', '<A></A ', '<A><A x="'])('an answer of 1 MiB of %s costs little', async (part) => {
  const xml = part.repeat(MIB / part.length);
  const tookMs = await measureProcessorMs(() => [listElements(xml, 'A'), findText(xml, 'A')]);
  expect(tookMs).toBeLessThan(500);
});

function answer(status: number, code: string): Fault {
  return { kind: 'answer', status, body: `<Error><Code>${code}</Code></Error>` };
}

function deny(isDenied: boolean): Fault | undefined {
  return isDenied ? answer(403, 'AccessDenied') : undefined;
}

function isConditional(headers: SeenRequest['headers']): boolean {
  return headers['if-none-match'] === '*';
}

function refuseIf(isRefused: boolean, status: number): Fault | undefined {
  return isRefused ? answer(status, status === 403 ? 'AccessDenied' : 'NotImplemented') : undefined;
}
