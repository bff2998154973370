import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { ApiEnv } from './context.ts';
import { Problem } from './problem.ts';
import { QUERY_PARAMS_MAX, truncateQuery } from './query-bounds.ts';

const REQUEST_ID = /^[\w-]{8,64}$/;
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The id that a log line and a reply share: the outer server's, if it has assigned one. */
export const requestId: MiddlewareHandler<ApiEnv> = async (context, next) => {
  const given = context.req.header('x-request-id');
  const id = given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();
  context.set('requestId', id);
  context.header('x-request-id', id);
  await next();
};

/**
 * Refuses changes that another site makes a browser request. `hono/csrf` checks form types only, and refuses clients
 * that send no Origin. Here every unsafe method is checked, and a call without Origin passes only without a cookie,
 * that is, without any authority.
 */
export function sameOriginOnly(webOrigin: string | null, siteUrl: string): MiddlewareHandler<ApiEnv> {
  return async (context, next) => {
    if (!isSafeMethod(context.req.method)) {
      const origin = context.req.header('origin');
      const isTrusted =
        origin === undefined
          ? context.req.header('cookie') === undefined
          : origin === webOrigin || isSameOrigin(context.req.raw, siteUrl);
      if (!isTrusted) throw new Problem(403, '他のサイトからの操作は受け付けられません。');
    }
    await next();
  };
}

/** Whether a method changes nothing (RFC 9110 §9.2.1). */
export function isSafeMethod(method: string): boolean {
  return SAFE_METHODS.has(method);
}

/**
 * Whether the Origin is ours: that of `siteUrl`, or of the requested host, as when a server is used by its network
 * address. A proxy may not forward the browser's Host. The name of a site with TLS is not ours without it: anybody
 * between the browser and the site can write such a page.
 */
export function isSameOrigin({ headers, url }: Request, siteUrl: string): boolean {
  const origin = headers.get('origin');
  const host = headers.get('host') ?? new URL(url).host;
  const isUnencrypted = origin === siteUrl.replace(/^https:/, 'http:');
  return origin === siteUrl || (origin !== null && !isUnencrypted && URL.parse(origin)?.host === host);
}

/** A hundred ids of forty characters, with a margin. */
const QUERY_LENGTH_MAX = 16 * 1024;

/**
 * Refuses a query that is longer than any valid one before it is parsed: 414 for its length, 400 for its parameters.
 */
export const boundedQuery: MiddlewareHandler<ApiEnv> = async ({ req }, next) => {
  const mark = req.url.indexOf('?');
  const query = mark === -1 ? '' : req.url.slice(mark + 1);
  if (query.length > QUERY_LENGTH_MAX) {
    throw new Problem(414, 'アドレスが長すぎます。条件を減らしてお試しください。');
  }
  if (truncateQuery(query) !== query) {
    throw new Problem(400, `指定できる条件は${QUERY_PARAMS_MAX}個までです。条件を減らしてお試しください。`);
  }
  await next();
};
