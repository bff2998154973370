import { useSyncExternalStore } from 'react';

const subscribe = () => () => undefined;

/** Whether React has taken over: false in the server's HTML and in the render that meets it. */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => true,
    () => false,
  );
}
