import { parseUrl } from '../../../contract/values/urls.ts';

/** All our addresses are shorter. */
const LENGTH_MAX = 2_048;
/** Placeholder origin for resolving an address; no host has this name (RFC 6761). */
const ORIGIN = 'https://site.invalid';

/**
 * Returns the path on our origin that an untrusted text names, as the URL parser reads it; null if it leads to another
 * origin, or to a page that would only redirect again.
 */
export function toSafePath(text: string | null): string | null {
  // The parser drops tabs and line ends and reads `\` as `/`: an address that needs this is rejected.
  if (text === null || text.length > LENGTH_MAX || !/^\/[^\p{Cc}\p{Z}\\]*$/u.test(text)) return null;
  const path = toOwnPath(text);
  // `/.//evil.example` is on our origin when parsed once, but its result is not: parsing must be stable.
  if (path === null || toOwnPath(path) !== path) return null;
  return isEntrance(path) ? null : path;
}

function toOwnPath(text: string): string | null {
  const url = parseUrl(text, ORIGIN);
  return url?.origin === ORIGIN ? url.pathname + url.search + url.hash : null;
}

/** Log-in and registration redirect members, so a log-in must not lead back to them. */
function isEntrance(path: string): boolean {
  const [pathname = ''] = path.split(/[?#]/);
  const plain = pathname.replace(/%([2-7][\da-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return /^\/+(login|register)\/*$/i.test(plain);
}
