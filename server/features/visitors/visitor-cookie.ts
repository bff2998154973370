import { createHash, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { ApiEnv, Platform } from '../../platform/http/http.ts';

const VISITOR_BYTES = 16;
const VISITOR = /^[\w-]{22}$/;

/** By what a visitor's rows are found; '' for a browser that has no cookie of ours. */
export function findVisitor(context: Context<ApiEnv>, siteUrl: string): string {
  const value = getCookie(context, toCookieName(siteUrl)) ?? '';
  return VISITOR.test(value) ? toVisitorKey(value) : '';
}

/**
 * The same for one who begins a download: a browser without a cookie gets one, at random, and any other
 * keeps its own for `keptDays` more. It opens nothing.
 */
export function admitVisitor(
  context: Context<ApiEnv>,
  { siteUrl, webOrigin }: Pick<Platform, 'siteUrl' | 'webOrigin'>,
  keptDays: number,
): string {
  const name = toCookieName(siteUrl);
  const known = getCookie(context, name) ?? '';
  const value = VISITOR.test(known) ? known : randomBytes(VISITOR_BYTES).toString('base64url');
  const secure = siteUrl.startsWith('https:');
  // A browser sends a Lax cookie from no other site's page, and takes any other over https alone.
  const isAcross = secure && webOrigin !== null && webOrigin !== '' && !isSameSite(webOrigin, siteUrl);
  setCookie(context, name, value, {
    path: '/',
    httpOnly: true,
    secure,
    maxAge: keptDays * 86_400,
    ...(isAcross ? { sameSite: 'None', partitioned: true } : { sameSite: 'Lax' }),
  });
  return toVisitorKey(value);
}

/**
 * Whether a page of one origin counts as the other's site, by scheme and host; a host and those below it do.
 * Neighbours (web.example.jp, api.example.jp) count as strangers, since that takes the list of public
 * suffixes: the cookie for strangers works between them as well.
 */
function isSameSite(webOrigin: string, siteUrl: string): boolean {
  const [web, site] = [URL.parse(webOrigin), URL.parse(siteUrl)];
  if (web === null || site === null || web.protocol !== site.protocol) return false;
  const isBelow = (lower: URL, upper: URL) => `.${lower.hostname}`.endsWith(`.${upper.hostname}`);
  return isBelow(web, site) || isBelow(site, web);
}

/** Who reads the tables cannot pretend to be one of these browsers. */
function toVisitorKey(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}

/** As devices.ts names its own. */
function toCookieName(siteUrl: string): string {
  return siteUrl.startsWith('https:') ? '__Host-visitor' : 'visitor';
}
