import { createServer, request } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import S3rver from '@20minutes/s3rver';
import { startFauxqs } from 'fauxqs';
import { onTestFinished } from 'vitest';
import { parseBucketAddress } from '#server/platform/storage/s3/address.ts';
import type { BucketLocation } from '#server/platform/storage/s3/address.ts';
import { createS3Client } from '#server/platform/storage/s3/client.ts';
import type { S3Client } from '#server/platform/storage/s3/client.ts';
import { findText, listElements } from '#server/platform/storage/s3/xml.ts';
import { makeFolder } from '#support/files/folders.ts';

const BUCKET = 'sounds-of-a-site';

/** What happens to a request instead of, or after, its way to the S3 server. */
export type Fault =
  /** Answered by the proxy, `after` something else if given. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body?: string;
      readonly after?: Promise<unknown>;
    }
  /** The connection breaks before the request is passed on. */
  | { readonly kind: 'refuse' }
  /** The request is carried out, and its answer is lost. */
  | { readonly kind: 'lose' }
  /** The connection breaks after so many bytes of the answer. */
  | { readonly kind: 'cut'; readonly bytes: number }
  /** Nothing more is sent after so many bytes of the answer. */
  | { readonly kind: 'stall'; readonly bytes: number }
  | { readonly kind: 'delay'; readonly ms: number };

export interface SeenRequest {
  readonly method: string;
  /** The path of the object with its bucket. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** How many requests with this method and path came before. */
  readonly before: number;
}

export interface S3Proxy {
  readonly location: BucketLocation;
  /** `STORAGE_URL` of a site. */
  readonly url: string;
  readonly seen: (SeenRequest & { bytes: number; isBroken: boolean })[];
  /** Multipart uploads that were begun and neither completed nor aborted. */
  readonly uploads: Map<string, { readonly key: string; initiated: string }>;
  /** Decides what happens to each request; nothing by default. */
  onRequest: (seen: SeenRequest) => Fault | undefined;
  /** Stores something that this program would not store. */
  putForeign(name: string): Promise<void>;
}

/** `npm run services` names a real service here, with its key: the tests use it in place of both servers. */
const SERVICE = process.env['S3_SERVICE'];
export const isS3Service = SERVICE !== undefined;

/** s3rver checks signatures and keeps objects in files; fauxqs aborts uploads and lists objects in pages. */
const startFirst = SERVICE === undefined ? startS3rver : startService;
export const startSecondS3 = SERVICE === undefined ? startFaux : startService;
interface S3Server {
  readonly name: string;
  readonly start: () => Promise<number>;
}
export const S3_SERVERS: readonly [S3Server, ...S3Server[]] =
  SERVICE === undefined
    ? [
        { name: 's3rver', start: startFirst },
        { name: 'fauxqs', start: startSecondS3 },
      ]
    : [{ name: 'a real service', start: startService }];

function readService(): BucketLocation {
  const parsed = parseBucketAddress(SERVICE ?? '', { accessKeyId: '', secretAccessKey: '' });
  if (typeof parsed === 'string') throw new Error(`S3_SERVICE ${parsed}`);
  return parsed;
}

/** The address names a bucket that is not used: each test has a new one. */
async function startService(): Promise<number> {
  return Number(new URL(readService().origin).port);
}

let buckets = 0;
async function makeBucket(): Promise<string> {
  const bucket = `${BUCKET}-${process.pid}-${(buckets += 1)}-${Date.now()}`;
  await createS3Client({ ...readService(), bucket }).call({ method: 'PUT' });
  return bucket;
}

function toCredentials(): Pick<BucketLocation, 'accessKeyId' | 'secretAccessKey'> {
  const { accessKeyId, secretAccessKey } = readService();
  return { accessKeyId, secretAccessKey };
}

async function startS3rver(): Promise<number> {
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: await makeFolder(),
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET }],
  });
  const { port } = await server.run();
  onTestFinished(() => server.close());
  return port;
}

async function startFaux(): Promise<number> {
  const server = await startFauxqs({ port: 0, logger: false });
  server.createBucket(BUCKET);
  onTestFinished(() => server.stop());
  return server.port;
}

/**
 * An S3 server on loopback behind a proxy that injects faults. For the servers of npm the proxy also lists multipart
 * uploads, refuses conditional writes, and lists in pages of a given size, as the API describes
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/API_ListMultipartUploads.html, …/API_PutObject.html).
 */
export async function startS3(start: () => Promise<number> = startFirst, prefix = 'site/'): Promise<S3Proxy> {
  const target = await start();
  const isService = start === startService;
  const counts = new Map<string, number>();
  const server = createServer((req, res) => void handle(req, res));
  const port = await listen(server);
  const location = {
    origin: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    bucket: isService ? await makeBucket() : BUCKET,
    prefix,
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    ...(isService && toCredentials()),
  };
  const proxy: S3Proxy = {
    location,
    url: `s3://${encodeURIComponent(location.accessKeyId)}:${location.secretAccessKey}@127.0.0.1:${port}/${location.bucket}/${prefix}?tls=off`,
    seen: [],
    uploads: new Map(),
    onRequest: () => undefined,
    async putForeign(name) {
      // A server that checks signatures accepts this one as well: it is signed like all others.
      await createS3Client(location).call({ method: 'PUT', key: name, body: Buffer.from('foreign') });
    },
  };

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const url = new URL(req.url ?? '', location.origin);
    const method = req.method ?? '';
    const name = `${method} ${url.pathname}`;
    const before = counts.get(name) ?? 0;
    counts.set(name, before + 1);
    const seen = {
      method,
      path: url.pathname,
      query: url.searchParams,
      headers: req.headers,
      before,
      bytes: 0,
      isBroken: false,
    };
    proxy.seen.push(seen);
    res.on('close', () => (seen.isBroken = !res.writableFinished));
    const fault = proxy.onRequest(seen);
    if (fault?.kind === 'refuse') return void req.socket.destroy();
    if (fault?.kind === 'answer') {
      req.resume();
      await fault.after;
      res.writeHead(fault.status, { 'content-type': 'application/xml' });
      return void res.end(fault.body ?? '');
    }
    if (fault?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.ms));
    if (!isService && (await answerMissing(seen, req, res))) return;
    const passed = request(
      { host: '127.0.0.1', port: target, method, path: req.url, headers: req.headers },
      (answer) => void passBack(seen, answer, res, fault),
    );
    // Bytes after the answer to HEAD are an error of the connection, and the answer is complete.
    passed.on('error', () => (method === 'HEAD' && res.headersSent) || res.destroy());
    res.on('close', () => passed.destroy());
    req.pipe(passed);
  }

  async function passBack(
    seen: S3Proxy['seen'][number],
    answer: IncomingMessage,
    res: ServerResponse,
    fault: Fault | undefined,
  ): Promise<void> {
    const isUpload = seen.method === 'POST' && seen.query.has('uploads');
    let text = '';
    const headers = { ...answer.headers };
    // Swift announces a body to HEAD, and sends its end.
    const isHead = seen.method === 'HEAD';
    if (isHead) delete headers['transfer-encoding'];
    if (fault?.kind !== 'lose') res.writeHead(answer.statusCode ?? 0, headers);
    const limit = fault?.kind === 'cut' || fault?.kind === 'stall' ? fault.bytes : Infinity;
    try {
      for await (const chunk of isHead ? [] : (answer as AsyncIterable<Buffer>)) {
        if (isUpload) text += chunk.toString();
        if (fault?.kind === 'lose') continue;
        const part = chunk.subarray(0, limit - seen.bytes);
        seen.bytes += part.byteLength;
        if (!res.write(part)) await drained(res);
        if (res.destroyed) return;
        if (seen.bytes >= limit) return fault?.kind === 'cut' ? void res.destroy() : undefined;
      }
    } catch {
      return void res.destroy();
    }
    track(seen, answer, text);
    if (fault?.kind === 'lose') res.destroy();
    else res.end();
  }

  /** Answers what the servers lack. */
  async function answerMissing(
    { method, path, query, headers }: SeenRequest,
    req: IncomingMessage,
    res: ServerResponse,
  ): Promise<boolean> {
    if (method === 'GET' && query.has('uploads')) {
      res.end(listUploads());
      return true;
    }
    const client = createS3Client({ ...location, origin: `http://127.0.0.1:${target}`, prefix: '' });
    if (method === 'PUT' && headers['if-none-match'] === '*') {
      const key = path.slice(`/${location.bucket}/`.length);
      if (
        !(await client.call({ method: 'HEAD', key }).then(
          () => true,
          () => false,
        ))
      )
        return false;
      req.resume();
      res.writeHead(412).end('<Error><Code>PreconditionFailed</Code></Error>');
      return true;
    }
    const pageSize = query.get('max-keys');
    if (method === 'GET' && query.get('list-type') === '2' && pageSize !== null) {
      res.end(await listPage(client, query, Number(pageSize)));
      return true;
    }
    return false;
  }

  /** s3rver makes tokens with a cipher that Node no longer has. */
  async function listPage(client: S3Client, query: URLSearchParams, size: number): Promise<string> {
    const token = query.get('continuation-token');
    const prefix = query.get('prefix') ?? '';
    const { text } = await client.call({ method: 'GET', query: { 'list-type': '2', prefix } });
    const entries = listElements(text, 'Contents').filter(
      (entry) => token === null || (findText(entry, 'Key') ?? '') > token,
    );
    const shown = entries.slice(0, size);
    const isTruncated = entries.length > size;
    const next = isTruncated
      ? `<NextContinuationToken>${findText(shown.at(-1) ?? '', 'Key')}</NextContinuationToken>`
      : '';
    const contents = shown.map((entry) => `<Contents>${entry}</Contents>`).join('');
    return `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents}</ListBucketResult>`;
  }

  function track({ method, path, query }: SeenRequest, { statusCode }: IncomingMessage, text: string): void {
    const begun = /<UploadId>([^<]+)</.exec(text)?.[1];
    const key = path.slice(`/${location.bucket}/`.length);
    if (begun !== undefined) proxy.uploads.set(begun, { key, initiated: new Date().toISOString() });
    const ended = query.get('uploadId');
    if (ended !== null && method !== 'PUT' && (statusCode ?? 500) < 300) proxy.uploads.delete(ended);
  }

  function listUploads(): string {
    const entries = [...proxy.uploads].map(
      ([id, { key, initiated }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${initiated}</Initiated></Upload>`,
    );
    return `<?xml version="1.0"?><ListMultipartUploadsResult xmlns="x"><IsTruncated>false</IsTruncated>${entries.join('')}</ListMultipartUploadsResult>`;
  }

  return proxy;
}

function drained(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done).off('close', done);
      resolve();
    };
    res.on('drain', done).on('close', done);
  });
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}
