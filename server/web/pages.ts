import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from './conditions.ts';
import { toPagePolicy } from './security-headers.ts';
import type { Header } from './security-headers.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/**
 * Renders the page of a path with its query; never rejects for a page that fails (that is a 500 page).
 * `note` is called with what the page depends on (contract/page-tags.ts).
 */
export type RenderPage = (
  target: string,
  requestId: string,
  note: (tag: string) => void,
) => Promise<Response>;

/** Below this, compression costs more than it saves. */
const COMPRESSION_BYTES_MIN = 1_024;
const BROTLI_QUALITY = 5;
/** 256 KiB sees a whole page; brotli's default of 4 MiB is taken anew by every compression. */
const BROTLI_WINDOW_BITS = 18;
/** A CDN that knows RFC 9213 holds a page briefly, so that maintenance is seen within seconds. */
const CDN_CACHING: Header = ['cdn-cache-control', 'max-age=2'];
/** Spec §9: a page that was fetched ahead is fresh for 30 s, pages seen live five minutes. */
const PAGE_CACHING: readonly Header[] = [
  ['cache-control', 'public, max-age=30, stale-while-revalidate=270, s-maxage=2'],
  CDN_CACHING,
];
/** What is not there may be there in a moment. */
const ABSENCE_CACHING: readonly Header[] = [
  ['cache-control', 'public, max-age=0, must-revalidate'],
  CDN_CACHING,
];

/** A page from before an outage; any cache asks again at once (RFC 7234 §5.5). */
const OUTDATED_CACHING: readonly Header[] = [...ABSENCE_CACHING, ['warning', '111 - "Revalidation Failed"']];
/** The layout's notice that a page may be out of date, and the same in sight (src/layouts/Shell.astro). */
const HIDDEN_NOTICE = '<p data-outdated hidden';
const SHOWN_NOTICE = '<p data-outdated';
/** What src/pages/maintenance.astro sends along: its 503 is meant. */
const MAINTENANCE_HEADER = 'x-maintenance';
/** Sent with a page that lacks a part because the API failed to answer that call. */
const INCOMPLETE_HEADER = 'x-incomplete';
/** Sent with the error page for a main read that the API refused: the API works, and its refusal is its last word. */
const REFUSED_HEADER = 'x-refused';

/** Where `x-request-id` goes in a list of raw headers: filled in just before it is sent. */
export const REQUEST_ID_INDEX = 1;

/** A rendered page in one encoding, ready to be handed to `writeHead`. */
export interface PageVariant {
  readonly body: Buffer;
  /** Names and values in turn; the first value is the request id's place. */
  readonly headers: string[];
}

/** Why an older copy may replace a page: the API or the page failed, or the API answered all but a part. */
export type PageFailure = 'outage' | 'incomplete';

/** A rendered page, as long as it is kept. */
export class Page {
  readonly status: number;
  readonly etag: string;
  readonly isCacheable: boolean;
  readonly variants: { identity: PageVariant; br?: PageVariant; gzip?: PageVariant };
  /** Headers of a 304 answer. */
  readonly unchangedHeaders: string[];
  readonly failure: PageFailure | undefined;
  readonly #headers: readonly Header[];
  readonly #pending = new Map<Encoding, Promise<PageVariant>>();

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
    // Weak, so that one tag serves every encoding of the page.
    this.etag = `W/"${hash}"`;
    this.#headers = [...headers, ['etag', this.etag], ['vary', 'accept-encoding']];
    this.variants = { identity: this.#toVariant(body, 'identity') };
    this.unchangedHeaders = toRawHeaders(this.#headers.filter(([name]) => name !== 'content-type'));
  }

  /** What the page takes in memory, roughly. */
  get byteSize(): number {
    const bodies = Object.values(this.variants).reduce((sum, { body }) => sum + body.byteLength, 0);
    return bodies + 4_096;
  }

  /** The page as it is, when it is too small to be compressed. */
  findSmall(): PageVariant | undefined {
    const { identity } = this.variants;
    return identity.body.byteLength < COMPRESSION_BYTES_MIN ? identity : undefined;
  }

  /** The variant for an encoding, made when first asked for, off the main thread. */
  async encode(encoding: Encoding): Promise<PageVariant> {
    const ready = this.variants[encoding];
    if (ready !== undefined) return ready;
    const small = this.findSmall();
    if (small !== undefined) return small;
    const pending = this.#pending.get(encoding) ?? this.#compress(encoding);
    this.#pending.set(encoding, pending);
    return pending;
  }

  /** The same page with its notice in sight, for when no newer one can be had. */
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

  async #compress(encoding: Encoding): Promise<PageVariant> {
    const { body } = this.variants.identity;
    const compressed =
      encoding === 'br'
        ? await compressBrotli(body, {
            params: {
              [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
              [constants.BROTLI_PARAM_LGWIN]: BROTLI_WINDOW_BITS,
              [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
              [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
            },
          })
        : await compressGzip(body, { level: 6 });
    const variant = this.#toVariant(compressed, encoding);
    this.variants[encoding] = variant;
    return variant;
  }

  #toVariant(body: Buffer, encoding: Encoding): PageVariant {
    const own: Header[] = [['content-length', String(body.byteLength)]];
    if (encoding !== 'identity') own.push(['content-encoding', encoding]);
    return { body, headers: toRawHeaders([...this.#headers, ...own]) };
  }
}

/** The page that is sent in place of one that is not rendered now: 503, or 429 to who asks too much. */
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

/** Reads a rendered answer to its end and adds what every page answer carries. */
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
