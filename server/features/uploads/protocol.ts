import { ReadableStream } from 'node:stream/web';
import { Server } from '@tus/server';
import type { Upload } from '@tus/server';
import { RESUMABLE_BYTES_MAX, RESUMABLE_UPLOADS_PATH } from '../../../contract/resumable-uploads.ts';
import { randomId } from '../../database/random-id.ts';
import type { UploadLocks } from './locks.ts';
import { toHeaderProblem, toProtocolProblem } from './problems.ts';
import type { UploadStore } from './store.ts';

/** What is left to a piece that somebody else's call asks to stop. */
const FAREWELL_MS = 500;
/** All that the protocol's code is told: a proxy's headers, of which it has an opinion, are not among them. */
const REQUEST_HEADERS = [
  'content-length',
  'content-type',
  'tus-resumable',
  'upload-length',
  'upload-metadata',
  'upload-offset',
];

interface Asked {
  readonly admit: (id: string) => Promise<void>;
  failure?: unknown;
}

/** The tus protocol 1.0 for whoever may use it: members, times and limits are not its matter. */
export interface Protocol {
  /**
   * The answer to a call of an upload's owner; `admit` is asked before one is made of an id that is new.
   * Throws `Problem` for what is refused, and whatever the disk could not do.
   */
  answer(request: Request, admit?: (id: string) => Promise<void>): Promise<Response>;
}

export function createProtocol(store: UploadStore, locks: UploadLocks): Protocol {
  const underWay = new WeakMap<object, Asked>();
  const server = new Server({
    path: RESUMABLE_UPLOADS_PATH.replace(/\/$/, ''),
    datastore: store,
    locker: locks,
    relativeLocation: true,
    lockDrainTimeout: FAREWELL_MS,
    maxSize: RESUMABLE_BYTES_MAX,
    namingFunction: randomId,
    async onUploadCreate(request: object, { id }: Upload) {
      await underWay.get(request)?.admit(id);
      return {};
    },
    onResponseError(request: object, failure: unknown) {
      const asked = underWay.get(request);
      if (asked) asked.failure = failure;
      return undefined;
    },
  });
  return {
    async answer(given, admit = () => Promise.resolve()) {
      const request = toRequest(given);
      const asked: Asked = { admit };
      underWay.set(request, asked);
      const response = await server.handleWeb(request);
      if ('failure' in asked) throw toProtocolProblem(asked.failure);
      if (response.status >= 400) throw toHeaderProblem(await response.text());
      return response;
    },
  };
}

/** A creation carries no bytes; those of a piece are kept as far as they come. */
function toRequest({ url, method, headers, body }: Request): Request {
  const told = REQUEST_HEADERS.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  if (method !== 'PATCH' || body === null) {
    return new Request(url, { method, headers: told.filter(([name]) => !name.startsWith('content-')) });
  }
  const init = { method, headers: told, body: ReadableStream.from(keepArrived(body)), duplex: 'half' };
  return new Request(url, init as unknown as RequestInit);
}

/** A connection that breaks off ends a piece early and no more: what has arrived need not be sent again. */
async function* keepArrived(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk;
  } catch {
    // The client asks how far it came.
  }
}
