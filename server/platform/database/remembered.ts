import { LRUCache } from 'lru-cache';
import type { Database } from './open.ts';

/** Other processes' changes show after this long; our own at once. */
const REMEMBERED_MS = 3_000;

interface Entry {
  readonly value: Promise<unknown>;
  readonly until: number;
}

/** Keys of one database; the one that was asked for longest ago makes room. */
const KEYS_MAX = 200;

const entries = new WeakMap<Database, LRUCache<string, Entry>>();

/**
 * What `load` gave a moment ago, or gives now. For the few small things every page needs (settings,
 * genres); callers that come at once share one load. A failed one is not kept, nor one that found nothing
 * (undefined): what is asked for in vain can be anything.
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
    // After a change there may be another one.
    if (ofDatabase.peek(key) === entry) ofDatabase.delete(key);
  };
  value.then((found) => found === undefined && drop(), drop);
  return value;
}

/** Forgets what was remembered, after a change: under one key, or all of it. */
export function forget(database: Database, key?: string): void {
  if (key === undefined) entries.get(database)?.clear();
  else entries.get(database)?.delete(key);
}

/** How many keys are remembered. */
export function countRemembered(database: Database): number {
  return entries.get(database)?.size ?? 0;
}
