import { useSyncExternalStore } from 'react';

const subscribe = () => () => undefined;

/** Whether the island is hydrated: false in the server's HTML and in the first render of the browser. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
