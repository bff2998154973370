import { LRUCache } from 'lru-cache';
import { isRefusal } from '../platform/limits/limits.ts';
import type { Admission } from '../platform/limits/limits.ts';
import type { Page, PageFailure } from './pages.ts';
import type { Target } from './targets.ts';

/** Pages this young are served without a thought. */
const FRESH_MS = 2_000;
/**
 * Pages this old are still served, while one new rendering is under way. With the two seconds that replies are
 * remembered (src/api/remembering.ts), a change on another host shows within five.
 */
const STALE_MS = 3_000;
/** While the API fails, a page up to this old is served in its place (stale-if-error, RFC 5861 §4). */
const STALE_IF_ERROR_MS = 24 * 60 * 60 * 1000;
/**
 * The same for pages that show sounds or artists, which all have tags. They age sooner, since on another host a takedown
 * is not announced here; soonest while that host answers, and only a part is missing or this process is busy.
 */
const STALE_MEMBERS_MS = { outage: 60 * 60 * 1000, incomplete: 5 * 60 * 1000, busy: 5 * 60 * 1000 };
/** Pages that do not exist get a small room of their own, so that made-up addresses push out nothing real. */
const MISSING_SHARE = 1 / 16;
/** Spellings of addresses that were seen; bounded in number and length, hence in bytes. */
const SPELLINGS_MAX = 10_000;
const SPELLING_LENGTH_MAX = 256;
/** How often a visitor joins a rendering of others before it is turned away like them. */
const JOINS_MAX = 3;

export interface PageCacheOptions {
  /** Renders what `toKey` gave, and says what the page depends on (contract/page-tags.ts) by calling `note`. */
  readonly render: (key: string, requestId: string, note: (tag: string) => void) => Promise<Page>;
  /** The one address of all that show the same page, see src/lib/page-targets.ts. */
  readonly toKey: (target: Target) => string;
  /** When and for whom pages are rendered. */
  readonly admission: Admission;
  /** 0 turns the cache off. */
  readonly maxBytes: number;
  readonly now?: () => number;
}

export interface PageCache {
  /** The page for a raw request target, if it can be answered at once. The hot path. */
  find(url: string): Page | undefined;
  /**
   * The page for a target, rendered when it must be; requests at the same time share one rendering.
   * While it cannot be rendered, the last good one with its notice. `visitor` is the address group
   * that asks. Throws `Busy` and `TooMany` when the visitor cannot have it rendered now and there is
   * no older copy.
   */
  get(target: Target, url: string, requestId: string, visitor: string): Promise<Page>;
  /**
   * Call after a change of what pages show: no page that depends on one of the tags, and was rendered
   * before, is served afterwards. Without tags, no page at all.
   */
  changed(tags?: readonly string[]): void;
  /** Tells that the page grew (by a compressed variant). */
  resized(page: Page): void;
  readonly byteSize: number;
  /** How many entries there are in each of the cache's maps, for tests of their bounds. */
  readonly sizes: Readonly<Record<string, number>>;
}

interface Entry {
  readonly key: string;
  /** The last rendering that succeeded. */
  readonly page: Page;
  /** The same with a notice, once it was needed. */
  outdated: Page | undefined;
  /** Which of the two is served: the one with the notice while renewing fails. */
  shown: Page;
  readonly tags: ReadonlySet<string>;
  renderedAt: number;
  freshUntil: number;
  staleUntil: number;
}

/** What has changed since a rendering began to read. */
interface Changes {
  readonly tags: Set<string>;
  isAll: boolean;
}

interface Rendering {
  /** Who has it rendered; the others who wait for it have joined. */
  readonly visitor: string;
  readonly changes: Changes;
  readonly page: Promise<Page>;
}

export function createPageCache(options: PageCacheOptions): PageCache {
  const { render, toKey, admission, maxBytes, now = Date.now } = options;
  const found = maxBytes === 0 ? undefined : createRoom(maxBytes * (1 - MISSING_SHARE));
  const missing = maxBytes === 0 ? undefined : createRoom(maxBytes * MISSING_SHARE);
  const spellings = new Map<string, string>();
  /** The newest rendering of each key; one that waits for its turn is among them. */
  const renderings = new Map<string, Rendering>();
  /** Those of all renderings that have begun to read. */
  const underWay = new Set<Changes>();
  const entryOf = new WeakMap<Page, Entry>();

  function findByKey(key: string): Page | undefined {
    const entry = found?.get(key) ?? missing?.get(key);
    if (entry === undefined) return undefined;
    const time = now();
    if (time >= entry.staleUntil) return undefined;
    if (time >= entry.freshUntil && !renderings.has(key)) {
      // A failure is reported where it happens; who finds the page too old renders it again.
      begin(key, 'renewal', '').page.catch(() => undefined);
    }
    return entry.shown;
  }

  /** Renders a page once for all who want it at the same time. */
  async function share(key: string, requestId: string, visitor: string): Promise<Page> {
    for (let joins = 0; ; joins += 1) {
      const running = renderings.get(key);
      if (running === undefined || joins >= JOINS_MAX || hasAny(running.changes)) {
        return begin(key, requestId, visitor).page;
      }
      try {
        return await running.page;
      } catch (error) {
        // Those who were turned away with another visitor try for themselves.
        if (!isRefusal(error) || running.visitor === visitor) throw error;
      }
    }
  }

  function begin(key: string, requestId: string, visitor: string): Rendering {
    const changes: Changes = { tags: new Set(), isAll: false };
    const page = admission
      .run(visitor, () => {
        underWay.add(changes);
        return renew(key, requestId, changes);
      })
      .finally(() => {
        underWay.delete(changes);
        if (renderings.get(key) === rendering) renderings.delete(key);
      });
    const rendering = { visitor, changes, page };
    renderings.set(key, rendering);
    return rendering;
  }

  /** Renders and keeps a page; when that fails, the last good one stands in. */
  async function renew(key: string, requestId: string, changes: Changes): Promise<Page> {
    const startedAt = now();
    const tags = new Set<string>();
    let page: Page;
    try {
      page = await render(key, requestId, (tag) => void tags.add(tag));
    } catch (error) {
      const outdated = fallBack(key, 'outage');
      if (outdated === undefined) throw error;
      return outdated;
    }
    if (page.failure !== undefined) return fallBack(key, page.failure) ?? page;
    return keep(key, page, tags, changes, startedAt);
  }

  async function keep(
    key: string,
    page: Page,
    tags: ReadonlySet<string>,
    changes: Changes,
    startedAt: number,
  ): Promise<Page> {
    const known = found?.get(key) ?? missing?.get(key);
    const isSame = page.isCacheable && known?.page.etag === page.etag;
    // Whoever comes next is answered at once, in the encodings that were asked for before.
    if (!isSame && page.isCacheable && known?.shown.variants.br) await page.encode('br');
    if (!isSame && page.isCacheable && known?.shown.variants.gzip) await page.encode('gzip');
    // Rendered before a change: it may show what is no longer so.
    if (changes.isAll || !changes.tags.isDisjointFrom(tags)) return page;
    found?.delete(key);
    missing?.delete(key);
    if (!page.isCacheable) return page;
    // Of the same bytes, what was compressed stays good.
    const kept = isSame ? known.page : page;
    const entry: Entry = {
      key,
      page: kept,
      outdated: undefined,
      shown: kept,
      tags,
      renderedAt: startedAt,
      freshUntil: startedAt + FRESH_MS,
      staleUntil: startedAt + STALE_MS,
    };
    entryOf.set(kept, entry);
    (kept.status === 404 ? missing : found)?.set(key, entry);
    return kept;
  }

  /** The last good page with its notice, served until the next try. */
  function fallBack(key: string, why: PageFailure): Page | undefined {
    const entry = found?.get(key);
    const outdated = findOutdated(key, why);
    if (entry === undefined || outdated === undefined) return undefined;
    const time = now();
    Object.assign(entry, { shown: outdated, freshUntil: time + FRESH_MS, staleUntil: time + STALE_MS });
    return outdated;
  }

  /** The last good page with its notice. A change of what it shows has removed it. */
  function findOutdated(key: string, why: PageFailure | 'busy'): Page | undefined {
    const entry = found?.get(key);
    if (entry === undefined) return undefined;
    const ageMsMax = entry.tags.size > 0 ? STALE_MEMBERS_MS[why] : STALE_IF_ERROR_MS;
    if (now() - entry.renderedAt >= ageMsMax) return undefined;
    if (entry.outdated === undefined) {
      entry.outdated = entry.page.toOutdated();
      entryOf.set(entry.outdated, entry);
      measure(entry);
    }
    return entry.outdated;
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
    async get(target, url, requestId, visitor) {
      const key = toKey(target);
      if (found === undefined) return admission.run(visitor, () => render(key, requestId, () => undefined));
      let page = findByKey(key);
      try {
        page ??= await share(key, requestId, visitor);
      } catch (error) {
        const outdated = isRefusal(error) ? findOutdated(key, 'busy') : undefined;
        if (outdated !== undefined) return outdated;
        if (isRefusal(error)) await admission.delayRefusal();
        throw error;
      }
      if (page.isCacheable) remember(url, key);
      return page;
    },
    changed(tags) {
      for (const changes of underWay) {
        changes.isAll ||= tags === undefined;
        for (const tag of tags ?? []) changes.tags.add(tag);
      }
      for (const room of [found, missing]) {
        const outdated = [...(room ?? [])].filter(
          ([, entry]) => tags?.some((tag) => entry.tags.has(tag)) ?? true,
        );
        for (const [key] of outdated) room?.delete(key);
      }
    },
    resized(page) {
      const entry = entryOf.get(page);
      if (entry !== undefined) measure(entry);
    },
    get byteSize() {
      return (found?.calculatedSize ?? 0) + (missing?.calculatedSize ?? 0);
    },
    get sizes() {
      return { spellings: spellings.size, renderings: renderings.size, underWay: underWay.size };
    },
  };
}

/** About what a tag takes in memory. */
const TAG_BYTES = 100;

function createRoom(maxBytes: number): LRUCache<string, Entry> {
  return new LRUCache<string, Entry>({
    maxSize: Math.floor(maxBytes),
    sizeCalculation: ({ page, outdated, tags }, key) =>
      page.byteSize + (outdated?.byteSize ?? 0) + tags.size * TAG_BYTES + key.length * 2,
  });
}

/** A rendering with any may show what is no longer so: whoever comes now does not join it. */
function hasAny({ tags, isAll }: Changes): boolean {
  return isAll || tags.size > 0;
}
