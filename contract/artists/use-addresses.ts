import { cleanLine } from '../values/texts.ts';
import { parseUrl } from '../values/urls.ts';

export const USE_ADDRESS_LENGTH_MAX = 1_000;

/**
 * Names with dots and an alphabetic end: not numbers of machines, and not names of a private network, at which a link
 * on a public page could press something of the reader's own.
 */
const PUBLIC_HOST =
  /^(?=.{4,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/;
const PRIVATE_HOST = /\.(?:local|localhost|internal|lan|home|arpa)$/;

/**
 * The normalised address of a work, or null for a text that is none: `http` or `https` (assumed if there is no scheme)
 * at a public host name, with neither credentials nor a port. The host is in punycode, so that letters of another
 * script that look like ours are seen; everything after it is percent-encoded.
 */
export function toUseAddress(text: string): string | null {
  const line = cleanLine(text);
  const full = /^[a-z][a-z0-9+.-]*:/i.test(line) ? line : `https://${line}`;
  // The parser would repair other spellings, and reads a backslash as a slash.
  const url = /^https?:\/\/[^/\\][^\\]*$/i.test(full) ? parseUrl(full) : null;
  if (url === null) return null;
  if (url.username !== '' || url.password !== '' || url.port !== '') return null;
  if (!PUBLIC_HOST.test(url.hostname) || PRIVATE_HOST.test(url.hostname)) return null;
  return url.href.length <= USE_ADDRESS_LENGTH_MAX ? url.href : null;
}

/** The host name that a reader sees beside a link. */
export function toHostName(address: string): string {
  return parseUrl(address)?.hostname ?? '';
}
