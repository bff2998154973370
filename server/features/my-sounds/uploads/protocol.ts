import { ReadableStream } from 'node:stream/web';
import { Server } from '@tus/server';
import type { Upload } from '@tus/server';
import { RESUMABLE_BYTES_MAX, RESUMABLE_UPLOADS_PATH } from '../../../../contract/resumable-uploads.ts';
import { randomId } from '../../../platform/database/database.ts';
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

/** Which upload a call is about: one that its caller is known to own, or a new one that is `admit`ted first. */
export type Asked = { readonly id: string } | { readonly admit: (id: string) => Promise<void> };

interface UnderWay {
  readonly asked: Asked | undefined;
  failure?: unknown;
}

/** The tus protocol 1.0 for whoever may use it: members, times and limits are not its matter. */
export interface Protocol {
  /**
   * The answer to a call, which touches no upload but the one that is asked for, whatever its address says.
   * Throws `Problem` for what is refused, and whatever the disk could not do.
   */
  answer(request: Request, asked?: Asked): Promise<Response>;
}

export function createProtocol(store: UploadStore, locks: UploadLocks): Protocol {
  const underWay = new WeakMap<object, UnderWay>();
  const server = new Server({
    path: RESUMABLE_UPLOADS_PATH.replace(/\/$/, ''),
    datastore: store,
    locker: locks,
    relativeLocation: true,
    lockDrainTimeout: FAREWELL_MS,
    maxSize: RESUMABLE_BYTES_MAX,
    namingFunction: randomId,
    // Its own way takes the end of the whole address, query included: somebody else's upload could stand there.
    getFileIdFromRequest(request: object) {
      const asked = underWay.get(request)?.asked;
      return asked && 'id' in asked ? asked.id : undefined;
    },
    async onUploadCreate(request: object, { id }: Upload) {
      const asked = underWay.get(request)?.asked;
      if (!asked || !('admit' in asked)) throw new Error('nobody has asked for a new upload');
      await asked.admit(id);
      return {};
    },
    onResponseError(request: object, failure: unknown) {
      const call = underWay.get(request);
      if (call) call.failure = failure;
      return undefined;
    },
  });
  return {
    async answer(given, asked) {
      const request = toRequest(given);
      const call: UnderWay = { asked };
      underWay.set(request, call);
      const response = await server.handleWeb(request);
      if ('failure' in call) throw toProtocolProblem(call.failure);
      if (response.status >= 400) throw toHeaderProblem(await response.text());
      return response;
    },
  };
}

/** A creation carries no bytes; those of a piece are kept as far as they come. */
function toRequest({ url: address, method, headers, body }: Request): Request {
  const url = address.replace(/\?.*/s, '');
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
