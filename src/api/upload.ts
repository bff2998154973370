import { type Endpoint, toCallPath } from '../../contract/calls/endpoint.ts';
import { ApiError } from '../../contract/calls/errors.ts';
import { addCaller, recordChange } from './caller.ts';
import { readJson } from './lenient.ts';
import { toRefusal } from './retries.ts';
import { readApiOrigin } from './origin.ts';
import { renewAccess } from './renewal.ts';
import { isPasswordGiven } from './step-up.ts';
import { readTokens } from './tokens.ts';

export interface UploadOptions {
  readonly params?: Readonly<Record<string, string>>;
  /** Receives the part sent, from 0 to 1. */
  onProgress?(share: number): void;
  readonly signal?: AbortSignal;
}

export interface MemberRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Blob | FormData | null;
  /** Receives the bytes sent and the total. */
  onProgress?(sentBytes: number, totalBytes: number): void;
  readonly signal?: AbortSignal | undefined;
  /** A request without progress for this long counts as lost. */
  readonly silenceMsMax?: number;
}

/** Sends a form with files as the logged-in member. Returns the JSON of the reply. Throws `ApiError`, or the reason of an abort. */
export async function uploadForm(
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  form: FormData,
  { params = {}, onProgress, signal }: UploadOptions = {},
): Promise<unknown> {
  const reply = await sendAsMember({
    method: endpoint.method,
    url: readApiOrigin() + toCallPath(endpoint, params),
    body: form,
    onProgress: (sent, total) => onProgress?.(total > 0 ? sent / total : 0),
    signal,
  });
  if (!isSuccess(reply)) throw toReplyError(reply);
  return readJson(reply.responseText);
}

/**
 * A request with files as the logged-in member. `fetch` reports no upload progress, so this uses XMLHttpRequest; the
 * bearer token, its renewal and the password prompt are those of every other call. Throws `ApiError` when no answer
 * came, or the reason of an abort.
 */
export async function sendAsMember(request: MemberRequest): Promise<XMLHttpRequest> {
  const calledAtMs = performance.now();
  const reply = await sendWithRenewal(request);
  if (reply.status !== 403 || !(await isPasswordGiven(readJson(reply.responseText), calledAtMs)))
    return reply;
  return sendWithRenewal(request);
}

async function sendWithRenewal(request: MemberRequest): Promise<XMLHttpRequest> {
  const access = readTokens()?.access;
  const reply = await send(request, access);
  if (reply.status !== 401 || access === undefined) return reply;
  const renewed = await renewAccess(access);
  return renewed === null ? reply : send(request, renewed);
}

export function isSuccess({ status }: XMLHttpRequest): boolean {
  return status >= 200 && status <= 299;
}

export function toReplyError(reply: XMLHttpRequest): ApiError {
  return toRefusal(reply.status, readJson(reply.responseText), readHeader(reply, 'retry-after'));
}

/** Reading a header by name that another origin does not expose logs an error to the console. */
export function readHeader(reply: XMLHttpRequest, name: string): string | undefined {
  const lines = reply.getAllResponseHeaders().split('\r\n');
  const line = lines.find((text) => text.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return line?.slice(name.length + 1).trim();
}

async function send(
  { method, url, headers, body, onProgress, signal, silenceMsMax }: MemberRequest,
  access: string | undefined,
): Promise<XMLHttpRequest> {
  const allHeaders = await addCaller(new Headers(headers), { method, url }, access);
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const expectMore = () => {
      clearTimeout(timer);
      if (silenceMsMax !== undefined) timer = setTimeout(stop, silenceMsMax);
    };
    request.open(method, url);
    request.withCredentials = true;
    for (const [name, value] of allHeaders) {
      request.setRequestHeader(name, value);
    }
    request.upload.onprogress = ({ loaded, total }) => {
      expectMore();
      onProgress?.(loaded, total);
    };
    request.onload = () => {
      if (!isSuccess(request)) return resolve(request);
      void recordChange(method, url).then(() => resolve(request));
    };
    request.onerror = () => reject(new ApiError(0, []));
    request.onabort = () => reject(signal?.reason ?? new ApiError(0, []));
    request.onloadend = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
    signal?.addEventListener('abort', stop);
    expectMore();
    request.send(body ?? null);
  });
}
