import type { Context } from 'hono';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { once } from '../../platform/once.ts';
import { GENERAL } from '../../platform/http/access.ts';
import { notFound } from '../../platform/http/problem.ts';
import { rawRoute, withDeps } from '../../platform/http/route.ts';
import type { ApiEnv } from '../../platform/http/context.ts';
import type { Route } from '../../platform/http/route.ts';
import { isNoneMatch, pickEncoding } from '../../web/conditions.ts';
import type { Encoding } from '../../web/conditions.ts';
import type { EveryFeature, Feature } from '../feature.ts';

/** The description of the API for developers, made from the routes of all modules. */
export const apiDocsFeature: Feature = {
  name: 'api docs',
  apiTexts: () => import('./api-texts.ts'),
  createModule: (_, every) => ({ routes: withDeps(({ siteName }) => toReplies(every, siteName), ROUTES) }),
};

export const DOCUMENT_PATH = '/api/openapi.json';
export const DOCS_PATH = '/api/docs';
const DOCS_FILE_PATH = `${DOCS_PATH}/{file}`;

/** The highest, 11, takes 4 s of processor time for the largest file and saves a twelfth. */
const BROTLI_QUALITY = 9;

const KEPT_BY_BROWSERS = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** A reply that is the same until the process ends, in every encoding. */
interface FixedReply {
  readonly etag: string;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bodies: Readonly<Record<Encoding, Uint8Array<ArrayBuffer>>>;
}

interface Replies {
  readonly openJson: () => Promise<FixedReply>;
  readonly openPage: () => Promise<{
    readonly reply: FixedReply;
    readonly files: ReadonlyMap<string, () => Promise<FixedReply>>;
  }>;
}

const ROUTES: readonly Route<Replies>[] = [
  rawRoute({ method: 'GET', path: DOCUMENT_PATH }, GENERAL, async (context, { openJson }) =>
    send(context, await openJson()),
  ),
  rawRoute({ method: 'GET', path: DOCS_PATH }, GENERAL, async (context, { openPage }) =>
    send(context, (await openPage()).reply),
  ),
  rawRoute({ method: 'GET', path: DOCS_FILE_PATH }, GENERAL, async (context, { openPage }) => {
    const openFile = (await openPage()).files.get(context.req.param('file') ?? '');
    if (openFile === undefined) throw notFound();
    return send(context, await openFile());
  }),
];

/** The document of the API, and the page about it with its files, made at their first call. */
function toReplies({ features, listModules }: EveryFeature, siteName: string): Replies {
  const openDocument = once(async () => {
    const { describeApi } = await import('./document.ts');
    return describeApi(features, listModules(), { siteName });
  });
  return {
    openJson: once(async () => toFixedReply(JSON.stringify(await openDocument()), 'application/json')),
    openPage: once(async () => {
      const { PAGE_POLICY, readPageFiles, renderPage } = await import('./page.ts');
      const files = await readPageFiles();
      const { info } = await openDocument();
      const reply = await toFixedReply(renderPage(info, files), 'text/html; charset=utf-8', {
        'Content-Security-Policy': PAGE_POLICY,
      });
      const openFiles = files.map(({ name, type, content }) => {
        return [name, once(async () => toFixedReply(content, type, KEPT_BY_BROWSERS))] as const;
      });
      return { reply, files: new Map(openFiles) };
    }),
  };
}

async function toFixedReply(
  content: string | Buffer,
  type: string,
  headers: FixedReply['headers'] = {},
): Promise<FixedReply> {
  const identity = Buffer.from(content);
  const etag = createHash('sha256').update(identity).digest('base64url').slice(0, 22);
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    promisify(gzip)(identity),
  ]);
  return { etag: `W/"${etag}"`, type, headers, bodies: { identity, br, gzip: gz } };
}

function send(context: Context<ApiEnv>, { etag, type, headers, bodies }: FixedReply): Response {
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  context.header('ETag', etag);
  context.header('Vary', 'Accept-Encoding', { append: true });
  if (isNoneMatch(context.req.header('if-none-match'), etag)) return context.body(null, 304);
  const encoding = pickEncoding(context.req.header('accept-encoding'));
  if (encoding !== 'identity') context.header('Content-Encoding', encoding);
  return context.body(bodies[encoding], 200, { 'Content-Type': type });
}
