import { createHash, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { DAY_SEC } from '../../../contract/values/time-units.ts';
import type { ApiEnv, Platform } from '../../platform/http/context.ts';

const VISITOR_BYTES = 16;
const VISITOR = /^[\w-]{22}$/;

/** The key of a visitor's rows; '' for a browser without our cookie. */
export function findVisitor(context: Context<ApiEnv>, siteUrl: string): string {
  const value = getCookie(context, toCookieName(siteUrl)) ?? '';
  return VISITOR.test(value) ? toVisitorKey(value) : '';
}

/**
 * Same as `findVisitor`, for the start of a download: a browser without a cookie gets a random one, and an existing one
 * is extended by `maxAgeDays`. It grants no access.
 */
export function admitVisitor(
  context: Context<ApiEnv>,
  { siteUrl, webOrigin }: Pick<Platform, 'siteUrl' | 'webOrigin'>,
  maxAgeDays: number,
): string {
  const name = toCookieName(siteUrl);
  const existing = getCookie(context, name) ?? '';
  const value = VISITOR.test(existing) ? existing : randomBytes(VISITOR_BYTES).toString('base64url');
  const secure = siteUrl.startsWith('https:');
  // Browsers send a Lax cookie only from pages of the same site, and accept a SameSite=None cookie only over https.
  const isCrossSite = secure && webOrigin !== null && webOrigin !== '' && !isSameSite(webOrigin, siteUrl);
  setCookie(context, name, value, {
    path: '/',
    httpOnly: true,
    secure,
    maxAge: maxAgeDays * DAY_SEC,
    ...(isCrossSite ? { sameSite: 'None', partitioned: true } : { sameSite: 'Lax' }),
  });
  return toVisitorKey(value);
}

/**
 * Whether two origins belong to the same site, by scheme and host: a host and its subdomains do. Siblings
 * (web.example.jp, api.example.jp) count as different sites, because recognising them requires the public suffix list;
 * the cross-site cookie also works between them.
 */
function isSameSite(webOrigin: string, siteUrl: string): boolean {
  const [web, site] = [URL.parse(webOrigin), URL.parse(siteUrl)];
  if (web === null || site === null || web.protocol !== site.protocol) return false;
  const isBelow = (lower: URL, upper: URL) => `.${lower.hostname}`.endsWith(`.${upper.hostname}`);
  return isBelow(web, site) || isBelow(site, web);
}

/** Hashed, so that reading the tables does not allow impersonating a browser. */
function toVisitorKey(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}

/** Uses the same naming as devices.ts. */
function toCookieName(siteUrl: string): string {
  return siteUrl.startsWith('https:') ? '__Host-visitor' : 'visitor';
}
