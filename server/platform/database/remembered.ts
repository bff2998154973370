import { LRUCache } from 'lru-cache';
import type { Database } from './open.ts';

/** Changes by other processes become visible after this time, our own at once. */
const REMEMBERED_MS = 3_000;

interface Entry {
  readonly value: Promise<unknown>;
  readonly until: number;
}

/** Keys per database; the least recently used one is evicted. */
const KEYS_MAX = 200;

const entries = new WeakMap<Database, LRUCache<string, Entry>>();

/**
 * Returns the recent result of `load`, or calls it. Used for the few small values that every page needs (settings,
 * genres). Concurrent callers share one load. Failures and undefined results are not cached: the keys of missing values
 * are unbounded.
 */
export function remembered<Value>(
  database: Database,
  key: string,
  load: () => Promise<Value>,
  keepMs = REMEMBERED_MS,
): Promise<Value> {
  let ofDatabase = entries.get(database);
  if (ofDatabase === undefined) entries.set(database, (ofDatabase = new LRUCache({ max: KEYS_MAX })));
  const known = ofDatabase.get(key);
  if (known !== undefined && known.until > performance.now()) return known.value as Promise<Value>;
  const value = load();
  const entry: Entry = { value, until: performance.now() + keepMs };
  ofDatabase.set(key, entry);
  const drop = () => {
    // A change may have started another load.
    if (ofDatabase.peek(key) === entry) ofDatabase.delete(key);
  };
  value.then((found) => found === undefined && drop(), drop);
  return value;
}

/** Invalidates one key, or all of them, after a change. */
export function forget(database: Database, key?: string): void {
  if (key === undefined) entries.get(database)?.clear();
  else entries.get(database)?.delete(key);
}

/** The number of cached keys. */
export function countRemembered(database: Database): number {
  return entries.get(database)?.size ?? 0;
}
