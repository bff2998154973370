import { useStore } from '@nanostores/react';
import type { ReadableAtom } from 'nanostores';

/**
 * Reads a store in an island. The server's HTML and the first render in the browser both show `first`, or else the
 * store's initial value, so that hydration matches; the store's own value follows.
 */
export function useShared<Value>(store: ReadableAtom<Value>, first?: Value): Value {
  return useStore(store, { ssr: first === undefined ? 'initial' : () => first }) as Value;
}
