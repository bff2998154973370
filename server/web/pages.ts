import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from './conditions.ts';
import { toPagePolicy } from './security-headers.ts';
import type { Header } from './security-headers.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/**
 * Renders the page of a path with its query; a page that fails results in a 500 page, not a rejection. `note` is called
 * with the page's dependencies (contract/page-tags.ts).
 */
export type RenderPage = (
  target: string,
  requestId: string,
  note: (tag: string) => void,
) => Promise<Response>;

/** Below this, compression costs more than it saves. */
const COMPRESSION_BYTES_MIN = 1_024;
/** Of brotli and gzip. For a page of 150 KB, `fast` takes 0.25 and 0.7 ms, `small` 1.8 and 1.5 ms. */
const QUALITIES = { fast: { br: 1, gzip: 1 }, small: { br: 5, gzip: 6 } } as const;
/** 256 KiB covers a whole page; brotli's default of 4 MiB is allocated for each compression. */
const BROTLI_WINDOW_BITS = 18;
/** A CDN that supports RFC 9213 caches a page briefly, so that maintenance is visible within seconds. */
const CDN_CACHING: Header = ['cdn-cache-control', 'max-age=2'];
/** Spec §9: a prefetched page is fresh for 30 s, visited pages for five minutes. */
const PAGE_CACHING: readonly Header[] = [
  ['cache-control', 'public, max-age=30, stale-while-revalidate=270, s-maxage=2'],
  CDN_CACHING,
];
/** A missing page may exist a moment later. */
const ABSENCE_CACHING: readonly Header[] = [
  ['cache-control', 'public, max-age=0, must-revalidate'],
  CDN_CACHING,
];

/** A page from before an outage; caches revalidate at once (RFC 7234 §5.5). */
const OUTDATED_CACHING: readonly Header[] = [...ABSENCE_CACHING, ['warning', '111 - "Revalidation Failed"']];
/** The layout's notice that a page may be outdated, hidden and visible (src/layouts/Shell.astro). */
const HIDDEN_NOTICE = '<p data-outdated hidden';
const SHOWN_NOTICE = '<p data-outdated';
/** Sent by src/pages/maintenance.astro: its 503 is intentional. */
const MAINTENANCE_HEADER = 'x-maintenance';
/** Sent with a page that lacks a part because that API call failed. */
const INCOMPLETE_HEADER = 'x-incomplete';
/** Sent with the error page for a main read that the API refused: the API works, so the refusal is final. */
const REFUSED_HEADER = 'x-refused';

/** Placeholder for `x-request-id` in a list of raw headers, filled in just before sending. */
export const REQUEST_ID_INDEX = 1;

/** `small` takes longer; `fast` gives 26 % more bytes in brotli, 13 % in gzip. */
export type Effort = keyof typeof QUALITIES;

/** A rendered page in one encoding, ready for `writeHead`. */
export interface PageVariant {
  readonly encoding: Encoding;
  readonly effort: Effort;
  readonly body: Buffer;
  /** Names and values alternate; the first value is the placeholder of the request id. */
  readonly headers: string[];
}

/**
 * Why an older copy may replace a page: the API or the page failed, or a part is missing because an API call failed.
 */
export type PageFailure = 'outage' | 'incomplete';

/** A rendered page in the cache. */
export class Page {
  readonly status: number;
  readonly etag: string;
  readonly isCacheable: boolean;
  readonly variants: { identity: PageVariant; br?: PageVariant; gzip?: PageVariant };
  /** Headers of a 304 answer. */
  readonly unchangedHeaders: string[];
  readonly failure: PageFailure | undefined;
  readonly #headers: readonly Header[];
  readonly #pending = new Map<string, Promise<PageVariant>>();

  constructor(status: number, headers: readonly Header[], body: Buffer, isCacheable: boolean) {
    this.status = status;
    this.isCacheable = isCacheable;
    const names = new Set(headers.map(([name]) => name));
    this.failure = findFailure(status, names);
    const hash = createHash('sha256')
      .update(JSON.stringify(headers))
      .update(body)
      .digest('base64url')
      .slice(0, 22);
    // Weak, so that one tag covers every encoding of the page.
    this.etag = `W/"${hash}"`;
    this.#headers = [...headers, ['etag', this.etag], ['vary', 'accept-encoding']];
    this.variants = { identity: this.#toVariant(body, 'identity', 'small') };
    this.unchangedHeaders = toRawHeaders(this.#headers.filter(([name]) => name !== 'content-type'));
  }

  /** Approximate memory of the page. */
  get byteSize(): number {
    const bodies = Object.values(this.variants).reduce((sum, { body }) => sum + body.byteLength, 0);
    return bodies + 4_096;
  }

  /** The variant for an encoding, if it is ready; uncompressed, if the page is too small for compression. */
  find(encoding: Encoding): PageVariant | undefined {
    const { identity } = this.variants;
    return (
      this.variants[encoding] ?? (identity.body.byteLength < COMPRESSION_BYTES_MIN ? identity : undefined)
    );
  }

  /**
   * The variant for an encoding, compressed off the main thread unless one of this effort, or a small one, is ready.
   */
  async encode(encoding: Encoding, effort: Effort = 'small'): Promise<PageVariant> {
    const ready = this.find(encoding);
    if (ready !== undefined && (ready.effort === 'small' || effort === 'fast')) return ready;
    const key = `${encoding} ${effort}`;
    let pending = this.#pending.get(key);
    if (pending === undefined) {
      pending = this.#compress(encoding, effort).finally(() => this.#pending.delete(key));
      this.#pending.set(key, pending);
    }
    return pending;
  }

  /** The same page with a visible notice, for when no newer one is available. */
  toOutdated(): Page {
    const replaced = new Set(['etag', 'vary', ...OUTDATED_CACHING.map(([name]) => name)]);
    const headers = this.#headers.filter(([name]) => !replaced.has(name));
    const { body } = this.variants.identity;
    const at = body.indexOf(HIDDEN_NOTICE);
    const shown =
      at === -1
        ? body
        : Buffer.concat([
            body.subarray(0, at),
            Buffer.from(SHOWN_NOTICE),
            body.subarray(at + HIDDEN_NOTICE.length),
          ]);
    return new Page(this.status, [...headers, ...OUTDATED_CACHING], shown, false);
  }

  async #compress(encoding: Encoding, effort: Effort): Promise<PageVariant> {
    const { body } = this.variants.identity;
    const compressed =
      encoding === 'br'
        ? await compressBrotli(body, {
            params: {
              [constants.BROTLI_PARAM_QUALITY]: QUALITIES[effort].br,
              [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS,
              [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
              [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
            },
          })
        : await compressGzip(body, { level: QUALITIES[effort].gzip });
    const variant = this.#toVariant(compressed, encoding, effort);
    // A small one may have been ready first.
    if (effort === 'small' || this.variants[encoding] === undefined) this.variants[encoding] = variant;
    return variant;
  }

  #toVariant(body: Buffer, encoding: Encoding, effort: Effort): PageVariant {
    const own: Header[] = [['content-length', String(body.byteLength)]];
    if (encoding !== 'identity') own.push(['content-encoding', encoding]);
    return { encoding, effort, body, headers: toRawHeaders([...this.#headers, ...own]) };
  }
}

/** The page sent instead of one that is not rendered now: 503, or 429 for a visitor over the limit. */
export function toRefusalPage(
  status: 429 | 503,
  retryAfterSec: number,
  security: readonly Header[],
): Promise<Page> {
  const title = status === 503 ? 'ただいま混み合っています' : 'アクセスが集中しています';
  const html = `<!doctype html><html lang="ja"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${title}</title></head><body><h1>${title}</h1><p>少し待ってから、もう一度お試しください。</p><p><a href="">もう一度読み込む</a></p></body></html>`;
  const headers = { 'content-type': 'text/html', 'retry-after': String(retryAfterSec) };
  return toPage(new Response(html, { status, headers }), security);
}

/** Reads a rendered response to its end and adds the headers of every page. */
export async function toPage(response: Response, security: readonly Header[]): Promise<Page> {
  const bytes = await response.bytes();
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const own = new Map(response.headers);
  const caching = own.get('cache-control');
  const isShareable = caching === undefined || !/no-store|private|no-cache/.test(caching);
  const isCacheable =
    (response.status === 200 || response.status === 404) &&
    isShareable &&
    !own.has(INCOMPLETE_HEADER) &&
    response.headers.getSetCookie().length === 0;
  const type = own.get('content-type') ?? 'text/html';
  const isHtml = type.startsWith('text/html');
  if (isHtml || own.has('content-security-policy')) {
    own.set('content-security-policy', toPagePolicy(own.get('content-security-policy') ?? null));
  } else own.set('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  own.set('content-type', isHtml ? 'text/html; charset=utf-8' : type);
  own.delete('content-length');
  own.delete('set-cookie');
  const defaults = new Map<string, string>(security);
  if (caching === undefined) {
    const kept = response.status === 200 ? PAGE_CACHING : ABSENCE_CACHING;
    if (isCacheable) for (const [name, value] of kept) defaults.set(name, value);
    else defaults.set('cache-control', 'no-store');
  }
  return new Page(response.status, [...new Map([...defaults, ...own])], body, isCacheable);
}

function findFailure(status: number, headerNames: ReadonlySet<string>): PageFailure | undefined {
  if (status === 404 || headerNames.has(MAINTENANCE_HEADER) || headerNames.has(REFUSED_HEADER))
    return undefined;
  if (status >= 500) return 'outage';
  return headerNames.has(INCOMPLETE_HEADER) ? 'incomplete' : undefined;
}

function toRawHeaders(headers: readonly Header[]): string[] {
  return ['x-request-id', '', ...headers.flat()];
}
