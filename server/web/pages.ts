import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Encoding } from './conditions.ts';
import { ABSENCE_CACHING, INCOMPLETE_HEADER, toPageResponse } from './page-response.ts';
import type { HashPage, PageResponse } from './page-response.ts';
import type { Header } from './security-headers.ts';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Below this, compression costs more than it saves. */
const COMPRESSION_BYTES_MIN = 1_024;
/**
 * Of brotli and gzip, from the fastest to the smallest. For a page of 150 KB, `fast` takes 0.25 and 0.7 ms, `small` 1.8
 * and 1.5 ms, `smallest` 50 ms in brotli. A higher level of gzip saves nothing.
 */
const QUALITIES = {
  fast: { br: 1, gzip: 1 },
  small: { br: 5, gzip: 6 },
  smallest: { br: 10, gzip: 6 },
} as const;
const EFFORTS = Object.keys(QUALITIES) as Effort[];
/** 256 KiB covers a whole page; brotli's default of 4 MiB is allocated for each compression. */
const BROTLI_WINDOW_BITS = 18;
/** A page from before an outage; caches revalidate at once (RFC 7234 §5.5). */
const OUTDATED_CACHING: readonly Header[] = [...ABSENCE_CACHING, ['warning', '111 - "Revalidation Failed"']];
/** The layout's notice that a page may be outdated, hidden and visible (src/layouts/Shell.astro). */
const HIDDEN_NOTICE = '<p data-outdated hidden';
const SHOWN_NOTICE = '<p data-outdated';
/** Sent by src/pages/maintenance.astro: its 503 is intentional. */
const MAINTENANCE_HEADER = 'x-maintenance';
/** Sent with the error page for a main read that the API refused: the API works, so the refusal is final. */
const REFUSED_HEADER = 'x-refused';

/** Placeholder for `x-request-id` in a list of raw headers, filled in just before sending. */
export const REQUEST_ID_INDEX = 1;

/** Compared with `small`, `fast` gives 26 % more bytes in brotli and 13 % in gzip, `smallest` 9 % fewer in brotli. */
export type Effort = keyof typeof QUALITIES;

/** A rendered page in one encoding, ready for `writeHead`. */
export interface PageVariant {
  readonly encoding: Encoding;
  readonly effort: Effort;
  readonly body: Buffer<ArrayBuffer>;
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

  constructor({ status, headers, etag, body, isCacheable }: PageResponse) {
    this.status = status;
    this.isCacheable = isCacheable;
    this.failure = findFailure(status, headers);
    this.etag = etag;
    this.#headers = headers;
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    this.variants = { identity: this.#toVariant(bytes, 'identity', 'smallest') };
    this.unchangedHeaders = toRawHeaders(headers.filter(([name]) => name !== 'content-type'));
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
   * The variant for an encoding, compressed off the main thread unless one of this effort, or a smaller one, is ready.
   */
  async encode(encoding: Encoding, effort: Effort = 'small'): Promise<PageVariant> {
    const ready = this.find(encoding);
    if (ready !== undefined && !isSmaller(effort, ready.effort)) return ready;
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
    const etag = this.etag.replace(/"$/, '-outdated"');
    const replaced: readonly Header[] = [['etag', etag], ...OUTDATED_CACHING];
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
    const headers = [...new Map([...this.#headers, ...replaced])];
    return new Page({ status: this.status, headers, etag, body: shown, isCacheable: false });
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
    // A smaller one may have been ready first.
    const ready = this.variants[encoding];
    if (ready === undefined || isSmaller(effort, ready.effort)) this.variants[encoding] = variant;
    return variant;
  }

  #toVariant(body: PageVariant['body'], encoding: Encoding, effort: Effort): PageVariant {
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

const hashPage: HashPage = (head, body) => createHash('sha256').update(head).update(body).digest('base64url');

/** Reads a rendered response to its end and adds the headers of every page. */
export async function toPage(response: Response, security: readonly Header[]): Promise<Page> {
  return new Page(await toPageResponse(response, security, hashPage));
}

function findFailure(status: number, headers: readonly Header[]): PageFailure | undefined {
  const headerNames = new Set(headers.map(([name]) => name));
  if (status === 404 || headerNames.has(MAINTENANCE_HEADER) || headerNames.has(REFUSED_HEADER))
    return undefined;
  if (status >= 500) return 'outage';
  return headerNames.has(INCOMPLETE_HEADER) ? 'incomplete' : undefined;
}

function isSmaller(one: Effort, other: Effort): boolean {
  return EFFORTS.indexOf(one) > EFFORTS.indexOf(other);
}

function toRawHeaders(headers: readonly Header[]): string[] {
  return ['x-request-id', '', ...headers.flat()];
}
