import { DAY_SEC } from '../../contract/values/time-units.ts';

/** One header as a name and a value. */
export type Header = readonly [name: string, value: string];

/** For everything except pages: nothing may load, run or be framed, except the icon of the tab that shows it. */
export const NO_PAGE_POLICY = "default-src 'none'; img-src 'self'; frame-ancestors 'none'";
/** Of JSON that this process sends itself: an error, or its state. */
export const JSON_HEADERS: readonly Header[] = [
  ['content-type', 'application/json; charset=utf-8'],
  ['content-security-policy', NO_PAGE_POLICY],
  ['cache-control', 'no-store'],
];
/** For members' files: if a browser treats one as a document, it has no origin and no scripts. */
export const UPLOAD_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";
/** For a page without a policy of its own. */
export const PAGE_POLICY =
  "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'";

const HSTS_SECONDS = 365 * DAY_SEC;

/** The headers of every response, except `Content-Security-Policy`. */
export function toSecurityHeaders(siteUrl: string): Header[] {
  const headers: Header[] = [
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'strict-origin-when-cross-origin'],
    ['x-frame-options', 'DENY'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
  ];
  if (siteUrl.startsWith('https:')) {
    headers.push(['strict-transport-security', `max-age=${HSTS_SECONDS}; includeSubDomains`]);
  }
  return headers;
}

/** The page's policy, with the directive that Astro's hashes omit. */
export function toPagePolicy(own: string | null): string {
  if (own === null || own.trim() === '') return PAGE_POLICY;
  if (/\bframe-ancestors\b/.test(own)) return own;
  return `${own.trim().replace(/;\s*$/, '')}; frame-ancestors 'none'`;
}
