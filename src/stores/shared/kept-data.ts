import type { FetcherStore } from '@nanostores/query';
import { onStop } from 'nanostores';

/**
 * Has a query show what it read last while it reads anew, and when that fails. By itself the layer forgets
 * it with the first failure, or after its five minutes, and what stands on the page would go and come back.
 * It belongs to its key and to the time somebody looks: a later visit begins with what the cache has.
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
