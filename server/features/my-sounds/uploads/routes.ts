import type { Context, MiddlewareHandler } from 'hono';
import {
  RESUMABLE_BYTES_MAX,
  RESUMABLE_UPLOADS_PATH,
} from '../../../../contract/sounds/resumable-uploads.ts';
import { Problem } from '../../../platform/http/problem.ts';
import { answerUnknown } from '../../../platform/http/failures.ts';
import { byAddress, byMember } from '../../../platform/http/access.ts';
import { rawRoute } from '../../../platform/http/route.ts';
import { tooLarge } from '../../../platform/http/form-limits.ts';
import type { ApiEnv, Caller, Platform } from '../../../platform/http/context.ts';
import type { Route } from '../../../platform/http/route.ts';
import type { Rule } from '../../../platform/http/access.ts';
import { METADATA_LENGTH_MAX, UPLOAD_CREATIONS, UPLOAD_OPTIONS, UPLOAD_PIECES } from './limits.ts';
import { admitUpload, requireUpload, sumExpected, toExpiry } from './own-uploads.ts';
import type { UploadLocks } from './locks.ts';
import { createProtocol } from './protocol.ts';
import { UploadStore } from './store.ts';

const VERSION = '1.0.0';
const PATH = RESUMABLE_UPLOADS_PATH.replace(/\/$/, '');
/** Headers that are copied from the protocol's replies; all others are set elsewhere. */
const ANSWER_HEADERS = [
  'connection',
  'location',
  'tus-extension',
  'tus-max-size',
  'tus-version',
  'upload-length',
  'upload-offset',
];

/** Headers that a web client on another origin sends and reads. */
export const UPLOAD_HEADERS = {
  sent: ['tus-resumable', 'upload-length', 'upload-metadata', 'upload-offset'],
  answered: ['location', 'tus-resumable', 'upload-expires', 'upload-length', 'upload-offset'],
};

/** What the routes of uploads need: the protocol is made once for each platform. */
export function toUploadDeps(platform: Platform, locks: UploadLocks): UploadDeps {
  platform.storage.room?.watch(() => sumExpected(platform));
  return { platform, protocol: createProtocol(new UploadStore(platform), locks) };
}

export interface UploadDeps {
  readonly platform: Platform;
  readonly protocol: ReturnType<typeof createProtocol>;
}

const UPLOADS = { path: RESUMABLE_UPLOADS_PATH };
const UPLOAD = { path: `${RESUMABLE_UPLOADS_PATH}{id}` };
const OF_OWN: Rule<'member'> = { caller: 'member', owner: 'own', limits: [byMember(UPLOAD_PIECES)] };

/** Uploads in parts, see contract/sounds/resumable-uploads.ts. */
export const UPLOAD_ROUTES: readonly Route<UploadDeps>[] = [
  rawRoute(
    { method: 'OPTIONS', ...UPLOADS },
    { caller: 'anyone', owner: 'nothing', limits: [byAddress(UPLOAD_OPTIONS)] },
    async (context, { protocol }) => {
      context.header('Tus-Resumable', VERSION);
      return pass(context, await protocol.answer(context.req.raw));
    },
  ),

  rawRoute(
    { method: 'POST', ...UPLOADS },
    { caller: 'verified member', owner: 'own', limits: [byMember(UPLOAD_CREATIONS)] },
    async (context, { platform, protocol }, caller) => {
      const sizeBytes = readLength(context);
      const metadata = readMetadata(context);
      const admit = (id: string) => admitUpload(platform, { id, userId: caller.id, sizeBytes, metadata });
      const answer = await protocol.answer(context.req.raw, { admit });
      setExpiryHeader(context, { created_at: platform.clock.now() });
      return pass(context, answer);
    },
  ),

  // HEAD arrives here as well, see Hono.
  rawRoute({ method: 'GET', ...UPLOAD }, OF_OWN, (context, deps, caller) =>
    context.req.method === 'GET' ? answerUnknown(context) : answerOwn(context, deps, caller),
  ),

  rawRoute(
    { method: 'PATCH', ...UPLOAD },
    { caller: 'verified member', owner: 'own', limits: [byMember(UPLOAD_PIECES)] },
    (context, deps, caller) => {
      checkPiece(context);
      return answerOwn(context, deps, caller);
    },
  ),

  rawRoute({ method: 'DELETE', ...UPLOAD }, OF_OWN, answerOwn),
];

/** Passes a call about one of the caller's uploads to the protocol. Throws `Problem` 404. */
async function answerOwn(
  context: Context<ApiEnv>,
  { platform, protocol }: UploadDeps,
  caller: Caller,
): Promise<Response> {
  const { method, raw } = context.req;
  const upload = await requireUpload(platform, context.req.param('id') ?? '', caller.id);
  const answer = await protocol.answer(raw, { id: upload.id });
  if (method !== 'DELETE') setExpiryHeader(context, upload);
  if (method === 'HEAD' && upload.metadata !== '') context.header('Upload-Metadata', upload.metadata);
  return pass(context, answer);
}

/**
 * Adds the protocol's version to every reply under its path, including errors. Throws `Problem` 412 for another
 * version. Runs before the caller is identified.
 */
export const tusVersion: MiddlewareHandler<ApiEnv> = async (context, next) => {
  const { method, path } = context.req;
  const isCall = path === PATH || path.startsWith(`${PATH}/`);
  if (isCall && method !== 'OPTIONS' && method !== 'GET') {
    context.header('Tus-Resumable', VERSION);
    if (context.req.header('tus-resumable') !== VERSION) {
      context.header('Tus-Version', VERSION);
      throw new Problem(412, { 'tus-resumable': `${VERSION} を指定してください。` });
    }
  }
  return next();
};

function readLength(context: Context<ApiEnv>): number {
  for (const name of ['upload-defer-length', 'upload-concat']) {
    if (context.req.header(name) !== undefined) throw new Problem(400, { [name]: '対応していません。' });
  }
  const length = context.req.header('upload-length') ?? '';
  if (!/^\d+$/.test(length)) throw new Problem(400, { 'upload-length': 'サイズを整数で指定してください。' });
  const sizeBytes = Number(length);
  if (sizeBytes > RESUMABLE_BYTES_MAX) throw tooLarge('file', RESUMABLE_BYTES_MAX);
  if (sizeBytes === 0) throw new Problem(400, { file: 'ファイルを選んでください。' });
  return sizeBytes;
}

function readMetadata(context: Context<ApiEnv>): string {
  const metadata = context.req.header('upload-metadata') ?? '';
  if (metadata.length <= METADATA_LENGTH_MAX) return metadata;
  throw new Problem(400, { 'upload-metadata': `${METADATA_LENGTH_MAX}文字以内にしてください。` });
}

function checkPiece({ req }: Context<ApiEnv>): void {
  if (req.header('content-type') !== 'application/offset+octet-stream') {
    throw new Problem(415, 'Content-Type は application/offset+octet-stream にしてください。');
  }
  if (!/^(?:identity)?$/i.test(req.header('content-encoding') ?? '')) {
    throw new Problem(415, '圧縮された本文は受け取れません。');
  }
  if (req.header('upload-offset') === undefined) {
    throw new Problem(400, { 'upload-offset': '続きの位置を指定してください。' });
  }
}

function setExpiryHeader(context: Context<ApiEnv>, upload: { readonly created_at: number }): void {
  context.header('Upload-Expires', new Date(toExpiry(upload)).toUTCString());
}

/** Replies of the protocol have no body. */
function pass(context: Context<ApiEnv>, { status, headers }: Response): Response {
  for (const name of ANSWER_HEADERS) {
    const value = headers.get(name);
    if (value !== null) context.header(name, value);
  }
  return context.body(null, status as 204);
}
