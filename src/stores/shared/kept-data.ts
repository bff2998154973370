import type { FetcherStore } from '@nanostores/query';
import { onStop } from 'nanostores';

/**
 * Keeps the last result of a query visible while it is read again, and after a failure. Without this, the query layer
 * drops it at the first failure or after five minutes, and content would disappear and return. The data is kept per key
 * and only while there are listeners: a later visit starts with the cache.
 */
export function keepData<Data>($query: FetcherStore<Data>): FetcherStore<Data> {
  const { set } = $query;
  let kept: { readonly key: string | undefined; readonly data: Data } | null = null;
  $query.set = (value) => {
    const { key } = $query;
    if (value.data !== undefined) kept = { key, data: value.data };
    else if (kept?.key !== key) kept = null;
    set(value.data === undefined && kept ? { ...value, data: kept.data } : value);
  };
  onStop($query, () => (kept = null));
  return $query;
}
