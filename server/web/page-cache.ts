import { LRUCache } from 'lru-cache';
import type { Page } from './pages.ts';
import type { Target } from './targets.ts';

/** Pages this young are served without a thought. */
const FRESH_MS = 2_000;
/**
 * Pages this old are still served, while one new rendering is under way. With the two seconds that replies are
 * remembered (src/api/remembering.ts), a change on another host shows within five.
 */
const STALE_MS = 3_000;
/** A page this old still stands in for one that fails (stale-if-error, RFC 5861 §4). */
const STALE_IF_ERROR_MS = 24 * 60 * 60 * 1000;
/** Pages that do not exist get a small room of their own, so that made-up addresses push out nothing real. */
const MISSING_SHARE = 1 / 16;
/** Spellings of addresses that were seen; bounded in number and length, hence in bytes. */
const SPELLINGS_MAX = 10_000;
const SPELLING_LENGTH_MAX = 256;

export interface PageCacheOptions {
  /** Renders a normalised target: a path and only the query parameters of `queryNames`. */
  readonly render: (target: string, requestId: string) => Promise<Page>;
  /** The query parameters that pages look at; all others are dropped from key and rendering alike. */
  readonly queryNames: readonly string[];
  /** 0 turns the cache off. */
  readonly maxBytes: number;
  readonly now?: () => number;
}

export interface PageCache {
  /** The page for a raw request target, if it can be answered at once. The hot path. */
  find(url: string): Page | undefined;
  /**
   * The page for a target, rendered when it must be; requests at the same time share one rendering. While it
   * cannot be rendered, the last good one with its notice.
   */
  get(target: Target, url: string, requestId: string): Promise<Page>;
  /** Call after a change of what pages show: nothing rendered before is served afterwards. */
  changed(): void;
  /** Tells that the page grew (by a compressed variant). */
  resized(page: Page): void;
  readonly byteSize: number;
}

interface Entry {
  readonly key: string;
  /** The last rendering that succeeded. */
  readonly page: Page;
  /** That page, or the same with a notice while renewing it fails. */
  shown: Page;
  readonly generation: number;
  renderedAt: number;
  freshUntil: number;
  staleUntil: number;
}

interface Rendering {
  readonly generation: number;
  readonly page: Promise<Page>;
}

export function createPageCache({
  render,
  queryNames,
  maxBytes,
  now = Date.now,
}: PageCacheOptions): PageCache {
  const allowed = new Set(queryNames);
  const found = maxBytes === 0 ? undefined : createRoom(maxBytes * (1 - MISSING_SHARE));
  const missing = maxBytes === 0 ? undefined : createRoom(maxBytes * MISSING_SHARE);
  const spellings = new Map<string, string>();
  const renderings = new Map<string, Rendering>();
  const entryOf = new WeakMap<Page, Entry>();
  let generation = 0;

  function findByKey(key: string): Page | undefined {
    const entry = found?.get(key) ?? missing?.get(key);
    if (entry === undefined || entry.generation !== generation) return undefined;
    const time = now();
    if (time >= entry.staleUntil) return undefined;
    if (time >= entry.freshUntil && !renderings.has(key)) {
      // A failure is reported where it happens; who finds the page too old renders it again.
      share(key, 'renewal').catch(() => undefined);
    }
    return entry.shown;
  }

  /** Renders a page once for all who want it at the same time. */
  async function share(key: string, requestId: string): Promise<Page> {
    const running = renderings.get(key);
    if (running?.generation === generation) return running.page;
    const rendering: Rendering = { generation, page: renew(key, requestId) };
    renderings.set(key, rendering);
    try {
      return await rendering.page;
    } finally {
      if (renderings.get(key) === rendering) renderings.delete(key);
    }
  }

  /** Renders and keeps a page; when that fails, the last good one stands in. */
  async function renew(key: string, requestId: string): Promise<Page> {
    const startedIn = generation;
    const startedAt = now();
    let page: Page;
    try {
      page = await render(key, requestId);
    } catch (error) {
      const outdated = fallBack(key, startedIn);
      if (outdated === undefined) throw error;
      return outdated;
    }
    if (page.isFailure) return fallBack(key, startedIn) ?? page;
    return keep(key, page, startedIn, startedAt);
  }

  async function keep(key: string, page: Page, startedIn: number, startedAt: number): Promise<Page> {
    const known = found?.get(key) ?? missing?.get(key);
    const isSame = page.isCacheable && known?.page.etag === page.etag;
    // Whoever comes next is answered at once, in the encodings that were asked for before.
    if (!isSame && page.isCacheable && known?.shown.variants.br) await page.encode('br');
    if (!isSame && page.isCacheable && known?.shown.variants.gzip) await page.encode('gzip');
    // Rendered before a change: it may show what is no longer so.
    if (startedIn !== generation) return page;
    found?.delete(key);
    missing?.delete(key);
    if (!page.isCacheable) return page;
    // Of the same bytes, what was compressed stays good.
    const kept = isSame ? known.page : page;
    const entry: Entry = {
      key,
      page: kept,
      shown: kept,
      generation,
      renderedAt: startedAt,
      freshUntil: startedAt + FRESH_MS,
      staleUntil: startedAt + STALE_MS,
    };
    entryOf.set(kept, entry);
    (kept.status === 404 ? missing : found)?.set(key, entry);
    return kept;
  }

  /** The last good page with its notice, served until the next try. */
  function fallBack(key: string, startedIn: number): Page | undefined {
    const entry = found?.get(key);
    const time = now();
    if (entry === undefined || startedIn !== generation) return undefined;
    if (time - entry.renderedAt >= STALE_IF_ERROR_MS) return undefined;
    if (entry.shown === entry.page) {
      entry.shown = entry.page.toOutdated();
      entryOf.set(entry.shown, entry);
      measure(entry);
    }
    entry.freshUntil = time + FRESH_MS;
    entry.staleUntil = time + STALE_MS;
    return entry.shown;
  }

  /** Has the cache count the bytes of an entry that grew. */
  function measure(entry: Entry): void {
    const room = entry.page.status === 404 ? missing : found;
    // The room measures only what is new to it.
    if (room?.peek(entry.key) === entry && room.delete(entry.key)) room.set(entry.key, entry);
  }

  function remember(url: string, key: string): void {
    if (url.length > SPELLING_LENGTH_MAX) return;
    if (spellings.size >= SPELLINGS_MAX) spellings.clear();
    spellings.set(url, key);
  }

  return {
    find(url) {
      const key = spellings.get(url);
      return key === undefined ? undefined : findByKey(key);
    },
    async get(target, url, requestId) {
      const key = toKey(target, allowed);
      if (found === undefined) return render(key, requestId);
      remember(url, key);
      return findByKey(key) ?? share(key, requestId);
    },
    changed() {
      generation += 1;
      found?.clear();
      missing?.clear();
    },
    resized(page) {
      const entry = entryOf.get(page);
      if (entry !== undefined && entry.generation === generation) measure(entry);
    },
    get byteSize() {
      return (found?.calculatedSize ?? 0) + (missing?.calculatedSize ?? 0);
    },
  };
}

function createRoom(maxBytes: number): LRUCache<string, Entry> {
  return new LRUCache<string, Entry>({
    maxSize: Math.floor(maxBytes),
    sizeCalculation: ({ page, shown }, key) =>
      page.byteSize + (shown === page ? 0 : shown.byteSize) + key.length * 2,
  });
}

/** The path with the parameters that count, in one order: what is rendered and what it is kept under. */
function toKey({ path, query }: Target, allowed: ReadonlySet<string>): string {
  if (query === '') return path;
  const kept = [...new URLSearchParams(query)].filter(([name]) => allowed.has(name));
  if (kept.length === 0) return path;
  kept.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `${path}?${new URLSearchParams(kept).toString()}`;
}
