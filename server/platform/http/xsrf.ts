import { randomBytes } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { setCookie } from 'hono/cookie';
import type { ApiEnv } from './context.ts';
import { listCookieValues } from './cookies.ts';
import { isSafeMethod, isSameOrigin } from './guards.ts';
import { Problem } from './problem.ts';

/** Names that the client knows (spec §7). */
const XSRF_COOKIE = 'XSRF-TOKEN';
const XSRF_HEADER = 'x-xsrf-token';
const XSRF_BYTES = 24;

/**
 * The second check after `sameOriginOnly`: our pages repeat in a header the value of a cookie that only they can read.
 * Applies to changes and members' calls, not to public reads. A web client on another origin cannot read the cookie, so
 * its Origin is checked instead.
 */
export function xsrfToken(siteUrl: string): MiddlewareHandler<ApiEnv> {
  const secure = siteUrl.startsWith('https:');
  return async (context, next) => {
    const isChange = !isSafeMethod(context.req.method);
    const tokens = listCookieValues(context.req.header('cookie') ?? '', XSRF_COOKIE).filter(
      (value) => value !== '',
    );
    if (tokens.length === 0) {
      if (isChange || context.req.header('authorization') !== undefined) {
        const token = randomBytes(XSRF_BYTES).toString('base64url');
        setCookie(context, XSRF_COOKIE, token, { path: '/', sameSite: 'Lax', secure });
      }
    } else if (
      isChange &&
      isSameOrigin(context.req.raw, siteUrl) &&
      !tokens.includes(context.req.header(XSRF_HEADER) ?? '')
    ) {
      throw new Problem(403, '操作を確認できませんでした。ページを再読み込みしてお試しください。');
    }
    await next();
  };
}
