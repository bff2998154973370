import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { Context } from 'hono';
import { READS, rawRoute, withDeps } from '../../platform/http/http.ts';
import type { ApiEnv, Module, Route, Rule } from '../../platform/http/http.ts';
import { isNoneMatch, pickEncoding } from '../../web/conditions.ts';
import type { Encoding } from '../../web/conditions.ts';

const GENERAL: Rule<'anyone'> = { caller: 'anyone', owner: 'nothing', limits: [READS] };

export const DOCUMENT_PATH = '/api/openapi.json';
export const DOCS_PATH = '/api/docs';

/** A reply that is the same until the process ends, in every encoding. */
interface FixedReply {
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: Readonly<Record<Encoding, Uint8Array<ArrayBuffer>>>;
}

interface Replies {
  readonly json: () => Promise<FixedReply>;
  readonly page: () => Promise<FixedReply>;
}

/** The document of the API and the page about it, made at their first call. `listModules` is called then. */
export function toApiDocsRoutes(listModules: () => readonly Module[]): readonly Route[] {
  return withDeps<Replies>(
    ({ siteName }) => {
      const openDocument = once(async () => {
        const { describeApi } = await import('./document.ts');
        return describeApi(listModules(), { siteName });
      });
      return {
        json: once(async () =>
          toFixedReply(JSON.stringify(await openDocument()), { 'Content-Type': 'application/json' }),
        ),
        page: once(async () => {
          const { DOCS_POLICY, renderDocs } = await import('./page.ts');
          return toFixedReply(renderDocs(await openDocument()), {
            'Content-Type': 'text/html; charset=utf-8',
            'Content-Security-Policy': DOCS_POLICY,
          });
        }),
      };
    },
    [
      rawRoute({ method: 'GET', path: DOCUMENT_PATH }, GENERAL, async (context, { json }) =>
        send(context, await json()),
      ),
      rawRoute({ method: 'GET', path: DOCS_PATH }, GENERAL, async (context, { page }) =>
        send(context, await page()),
      ),
    ],
  );
}

/** Runs `make` for the first caller and keeps its result; a failure is tried again. */
function once<Made>(make: () => Promise<Made>): () => Promise<Made> {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

async function toFixedReply(text: string, headers: FixedReply['headers']): Promise<FixedReply> {
  const identity = Buffer.from(text);
  const etag = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  const [br, gz] = await Promise.all([promisify(brotliCompress)(identity), promisify(gzip)(identity)]);
  return { etag: `W/"${etag}"`, headers, bodies: { identity, br, gzip: gz } };
}

function send(context: Context<ApiEnv>, { etag, headers, bodies }: FixedReply): Response {
  context.header('ETag', etag);
  context.header('Vary', 'Accept-Encoding', { append: true });
  if (isNoneMatch(context.req.header('if-none-match'), etag)) return context.body(null, 304);
  const encoding = pickEncoding(context.req.header('accept-encoding'));
  if (encoding !== 'identity') context.header('Content-Encoding', encoding);
  return context.body(bodies[encoding], 200, { ...headers });
}
