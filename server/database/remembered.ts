import type { Database } from './open.ts';

/** Other processes' changes show after this long; our own at once. */
const REMEMBERED_MS = 3_000;

interface Entry {
  readonly value: Promise<unknown>;
  readonly until: number;
}

const entries = new WeakMap<Database, Map<string, Entry>>();

/**
 * What `load` gave a moment ago, or gives now. For the few small things every page needs (settings,
 * genres); callers that come at once share one load, and a failed one is not kept.
 */
export function remembered<Value>(
  database: Database,
  key: string,
  load: () => Promise<Value>,
  keepMs = REMEMBERED_MS,
): Promise<Value> {
  let ofDatabase = entries.get(database);
  if (ofDatabase === undefined) entries.set(database, (ofDatabase = new Map()));
  const known = ofDatabase.get(key);
  if (known !== undefined && known.until > performance.now()) return known.value as Promise<Value>;
  const value = load();
  ofDatabase.set(key, { value, until: performance.now() + keepMs });
  value.catch(() => ofDatabase.delete(key));
  return value;
}

/** Forgets what was remembered, after a change. */
export function forget(database: Database): void {
  entries.get(database)?.clear();
}
