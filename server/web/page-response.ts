import { type PageParts, joinParts } from '../../contract/site/page-parts.ts';
import { NO_PAGE_POLICY, toPagePolicy } from './security-headers.ts';
import type { Header } from './security-headers.ts';

/**
 * Renders the page of a path with its query; a page that fails results in a 500 page, not a rejection. `note` is called
 * with the page's dependencies (contract/site/page-tags.ts). `parts` receives its prepared parts, which `toPageResponse` puts
 * instead of their marks.
 */
export type RenderPage = (
  target: string,
  requestId: string,
  note: (tag: string) => void,
  parts: PageParts,
) => Promise<Response>;

/** The SHA-256 of a text and then of bytes, as base64url. */
export type HashPage = (head: string, body: Uint8Array<ArrayBuffer>) => string | Promise<string>;

/** A page with the headers that it has on every runtime, except `x-request-id` and those of its encoding. */
export interface PageResponse {
  readonly status: number;
  /** Includes the ETag. */
  readonly headers: readonly Header[];
  readonly etag: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly isCacheable: boolean;
}

/** A CDN that supports RFC 9213 caches a page briefly, so that maintenance is visible within seconds. */
const CDN_CACHING: Header = ['cdn-cache-control', 'max-age=2'];
/** Spec §9: a prefetched page is fresh for 30 s, visited pages for five minutes. */
const PAGE_CACHING: readonly Header[] = [
  ['cache-control', 'public, max-age=30, stale-while-revalidate=270, s-maxage=2'],
  CDN_CACHING,
];
/** A missing page may exist a moment later. */
export const ABSENCE_CACHING: readonly Header[] = [
  ['cache-control', 'public, max-age=0, must-revalidate'],
  CDN_CACHING,
];
/** Sent with a page that lacks a part because that API call failed. */
export const INCOMPLETE_HEADER = 'x-incomplete';

/** Reads a rendered response to its end and adds the headers of every page. No Node modules. */
export async function toPageResponse(
  response: Response,
  security: readonly Header[],
  hash: HashPage,
  parts?: PageParts,
): Promise<PageResponse> {
  const body = joinParts(new Uint8Array(await response.arrayBuffer()), parts);
  const { status } = response;
  const own = new Map(response.headers);
  const caching = own.get('cache-control');
  const isShareable = caching === undefined || !/no-store|private|no-cache/.test(caching);
  const isCacheable =
    (status === 200 || status === 404) &&
    isShareable &&
    !own.has(INCOMPLETE_HEADER) &&
    response.headers.getSetCookie().length === 0;
  const type = own.get('content-type') ?? 'text/html';
  const isHtml = type.startsWith('text/html');
  if (isHtml || own.has('content-security-policy')) {
    own.set('content-security-policy', toPagePolicy(own.get('content-security-policy') ?? null));
  } else own.set('content-security-policy', NO_PAGE_POLICY);
  own.set('content-type', isHtml ? 'text/html; charset=utf-8' : type);
  own.delete('content-length');
  own.delete('set-cookie');
  const defaults = new Map<string, string>(security);
  // Only the player for other sites allows this in its policy. X-Frame-Options cannot express it.
  if (/(?:^|;)\s*frame-ancestors \*(?:;|$)/.test(own.get('content-security-policy') ?? '')) {
    defaults.delete('x-frame-options');
  }
  if (caching === undefined) {
    const caching = status === 200 ? PAGE_CACHING : ABSENCE_CACHING;
    if (isCacheable) for (const [name, value] of caching) defaults.set(name, value);
    else defaults.set('cache-control', 'no-store');
  }
  const headers = [...new Map([...defaults, ...own])];
  const digest = await hash(JSON.stringify(headers), body);
  // Weak, so that one tag covers every encoding of the page.
  const etag = `W/"${digest.slice(0, 22)}"`;
  return {
    status,
    headers: [...headers, ['etag', etag], ['vary', 'accept-encoding']],
    etag,
    body,
    isCacheable,
  };
}
