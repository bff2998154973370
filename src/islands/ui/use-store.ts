import { useStore as useLibraryStore } from '@nanostores/react';
import type { ReadableAtom } from 'nanostores';

const LOADING = { loading: true };

/**
 * Reads a store in an island. The server's HTML and the first render in the browser both show the same value, so that
 * hydration matches, and the store's own value follows: a query loads, other stores have their initial value. A computed
 * store has none; give `first` if it can change before hydration.
 */
export function useStore<Value>(store: ReadableAtom<Value>, first?: Value): Value {
  const initial: unknown = 'revalidate' in store ? LOADING : (store as { init?: Value }).init;
  const value = first === undefined ? initial : first;
  return useLibraryStore(store, { ssr: value === undefined ? false : () => value as Value }) as Value;
}
