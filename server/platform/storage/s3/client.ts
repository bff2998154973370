import { createHash } from 'node:crypto';
import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import type { BucketLocation } from './address.ts';
import { S3Refusal, S3Unreachable, isRepeatable } from './failures.ts';
import { createS3Signer } from './signing.ts';
import { findText } from './xml.ts';

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Without the prefix; absent for the bucket. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Kept until the answer, so that it can be sent again. */
  readonly body?: Uint8Array;
}

export interface S3Answer {
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** Limits of requests; tests use shorter times. */
export interface S3Limits {
  /** Without any progress for this long, a request or an answer has failed. */
  readonly stallMs: number;
  /** For all attempts of a call, until its answer begins. */
  readonly totalMs: number;
  readonly attempts: number;
  /** The longest first pause; each further one is twice as long. Half of it and more is random. */
  readonly pauseMs: number;
}

export const S3_LIMITS: S3Limits = { stallMs: 20_000, totalMs: 120_000, attempts: 5, pauseMs: 200 };

const PAUSE_MS_MAX = 5_000;
/** Further requests wait for a connection, as long as `totalMs` permits. */
const CALLS_MAX = 64;
/** Of visitors and members who read at their own pace; short calls must not wait for them. */
const READERS_MAX = 512;
/** A page of a listing has about half a megabyte. */
const TEXT_BYTES_MAX = 16 * 1024 * 1024;

/** Requests to one bucket. All of a process share its connections. */
export interface S3Client {
  readonly location: BucketLocation;
  readonly limits: S3Limits;
  /** The answer, read to its end. Throws `S3Refusal` for an error, and `S3Unreachable`; both after repeating what can help. */
  call(request: S3Request): Promise<S3Answer>;
  /** An answer whose body the caller reads or destroys. `ending` destroys it as well. */
  open(request: S3Request, ending: AbortSignal): Promise<IncomingMessage>;
}

/** Creates a client; connections are opened by its first calls. */
export function createS3Client(location: BucketLocation, limits: S3Limits = S3_LIMITS): S3Client {
  const isHttps = location.origin.startsWith('https:');
  const Agent = isHttps ? HttpsAgent : HttpAgent;
  const callers = new Agent({ keepAlive: true, maxSockets: CALLS_MAX });
  const readers = new Agent({ keepAlive: true, maxSockets: READERS_MAX });
  const start = isHttps ? requestHttps : requestHttp;
  const signRequest = createS3Signer(location);

  async function sign({ method, key, query = {}, headers = {}, body }: S3Request) {
    const path = key === undefined ? location.bucket : `${location.bucket}/${location.prefix}${key}`;
    const url = new URL(`${location.origin}/${path}`);
    // Dot segments, a question mark or a hash would make it the address of another object.
    if (url.pathname !== `/${encodeURI(path)}`)
      throw new RangeError(`no address of an object: ${JSON.stringify(path)}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('hex');
    // Buckets with Object Lock require it (https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html).
    const checksum: Record<string, string> =
      method === 'PUT' && body !== undefined
        ? { 'Content-MD5': createHash('md5').update(body).digest('base64') }
        : {};
    const all = { ...headers, ...checksum, 'X-Amz-Content-Sha256': hash };
    return signRequest({ method, url: url.href, headers: all });
  }

  /** One attempt. `deadline` covers it until the answer begins. */
  async function send(request: S3Request, agent: HttpAgent, ending: AbortSignal, deadline: AbortSignal) {
    const { url, headers } = await sign(request);
    const { body, method } = request;
    return new Promise<IncomingMessage>((resolve, reject) => {
      const length = body?.byteLength ?? 0;
      const httpRequest: ClientRequest = start(url, {
        method,
        agent,
        signal: ending,
        headers: {
          ...Object.fromEntries(headers),
          ...(length > 0 || method === 'PUT' || method === 'POST' ? { 'content-length': length } : {}),
        },
      });
      const giveUp = () => void httpRequest.destroy(toTimeout('no answer in time'));
      deadline.addEventListener('abort', giveUp, { once: true });
      httpRequest.setTimeout(limits.stallMs, () => httpRequest.destroy(toTimeout('no progress')));
      httpRequest.on('close', () => deadline.removeEventListener('abort', giveUp));
      httpRequest.on('error', reject);
      httpRequest.on('response', (response) => {
        deadline.removeEventListener('abort', giveUp);
        // From here the reader decides what is too slow: it may be slow itself.
        httpRequest.setTimeout(0);
        resolve(response);
      });
      httpRequest.end(body);
    });
  }

  /** Repeats attempts that failed in a way that may pass. */
  async function repeat<Result>(
    request: S3Request,
    ending: AbortSignal,
    attempt: (deadline: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const deadline = AbortSignal.timeout(limits.totalMs);
    for (let count = 1; ; count += 1) {
      try {
        return await attempt(deadline);
      } catch (error) {
        ending.throwIfAborted();
        if (error instanceof TypeError || error instanceof RangeError) throw error;
        const failure = error instanceof S3Refusal ? error : new S3Unreachable(describe(request), error);
        const isLast = count >= limits.attempts || deadline.aborted || !isRepeatable(failure);
        if (isLast) throw failure;
        const pauseMs = Math.min(PAUSE_MS_MAX, limits.pauseMs * 2 ** (count - 1));
        await wait(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: ending });
      }
    }
  }

  return {
    location,
    limits,
    call(request) {
      const never = new AbortController().signal;
      return repeat(request, never, async (deadline) => {
        const response = await send(request, callers, never, deadline);
        const text = await readText(response, limits.stallMs);
        requireSuccess(request, response, text);
        return { headers: response.headers, text };
      });
    },
    open(request, ending) {
      return repeat(request, ending, async (deadline) => {
        const response = await send(request, readers, ending, deadline);
        if (!isSuccess(response)) requireSuccess(request, response, await readText(response, limits.stallMs));
        return response;
      });
    },
  };
}

/** Also of an answer 200 that contains an error, which S3 sends if it fails late (CompleteMultipartUpload). */
function requireSuccess(request: S3Request, response: IncomingMessage, text: string): void {
  const isError = /^\s*(?:<\?xml[^>]*>\s*)?<Error[\s>]/.test(text);
  if (isSuccess(response) && !isError) return;
  const status = isSuccess(response) ? 500 : (response.statusCode ?? 0);
  const code = findText(text, 'Code') ?? '';
  throw new S3Refusal(status, /^[A-Za-z.]{1,80}$/.test(code) ? code : '', describe(request));
}

function isSuccess({ statusCode = 0 }: IncomingMessage): boolean {
  return statusCode >= 200 && statusCode < 300;
}

async function readText(response: IncomingMessage, stallMs: number): Promise<string> {
  const stall = setTimeout(() => response.destroy(toTimeout('no progress')), stallMs);
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if ((bytes += chunk.byteLength) > TEXT_BYTES_MAX) throw new RangeError('the answer is too large');
      chunks.push(chunk);
      stall.refresh();
    }
    return Buffer.concat(chunks).toString();
  } finally {
    clearTimeout(stall);
  }
}

/** `PUT sounds/ab12…`: without the address, and without anything of the signature. */
function describe({ method, key, query = {} }: S3Request): string {
  const [operation] = Object.keys(query);
  return `${method} ${key ?? 'the bucket'}${operation === undefined ? '' : ` (${operation})`}`;
}

function toTimeout(message: string): Error {
  return Object.assign(new Error(message), { code: 'ETIMEDOUT' });
}
