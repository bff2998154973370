import { LRUCache } from 'lru-cache';
import { asProcess } from '../drivers/connection-share.ts';
import type { Database } from '../open.ts';

/** Changes by other processes become visible after this time, our own at once. */
const CACHE_MS = 3_000;

interface Entry {
  readonly value: Promise<unknown>;
  readonly until: number;
}

/** Keys per database; the least recently used one is evicted. */
const KEYS_MAX = 200;

/** By connection: several objects may stand for one database. */
const caches = new WeakMap<Database['db'], LRUCache<string, Entry>>();

/**
 * Returns the recent result of `load`, or calls it. Used for the few small values that every page needs (settings,
 * genres). Concurrent callers share one load. Failures and undefined results are not cached: the keys of missing values
 * are unbounded.
 */
export function cached<Value>(
  { db }: Database,
  key: string,
  load: () => Promise<Value>,
  cacheMs = CACHE_MS,
): Promise<Value> {
  let cache = caches.get(db);
  if (cache === undefined) caches.set(db, (cache = new LRUCache({ max: KEYS_MAX })));
  const cached = cache.get(key);
  if (cached !== undefined && cached.until > performance.now()) return cached.value as Promise<Value>;
  const value = asProcess(load);
  const entry: Entry = { value, until: performance.now() + cacheMs };
  cache.set(key, entry);
  const drop = () => {
    // A change may have started another load.
    if (cache.peek(key) === entry) cache.delete(key);
  };
  value.then((found) => found === undefined && drop(), drop);
  return value;
}

/** Invalidates one key, or all of them, after a change. */
export function invalidateCache({ db }: Pick<Database, 'db'>, key?: string): void {
  if (key === undefined) caches.get(db)?.clear();
  else caches.get(db)?.delete(key);
}

/** The number of cached keys. For tests. @internal */
export function countCached({ db }: Database): number {
  return caches.get(db)?.size ?? 0;
}
