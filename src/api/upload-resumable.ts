import type { DetailedError, HttpRequest, HttpResponse, HttpStack } from 'tus-js-client';
import { ApiError } from '../../contract/calls/errors.ts';
import {
  RESUMABLE_PIECE_BYTES,
  RESUMABLE_UPLOADS_PATH,
  toUploadId,
} from '../../contract/sounds/resumable-uploads.ts';
import { readApiOrigin } from './origin.ts';
import { isSuccess, readHeader, sendAsMember, toReplyError } from './upload.ts';

/** The host's state of an upload; '' until the host has assigned an id. */
export interface UploadStanding {
  readonly uploadId: string;
  readonly takenBytes: number;
}

export interface ResumableOptions {
  /** '' creates a new upload; so does an id that the host no longer has. */
  readonly uploadId: string;
  readonly signal: AbortSignal;
  onStanding(standing: UploadStanding): void;
  /** Receives the bytes sent so far, including earlier requests. */
  onProgress(sentBytes: number): void;
}

/** A piece without progress for this long counts as lost, even if the browser reports no error. */
const SILENCE_MS_MAX = 60_000;
/** After these responses to the offset request, the library creates a new upload; after others it must not. */
const GONE: ReadonlySet<number> = new Set([403, 404, 410]);

/** Preloads the upload code. */
export function loadResumable(): void {
  void import('tus-js-client').catch(() => undefined);
}

/**
 * Sends the part of a file that the host does not have yet, in pieces, by tus 1.0. A single attempt: a failure is
 * thrown, and the next attempt continues from there. Throws `ApiError` or the reason of an abort; code that fails to
 * load counts as a lost connection.
 */
export async function sendResumable(file: File, options: ResumableOptions): Promise<void> {
  const { signal, onProgress, onStanding } = options;
  const { Upload } = await import('tus-js-client').catch((cause: unknown) => {
    throw new ApiError(0, [], { cause });
  });
  let { uploadId } = options;
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint: toUrl(''),
      ...(uploadId !== '' && { uploadUrl: toUrl(uploadId) }),
      chunkSize: RESUMABLE_PIECE_BYTES,
      httpStack: createStack(signal),
      // The caller decides about retries and stores the state of uploads itself.
      retryDelays: null,
      storeFingerprintForResuming: false,
      onUploadUrlAvailable() {
        const given = toUploadId(upload.url ?? '');
        if (given !== uploadId) onStanding({ uploadId: (uploadId = given), takenBytes: 0 });
      },
      onAfterResponse(_, reply) {
        const takenBytes = Number(reply.getHeader('Upload-Offset') ?? Number.NaN);
        if (takenBytes >= 0) onStanding({ uploadId, takenBytes });
      },
      onProgress: (sentBytes) => onProgress(sentBytes),
      onSuccess: () => resolve(),
      onError: (error) => reject(signal.aborted ? (signal.reason as Error) : toError(error)),
    });
    upload.start();
  });
}

/** Tells the host that an upload is no longer wanted. Throws `ApiError`. */
export async function deleteResumable(uploadId: string): Promise<void> {
  const headers = { 'Tus-Resumable': '1.0.0' };
  const reply = await sendAsMember({ method: 'DELETE', url: toUrl(uploadId), headers });
  if (!isSuccess(reply)) throw toReplyError(reply);
}

function toUrl(uploadId: string): string {
  return readApiOrigin() + RESUMABLE_UPLOADS_PATH + uploadId;
}

/** Transport of the library's requests: like every other call of a member. */
function createStack(signal: AbortSignal): HttpStack {
  return {
    getName: () => 'member',
    createRequest: (method, url) => createRequest(method, url, signal),
  };
}

function createRequest(method: string, url: string, signal: AbortSignal): HttpRequest {
  const headers: Record<string, string> = {};
  let onProgress: (sentBytes: number) => void = () => undefined;
  return {
    getMethod: () => method,
    getURL: () => url,
    setHeader: (name, value) => void (headers[name] = value),
    getHeader: (name) => headers[name],
    setProgressHandler: (handler) => void (onProgress = handler),
    getUnderlyingObject: () => undefined,
    abort: () => Promise.resolve(),
    async send(body: Blob | null) {
      const reply = await sendAsMember({
        method,
        // The address is built from the id: the token is never sent to an address from a reply.
        url: toUrl(toUploadId(url)),
        headers,
        body,
        onProgress,
        signal,
        silenceMsMax: SILENCE_MS_MAX,
      });
      if (method === 'HEAD' && !isSuccess(reply) && !GONE.has(reply.status)) throw toReplyError(reply);
      if (isSuccess(reply) && !isUsable(reply, method, headers)) {
        throw new ApiError(502, [], { kind: 'unexpected-reply' });
      }
      return toResponse(reply);
    },
  };
}

/**
 * Whether the library can go on from a reply. WebKit has sent files of its storage as empty ones; the library would send
 * a piece that does not advance for ever.
 */
function isUsable(reply: XMLHttpRequest, method: string, headers: Readonly<Record<string, string>>): boolean {
  if (method === 'POST') return toUploadId(readHeader(reply, 'location') ?? '') !== '';
  if (method !== 'PATCH') return true;
  return Number(readHeader(reply, 'upload-offset')) > Number(headers['Upload-Offset']);
}

function toResponse(reply: XMLHttpRequest): HttpResponse {
  return {
    getStatus: () => reply.status,
    getHeader: (name) => readHeader(reply, name),
    getBody: () => reply.responseText,
    getUnderlyingObject: () => reply,
  };
}

function toError(error: Error | DetailedError): Error {
  const { causingError, originalResponse } = error as Partial<DetailedError>;
  if (causingError instanceof ApiError) return causingError;
  return originalResponse ? toReplyError(originalResponse.getUnderlyingObject() as XMLHttpRequest) : error;
}
