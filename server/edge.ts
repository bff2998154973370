import { toPageTarget } from '../src/render/page-targets.ts';
import { createParts } from '../contract/site/page-parts.ts';
import { render } from '../src/astro/build/entry.ts';
import { toRenderPage } from './web/rendering.ts';
import { isNoneMatch } from './web/conditions.ts';
import { toPageResponse } from './web/page-response.ts';
import type { HashPage, RenderPage } from './web/page-response.ts';
import { parsePublicSettings } from './web/public-settings.ts';
import { findRoute, toFixedReply } from './web/routes.ts';
import { JSON_HEADERS, toSecurityHeaders } from './web/security-headers.ts';
import type { Header } from './web/security-headers.ts';
import { NOT_FOUND, parseTarget } from './web/targets.ts';
import { FAULT_TEXT, READ_ONLY_TEXT } from './platform/http/reply-texts.ts';

interface Site {
  readonly security: readonly Header[];
  readonly renderPage: RenderPage;
}

/** What the request and its response share. */
interface Exchange {
  readonly request: Request;
  readonly requestId: string;
  readonly security: readonly Header[];
}

/** Opened by the first request, which brings the settings on some platforms. */
let site: Site | undefined;

/**
 * The pages without our process, on any runtime with `fetch` handlers: they call `API_ORIGIN` and nothing else. The
 * answers equal those of `server/web/handler.ts`; the platform serves files, compresses and caches (docs/edge.md).
 * Platforms require a default export.
 */
export default {
  async fetch(request: Request, bindings?: object): Promise<Response> {
    const requestId = crypto.randomUUID();
    try {
      site ??= openSite(bindings);
      return await answer({ request, requestId, security: site.security }, site.renderPage);
    } catch (error) {
      console.error(requestId, error);
      const exchange = { request, requestId, security: site?.security ?? toSecurityHeaders('') };
      return toJson(exchange, 500, { detail: FAULT_TEXT, request_id: requestId });
    }
  },
};

/** Settings are bindings on Workers, and variables of the process on Deno, Bun and Node. Throws `SettingsError`. */
function openSite(bindings: object | undefined): Site {
  const settings = parsePublicSettings({ ...globalThis.process?.env, ...bindings });
  return {
    security: toSecurityHeaders(settings.siteUrl),
    renderPage: toRenderPage(render, {
      settings,
      replies: new Map(),
      reportError: (error, requestId) => console.error(requestId, error),
      warn: console.warn,
    }),
  };
}

async function answer(exchange: Exchange, renderPage: RenderPage): Promise<Response> {
  const { request, requestId, security } = exchange;
  const { pathname, search } = new URL(request.url);
  const { path, query } = parseTarget(pathname + search) ?? NOT_FOUND;
  const route = findRoute(path);
  if (route !== 'page') {
    const [status, body] = toFixedReply(route);
    return toJson(exchange, status, body);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return toJson(exchange, 405, { detail: READ_ONLY_TEXT }, [['allow', 'GET, HEAD']]);
  }
  const parts = createParts();
  const rendered = await renderPage(toPageTarget(path, query), requestId, () => undefined, parts);
  const page = await toPageResponse(rendered, security, hashPage, parts);
  const id: Header = ['x-request-id', requestId];
  if (page.status === 200 && isNoneMatch(request.headers.get('if-none-match') ?? undefined, page.etag)) {
    const headers = page.headers.filter(([name]) => name !== 'content-type');
    return new Response(null, { status: 304, headers: toHeaders([...headers, id]) });
  }
  return new Response(request.method === 'HEAD' ? null : page.body, {
    status: page.status,
    headers: toHeaders([...page.headers, id, ['content-length', String(page.body.byteLength)]]),
  });
}

/** Equals `sendJson` of `server/web/replies.ts`. */
function toJson(
  { request, requestId, security }: Exchange,
  status: number,
  body: object,
  headers: readonly Header[] = [],
): Response {
  const bytes = new TextEncoder().encode(JSON.stringify(body));
  const length: Header = ['content-length', String(bytes.byteLength)];
  return new Response(request.method === 'HEAD' ? null : bytes, {
    status,
    headers: toHeaders([...security, ['x-request-id', requestId], ...JSON_HEADERS, length, ...headers]),
  });
}

const hashPage: HashPage = async (head, body) => {
  const digest = await crypto.subtle.digest('SHA-256', await new Blob([head, body]).arrayBuffer());
  const base64 = btoa(String.fromCharCode(...new Uint8Array(digest)));
  return base64.replaceAll('+', '-').replaceAll('/', '_');
};

function toHeaders(headers: readonly Header[]): Headers {
  return new Headers(headers.map(([name, value]): [string, string] => [name, value]));
}
