import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, brotliDecompressSync, constants, gzip } from 'node:zlib';
import type { PageParts } from '../../contract/site/page-parts.ts';
import type { Encoding } from './conditions.ts';
import { ABSENCE_CACHING, INCOMPLETE_HEADER, toPageResponse } from './page-response.ts';
import type { HashPage, PageResponse } from './page-response.ts';
import type { Header } from './security-headers.ts';

const compressBrotli = promisify(brotliCompress);
const expandBrotli = promisify(brotliDecompress);
const compressGzip = promisify(gzip);

/** Below this, compression costs more than it saves. */
const COMPRESSION_BYTES_MIN = 1_024;
/**
 * For a page of 100 KB, the first takes 1.5 ms of another thread; the second takes 35 ms and gives 5 % fewer bytes. A window
 * of 64 KiB keeps brotli's tables at half a MiB, so that quality 7 costs no more than quality 5 with a window of 256 KiB,
 * for 3 % fewer bytes.
 */
const BROTLI = { first: { quality: 7, windowBits: 16 }, smallest: { quality: 10, windowBits: 18 } } as const;
/** A higher level saves nothing. */
const GZIP = 6;
/** A page from before an outage; caches revalidate at once (RFC 7234 §5.5). */
const OUTDATED_CACHING: readonly Header[] = [...ABSENCE_CACHING, ['warning', '111 - "Revalidation Failed"']];
/** The layout's empty warning that a page may be outdated (src/layouts/Shell.astro). */
const EMPTY_WARNING = /<p data-outdated hidden([^>]*)>/;
const OUTDATED =
  'ただいまサーバーに接続できないため、少し前の内容を表示しています。<a class="link whitespace-nowrap" href="" data-astro-reload>読み込み直す</a>';
/** Sent by src/pages/maintenance.astro: its 503 is intentional. */
const MAINTENANCE_HEADER = 'x-maintenance';
/** Sent with the error page for a main read that the API refused: the API works, so the refusal is final. */
const REFUSED_HEADER = 'x-refused';

/** Placeholder for `x-request-id` in a list of raw headers, filled in just before sending. */
export const REQUEST_ID_INDEX = 1;

/** A rendered page in one encoding, ready for `writeHead`. */
export interface PageVariant {
  readonly encoding: Encoding;
  readonly body: Buffer<ArrayBuffer>;
  /** Names and values alternate; the first value is the placeholder of the request id. */
  readonly headers: string[];
}

/**
 * Why an older copy may replace a page: the API or the page failed, or a part is missing because an API call failed.
 */
export type PageFailure = 'outage' | 'incomplete';

/**
 * A rendered page in the cache. It is stored compressed once a visitor has accepted that; the other encodings are made
 * from Brotli and stored when they are requested, which browsers do not do.
 */
export class Page {
  readonly status: number;
  readonly etag: string;
  readonly isCacheable: boolean;
  /** `br` and what visitors have requested since, or `identity` before the first has accepted `br`. */
  readonly #variants: { [Name in Encoding]?: PageVariant } = {};
  /** Headers of a 304 answer. */
  readonly unchangedHeaders: string[];
  readonly failure: PageFailure | undefined;
  readonly #headers: readonly Header[];
  readonly #pending = new Map<string, Promise<PageVariant>>();
  #isSmallest = false;

  constructor({ status, headers, etag, body, isCacheable }: PageResponse) {
    this.status = status;
    this.isCacheable = isCacheable;
    this.failure = findFailure(status, headers);
    this.etag = etag;
    this.#headers = headers;
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    this.#variants.identity = this.#toVariant(bytes, 'identity');
    this.unchangedHeaders = toRawHeaders(headers.filter(([name]) => name !== 'content-type'));
  }

  /** Approximate memory of the page. */
  get byteSize(): number {
    return Object.values(this.#variants).reduce((sum, { body }) => sum + body.byteLength, 4_096);
  }

  /** Whether the page is stored in Brotli. */
  get isCompressed(): boolean {
    return this.#variants.br !== undefined;
  }

  /** Whether `shrink` makes it smaller. */
  get canShrink(): boolean {
    return this.isCompressed && !this.#isSmallest;
  }

  /** The variant for an encoding, if it is ready; uncompressed, if the page is too small for compression. */
  find(encoding: Encoding): PageVariant | undefined {
    const { identity } = this.#variants;
    const isSmall = identity !== undefined && identity.body.byteLength < COMPRESSION_BYTES_MIN;
    return isSmall ? identity : this.#variants[encoding];
  }

  /** The variant for an encoding, made off the main thread unless it is ready; once for all who wait for it. */
  encode(encoding: Encoding): Promise<PageVariant> {
    const ready = this.find(encoding);
    return ready === undefined ? this.#share(encoding, () => this.#encode(encoding)) : Promise.resolve(ready);
  }

  /** Compresses the page in Brotli again, as small as possible. */
  async shrink(): Promise<void> {
    this.#isSmallest = true;
    await this.#share('smallest', async () => this.#compress(await this.#expand(), BROTLI.smallest));
  }

  /** The same page with a visible warning, for when no newer one is available. */
  toOutdated(): Page {
    const etag = this.etag.replace(/"$/, '-outdated"');
    const replaced: readonly Header[] = [['etag', etag], ...OUTDATED_CACHING];
    const { identity, br } = this.#variants;
    const body = identity?.body ?? brotliDecompressSync(br?.body ?? Buffer.alloc(0));
    const withWarning = Buffer.from(body.toString().replace(EMPTY_WARNING, `<p data-outdated$1>${OUTDATED}`));
    const headers = [...new Map([...this.#headers, ...replaced])];
    return new Page({ status: this.status, headers, etag, body: withWarning, isCacheable: false });
  }

  #share(key: string, make: () => Promise<PageVariant>): Promise<PageVariant> {
    const pending = this.#pending.get(key) ?? make().finally(() => this.#pending.delete(key));
    this.#pending.set(key, pending);
    return pending;
  }

  async #encode(encoding: Encoding): Promise<PageVariant> {
    const body = await this.#expand();
    if (encoding === 'br') return this.#compress(body, BROTLI.first);
    const bytes = encoding === 'gzip' ? await compressGzip(body, { level: GZIP }) : body;
    return (this.#variants[encoding] = this.#toVariant(bytes, encoding));
  }

  async #expand(): Promise<PageVariant['body']> {
    const { identity, br } = this.#variants;
    return identity?.body ?? expandBrotli(br?.body ?? Buffer.alloc(0));
  }

  async #compress(
    body: PageVariant['body'],
    { quality, windowBits }: (typeof BROTLI)[keyof typeof BROTLI],
  ): Promise<PageVariant> {
    const compressed = await compressBrotli(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_LGWIN]: windowBits,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
      },
    });
    const ready = this.#variants.br;
    if (ready !== undefined && ready.body.byteLength <= compressed.byteLength) return ready;
    const variant = this.#toVariant(compressed, 'br');
    this.#variants.br = variant;
    delete this.#variants.identity;
    return variant;
  }

  #toVariant(bytes: PageVariant['body'], encoding: Encoding): PageVariant {
    const body = toOwn(bytes);
    const own: Header[] = [['content-length', String(body.byteLength)]];
    if (encoding !== 'identity') own.push(['content-encoding', encoding]);
    return { encoding, body, headers: toRawHeaders([...this.#headers, ...own]) };
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
export async function toPage(
  response: Response,
  security: readonly Header[],
  parts?: PageParts,
): Promise<Page> {
  return new Page(await toPageResponse(response, security, hashPage, parts));
}

/** The same bytes in memory of their own: a result of zlib may be a part of a pool, which it would keep as a whole. */
function toOwn(bytes: PageVariant['body']): PageVariant['body'] {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : Buffer.from(new Uint8Array(bytes).buffer);
}

function findFailure(status: number, headers: readonly Header[]): PageFailure | undefined {
  const headerNames = new Set(headers.map(([name]) => name));
  if (status === 404 || headerNames.has(MAINTENANCE_HEADER) || headerNames.has(REFUSED_HEADER))
    return undefined;
  if (status >= 500) return 'outage';
  return headerNames.has(INCOMPLETE_HEADER) ? 'incomplete' : undefined;
}

function toRawHeaders(headers: readonly Header[]): string[] {
  return ['x-request-id', '', ...headers.flat()];
}
