/** One header as a name and a value. */
export type Header = readonly [name: string, value: string];

/** For whatever is not a page: nothing in it may load, run or be framed. */
export const NO_PAGE_POLICY = "default-src 'none'; frame-ancestors 'none'";
/** For files that people sent us: should a browser take one for a document, it gets no origin and no script. */
export const UPLOAD_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";
/** For a page that came without a policy of its own. */
export const PAGE_POLICY =
  "default-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; frame-ancestors 'none'";

const HSTS_SECONDS = 365 * 24 * 60 * 60;

/** What every answer carries, besides its `Content-Security-Policy`. */
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

/** The page's policy, with the one directive that Astro's hashes leave out. */
export function toPagePolicy(own: string | null): string {
  if (own === null || own.trim() === '') return PAGE_POLICY;
  if (/\bframe-ancestors\b/.test(own)) return own;
  return `${own.trim().replace(/;\s*$/, '')}; frame-ancestors 'none'`;
}
