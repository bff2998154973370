import { LRUCache } from 'lru-cache';
import type { Page } from './pages.ts';
import type { Target } from './targets.ts';

/** Pages this young are served without a thought. */
const FRESH_MS = 2_000;
/** Pages this old are still served, while one new rendering is under way. */
const STALE_MS = 60_000;
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
  /** The page for a target, rendered when it must be; requests at the same time share one rendering. */
  get(target: Target, url: string, requestId: string): Promise<Page>;
  /** Call after a change of what pages show: nothing rendered before is served afterwards. */
  changed(): void;
  /** Tells that the page grew (by a compressed variant). */
  resized(page: Page): void;
  readonly byteSize: number;
}

interface Entry {
  readonly key: string;
  page: Page;
  readonly generation: number;
  freshUntil: number;
  staleUntil: number;
  isRenewing: boolean;
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
    if (time < entry.freshUntil) return entry.page;
    if (time >= entry.staleUntil) return undefined;
    if (!entry.isRenewing) void renew(entry);
    return entry.page;
  }

  /** Renders anew behind the stale page; a failure leaves it in place until it is too old. */
  async function renew(entry: Entry): Promise<void> {
    entry.isRenewing = true;
    const startedAt = now();
    try {
      const page = await render(entry.key, 'renewal');
      if (!page.isCacheable) throw new Error(`status ${page.status}`);
      if (page.etag === entry.page.etag) {
        // The same bytes: what was compressed stays good.
        entry.freshUntil = startedAt + FRESH_MS;
        entry.staleUntil = startedAt + STALE_MS;
        return;
      }
      if (entry.page.variants.br) await page.encode('br');
      if (entry.page.variants.gzip) await page.encode('gzip');
      store(entry.key, page, entry.generation, startedAt);
    } catch {
      // The request that finds it too old renders it itself, and reports what is wrong.
      entry.freshUntil = now() + FRESH_MS;
    } finally {
      entry.isRenewing = false;
    }
  }

  function store(key: string, page: Page, renderedIn: number, startedAt: number): void {
    // Rendered before a change: it may show what is no longer so.
    if (renderedIn !== generation || !page.isCacheable) return;
    const entry: Entry = {
      key,
      page,
      generation,
      freshUntil: startedAt + FRESH_MS,
      staleUntil: startedAt + STALE_MS,
      isRenewing: false,
    };
    entryOf.set(page, entry);
    const [room, otherRoom] = page.status === 404 ? [missing, found] : [found, missing];
    otherRoom?.delete(key);
    room?.set(key, entry);
  }

  function remember(url: string, key: string): void {
    if (url.length > SPELLING_LENGTH_MAX) return;
    if (spellings.size >= SPELLINGS_MAX) spellings.clear();
    spellings.set(url, key);
  }

  async function renderAndStore(key: string, requestId: string): Promise<Page> {
    const startedIn = generation;
    const startedAt = now();
    const page = await render(key, requestId);
    store(key, page, startedIn, startedAt);
    return page;
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
      const page = findByKey(key);
      if (page !== undefined) return page;
      const running = renderings.get(key);
      if (running?.generation === generation) return running.page;
      const rendering: Rendering = { generation, page: renderAndStore(key, requestId) };
      renderings.set(key, rendering);
      try {
        return await rendering.page;
      } finally {
        if (renderings.get(key) === rendering) renderings.delete(key);
      }
    },
    changed() {
      generation += 1;
      found?.clear();
      missing?.clear();
    },
    resized(page) {
      const entry = entryOf.get(page);
      if (entry === undefined || entry.page !== page || entry.generation !== generation) return;
      const room = page.status === 404 ? missing : found;
      if (room?.peek(entry.key) === entry) room.set(entry.key, entry);
    },
    get byteSize() {
      return (found?.calculatedSize ?? 0) + (missing?.calculatedSize ?? 0);
    },
  };
}

function createRoom(maxBytes: number): LRUCache<string, Entry> {
  return new LRUCache<string, Entry>({
    maxSize: Math.floor(maxBytes),
    sizeCalculation: (entry, key) => entry.page.byteSize + key.length * 2,
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
