/** Longer addresses than this no page of ours has. */
const LENGTH_MAX = 2_048;
/** Stands for our own origin while an address is tried; no host has this name (RFC 6761). */
const ORIGIN = 'https://site.invalid';

/**
 * The path of our own that a text from outside names, as the URL parser reads it; null when it leads
 * to another origin, or to a page that would only send its visitor on.
 */
export function toSafePath(text: string | null): string | null {
  // The parser drops tabs and line ends and takes `\` for `/`: what needs that to be an address is none.
  if (text === null || text.length > LENGTH_MAX || !/^\/[^\p{Cc}\p{Z}\\]*$/u.test(text)) return null;
  const path = toOwnPath(text);
  // `/.//evil.example` is ours when read once, but what it comes to is not: it has to stay the same.
  if (path === null || toOwnPath(path) !== path) return null;
  return isEntrance(path) ? null : path;
}

function toOwnPath(text: string): string | null {
  if (!URL.canParse(text, ORIGIN)) return null;
  const { origin, pathname, search, hash } = new URL(text, ORIGIN);
  return origin === ORIGIN ? pathname + search + hash : null;
}

/** Log-in and registration send members on, and a log-in that leads to them leads nowhere. */
function isEntrance(path: string): boolean {
  const [pathname = ''] = path.split(/[?#]/);
  const plain = pathname.replace(/%([2-7][\da-f])/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return /^\/+(login|register)\/*$/i.test(plain);
}
