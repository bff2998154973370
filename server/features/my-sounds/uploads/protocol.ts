import { ReadableStream } from 'node:stream/web';
import { Server } from '@tus/server';
import type { Upload } from '@tus/server';
import {
  RESUMABLE_BYTES_MAX,
  RESUMABLE_UPLOADS_PATH,
} from '../../../../contract/sounds/resumable-uploads.ts';
import { randomId } from '../../../platform/database/statements/random-id.ts';
import type { UploadLocks } from './locks.ts';
import { toHeaderProblem, toProtocolProblem } from './problems.ts';
import type { UploadStore } from './store.ts';

/** Time for a part to finish when another call asks it to stop. */
const LOCK_DRAIN_MS = 500;
/** The only request headers passed to the protocol library; it would also interpret those of a proxy. */
const REQUEST_HEADERS = [
  'content-length',
  'content-type',
  'tus-resumable',
  'upload-length',
  'upload-metadata',
  'upload-offset',
];

/** The upload of a call: one that the caller owns, or a new one that `admit` accepts first. */
export type RequestedUpload = { readonly id: string } | { readonly admit: (id: string) => Promise<void> };

interface PendingCall {
  readonly requested: RequestedUpload | undefined;
  failure?: unknown;
}

/** The tus protocol 1.0 for authorised calls. Does not handle members, times and limits. */
export interface Protocol {
  /**
   * Answers a call, using only the given upload, whatever the address says. Throws `Problem` for rejected calls, and
   * errors of the disk.
   */
  answer(request: Request, requested?: RequestedUpload): Promise<Response>;
}

export function createProtocol(store: UploadStore, locks: UploadLocks): Protocol {
  const underWay = new WeakMap<object, PendingCall>();
  const server = new Server({
    path: RESUMABLE_UPLOADS_PATH.replace(/\/$/, ''),
    datastore: store,
    locker: locks,
    relativeLocation: true,
    lockDrainTimeout: LOCK_DRAIN_MS,
    maxSize: RESUMABLE_BYTES_MAX,
    namingFunction: randomId,
    // The default takes the end of the whole address, including the query, which could name another member's upload.
    getFileIdFromRequest(request: object) {
      const requested = underWay.get(request)?.requested;
      return requested && 'id' in requested ? requested.id : undefined;
    },
    async onUploadCreate(request: object, { id }: Upload) {
      const requested = underWay.get(request)?.requested;
      if (!requested || !('admit' in requested)) throw new Error('unexpected creation of an upload');
      await requested.admit(id);
      return {};
    },
    onResponseError(request: object, failure: unknown) {
      const call = underWay.get(request);
      if (call) call.failure = failure;
      return undefined;
    },
  });
  return {
    async answer(given, requested) {
      const request = toRequest(given);
      const call: PendingCall = { requested };
      underWay.set(request, call);
      const response = await server.handleWeb(request);
      if ('failure' in call) throw toProtocolProblem(call.failure);
      if (response.status >= 400) throw toHeaderProblem(await response.text());
      return response;
    },
  };
}

/** A creation carries no bytes; bytes of a part are stored as far as they arrive. */
function toRequest({ url: address, method, headers, body }: Request): Request {
  const url = address.replace(/\?.*/s, '');
  const forwarded = REQUEST_HEADERS.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  if (method !== 'PATCH' || body === null) {
    return new Request(url, { method, headers: forwarded.filter(([name]) => !name.startsWith('content-')) });
  }
  const init = {
    method,
    headers: forwarded,
    body: ReadableStream.from(ignoreDisconnect(body)),
    duplex: 'half',
  };
  return new Request(url, init as unknown as RequestInit);
}

/** A broken connection only ends a part early: bytes that have arrived need not be sent again. */
async function* ignoreDisconnect(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk;
  } catch {
    // The client requests the current offset.
  }
}
