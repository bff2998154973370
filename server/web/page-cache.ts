import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../contract/values/time-units.ts';
import { isRefusal } from '../platform/limits/admission.ts';
import type { Admission } from '../platform/limits/admission.ts';
import { createLru, hasAny } from './page-cache-entries.ts';
import type { Changes, Entry, Rendering } from './page-cache-entries.ts';
import type { Page, PageFailure } from './pages.ts';
import type { Target } from './targets.ts';

/**
 * Pages of the age `freshMs` are served directly, and up to `staleMs` while they are rendered again. With the two
 * seconds that API replies are cached (src/render/remembering.ts), a change on another host is visible within five
 * seconds.
 */
const UNANNOUNCED = { freshMs: 2_000, staleMs: 3_000 };
/** For pages that a change drops by a tag. What is not announced (docs/scaling.md) is visible after a minute. */
const ANNOUNCED = { freshMs: 30_000, staleMs: 60_000 };
/**
 * A browser that revalidates (F5, or a member who has just changed something) gets no older copy of a page whose
 * changes are not announced. The page is then rendered at most twice a second, counted against the budget of those who
 * request it.
 */
const REVALIDATED_MS = 500;
/** While the API fails, a page up to this age is served instead (stale-if-error, RFC 5861 §4). */
const STALE_IF_ERROR_MS = DAY_MS;
/**
 * The same for pages that show sounds or artists, which all have tags. The limit is shorter, since takedowns on another
 * host are not announced here; it is shortest while that host answers, and only a part is missing or this process is
 * busy.
 */
const STALE_MEMBERS_MS = { outage: HOUR_MS, incomplete: 5 * MINUTE_MS, busy: 5 * MINUTE_MS };
/** Pages that do not exist have a small cache of their own, so that invented addresses evict no real pages. */
const MISSING_SHARE = 1 / 16;
/** Spellings of addresses; bounded in number and length, hence in bytes. */
const SPELLINGS_MAX = 10_000;
const SPELLING_LENGTH_MAX = 256;
/** How often a visitor joins another visitor's rendering before the refusal of that one applies to both. */
const JOINS_MAX = 3;

export interface PageCacheOptions {
  /** Renders the page of a key from `toKey`, and reports its dependencies (contract/site/page-tags.ts) by calling `note`. */
  readonly render: (key: string, requestId: string, note: (tag: string) => void) => Promise<Page>;
  /** Maps all addresses of the same page to one, see src/render/page-targets.ts. */
  readonly toKey: (target: Target) => string;
  /** Admission of renderings. */
  readonly admission: Admission;
  /** Whether `changed` learns of each change of what a page with tags shows; false for an API on another host. */
  readonly isAnnounced?: boolean;
  /** 0 disables the cache. */
  readonly maxBytes: number;
  readonly now?: () => number;
}

export interface PageCache {
  /** The page for a raw request target, if it is available synchronously. The hot path. */
  find(url: string, visitor: string, isRevalidation?: boolean): Page | undefined;
  /**
   * The page for a target, rendered if necessary; concurrent requests share one rendering. If it cannot be rendered,
   * the last good one with its warning. `visitor` is the address of the request. Throws `Busy` and `TooManyRequests`
   * when the visitor's rendering is refused and there is no older copy.
   */
  get(
    target: Target,
    url: string,
    requestId: string,
    visitor: string,
    isRevalidation?: boolean,
  ): Promise<Page>;
  /**
   * Call after a change of what pages show: pages that depend on one of the tags and were rendered before are not
   * served any more. Without tags, this applies to all pages.
   */
  changed(tags?: readonly string[]): void;
  /** Reports that the memory of the page has changed: it has been compressed. */
  resized(page: Page): void;
  readonly byteSize: number;
  /** The number of entries in each of the cache's maps, for tests of their bounds. */
  readonly sizes: Readonly<Record<string, number>>;
}

export function createPageCache(options: PageCacheOptions): PageCache {
  const { render, toKey, admission, isAnnounced = false, maxBytes, now = Date.now } = options;
  const found = maxBytes === 0 ? undefined : createLru(maxBytes * (1 - MISSING_SHARE));
  const missing = maxBytes === 0 ? undefined : createLru(maxBytes * MISSING_SHARE);
  const spellings = new Map<string, string>();
  /** The newest rendering of each key, including queued ones. */
  const renderings = new Map<string, Rendering>();
  /** The changes of all renderings that have started to read. */
  const underWay = new Set<Changes>();
  const entryOf = new WeakMap<Page, Entry>();

  function findByKey(key: string, visitor: string, isRevalidation: boolean): Page | undefined {
    const entry = found?.get(key) ?? missing?.get(key);
    if (entry === undefined) return undefined;
    const time = now();
    if (time >= entry.staleUntil) return undefined;
    if (isRevalidation && !isDropped(entry.tags) && isOld(entry.renderedAt)) return undefined;
    if (time >= entry.freshUntil && !renderings.has(key)) {
      // A failure is reported where it occurs; a request that finds the page too old renders it again. On the account of
      // the visitor, who could otherwise have many pages renewed again and again.
      begin(key, 'renewal', visitor).page.catch(() => undefined);
    }
    return entry.served;
  }

  /** Whether `changed` drops a page with these tags. */
  function isDropped(tags: ReadonlySet<string>): boolean {
    return isAnnounced && tags.size > 0;
  }

  function isOld(begunAt: number): boolean {
    return now() - begunAt >= REVALIDATED_MS;
  }

  /** Renders a page once for all concurrent requests. */
  async function share(
    key: string,
    requestId: string,
    visitor: string,
    isRevalidation: boolean,
  ): Promise<Page> {
    for (let joins = 0; ; joins += 1) {
      const running = renderings.get(key);
      const isTooOld =
        running !== undefined &&
        (hasAny(running.changes) || (isRevalidation && !isAnnounced && isOld(running.begunAt)));
      if (running === undefined || joins >= JOINS_MAX || isTooOld) {
        return begin(key, requestId, visitor).page;
      }
      try {
        return await running.page;
      } catch (error) {
        // Visitors who were refused because of another visitor retry on their own.
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
    const rendering = { visitor, changes, begunAt: now(), page };
    renderings.set(key, rendering);
    return rendering;
  }

  /** Renders and stores a page; if that fails, the last good one is served. */
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
    return storePage(key, page, tags, changes, startedAt);
  }

  async function storePage(
    key: string,
    page: Page,
    tags: ReadonlySet<string>,
    changes: Changes,
    startedAt: number,
  ): Promise<Page> {
    const cached = found?.get(key) ?? missing?.get(key);
    const isSame = page.isCacheable && cached?.page.etag === page.etag;
    // Prepares the encoding that was requested before, so that the next request is answered at once.
    if (!isSame && page.isCacheable && cached?.served.isCompressed) await page.encode('br');
    // Rendered before a change: it may be outdated.
    if (changes.isAll || !changes.tags.isDisjointFrom(tags)) return page;
    // A rendering that began later has already ended.
    if (cached !== undefined && cached.renderedAt > startedAt) return page;
    found?.delete(key);
    missing?.delete(key);
    if (!page.isCacheable) return page;
    // If the bytes are the same, the compressed page remains valid.
    const stored = isSame ? cached.page : page;
    const { freshMs, staleMs } = isDropped(tags) ? ANNOUNCED : UNANNOUNCED;
    const entry: Entry = {
      key,
      page: stored,
      outdated: undefined,
      served: stored,
      tags,
      renderedAt: startedAt,
      freshUntil: startedAt + freshMs,
      staleUntil: startedAt + staleMs,
    };
    entryOf.set(stored, entry);
    (stored.status === 404 ? missing : found)?.set(key, entry);
    return stored;
  }

  /** The last good page with its warning, served until the next attempt. */
  function fallBack(key: string, why: PageFailure): Page | undefined {
    const entry = found?.get(key);
    const outdated = findOutdated(key, why);
    if (entry === undefined || outdated === undefined) return undefined;
    const time = now();
    const { freshMs, staleMs } = UNANNOUNCED;
    Object.assign(entry, { served: outdated, freshUntil: time + freshMs, staleUntil: time + staleMs });
    return outdated;
  }

  /** The last good page with its warning. A change of its content has removed it. */
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

  /** Updates the byte count of an entry. */
  function measure(entry: Entry): void {
    const room = entry.page.status === 404 ? missing : found;
    // The cache measures an entry only when it is added.
    if (room?.peek(entry.key) === entry && room.delete(entry.key)) room.set(entry.key, entry);
  }

  function remember(url: string, key: string): void {
    if (url.length > SPELLING_LENGTH_MAX) return;
    if (spellings.size >= SPELLINGS_MAX) spellings.clear();
    spellings.set(url, key);
  }

  return {
    find(url, visitor, isRevalidation = false) {
      const key = spellings.get(url);
      return key === undefined ? undefined : findByKey(key, visitor, isRevalidation);
    },
    async get(target, url, requestId, visitor, isRevalidation = false) {
      const key = toKey(target);
      let page: Page;
      try {
        if (found === undefined) {
          return await admission.run(visitor, () => render(key, requestId, () => undefined));
        }
        page =
          findByKey(key, visitor, isRevalidation) ?? (await share(key, requestId, visitor, isRevalidation));
      } catch (error) {
        const present = isRevalidation && isRefusal(error) ? findByKey(key, visitor, false) : undefined;
        if (present !== undefined) return present;
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
