import { type Endpoint, toCallPath } from '../../contract/endpoint.ts';
import { ApiError } from '../../contract/errors.ts';
import { addCaller } from './caller.ts';
import { toRefusal } from './client.ts';
import { readApiOrigin } from './origin.ts';
import { readTokens } from './tokens.ts';

export interface UploadOptions {
  readonly params?: Readonly<Record<string, string>>;
  /** Hears how much has left, from 0 to 1. */
  onProgress?(share: number): void;
  readonly signal?: AbortSignal;
}

/**
 * Sends a form with files as whoever is logged in. `fetch` cannot tell how much has been sent, so this
 * goes by XMLHttpRequest; the bearer token, its renewal and errors are those of every other call.
 * Throws `ApiError`, or the reason of an abort.
 */
export async function uploadForm(
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  form: FormData,
  options: UploadOptions = {},
): Promise<void> {
  const url = readApiOrigin() + toCallPath(endpoint, options.params ?? {});
  const access = readTokens()?.access;
  let reply = await send(endpoint.method, url, form, access, options);
  if (reply.status === 401 && access !== undefined) {
    const { renewAccess } = await import('./renewal.ts');
    const renewed = await renewAccess(access);
    if (renewed !== null) reply = await send(endpoint.method, url, form, renewed, options);
  }
  if (reply.status < 200 || reply.status > 299) {
    throw toRefusal(reply.status, readJson(reply.responseText), readRetryAfter(reply));
  }
}

function send(
  method: string,
  url: string,
  form: FormData,
  access: string | undefined,
  { onProgress, signal }: UploadOptions,
): Promise<XMLHttpRequest> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open(method, url);
    request.withCredentials = true;
    for (const [name, value] of addCaller(new Headers(), url, access)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
    request.onload = () => resolve(request);
    request.onerror = () => reject(new ApiError(0, []));
    request.onabort = () => reject(signal?.reason ?? new ApiError(0, []));
    signal?.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });
}

/** Asked for by name, a header that another origin does not expose is an error in the console. */
function readRetryAfter(reply: XMLHttpRequest): string | undefined {
  return /^retry-after:\s*(\S+)/im.exec(reply.getAllResponseHeaders())?.[1];
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
