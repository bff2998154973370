import { parse } from 'hono/utils/cookie';

/** Browsers keep fewer cookies for one site. */
const COOKIES_MAX = 200;

/**
 * Every value of a cookie. A sibling host can add a second cookie of the same name (RFC 6265bis §8.6), which comes
 * first if its path is longer: check all values of a cookie whose name has no `__Host-` prefix.
 */
export function listCookieValues(header: string, name: string): string[] {
  return header.split(';', COOKIES_MAX).flatMap((pair) => parse(pair, name)[name] ?? []);
}
