import { type PersistentEncoder, persistentAtom } from '@nanostores/persistent';
import type { WritableAtom } from 'nanostores';

/**
 * Stores that outlive a member. Their state is public, belongs to the browser (the volume), or is dropped in part by
 * a listener of `onMemberLeave`. State of a member is made with `memberAtom` or `memberMap`
 * (`src/stores/shared/member-atom.ts`); `tests/src/stores/member-state.test.ts` fails for a store that is neither.
 */
export { atom as publicAtom, map as publicMap } from 'nanostores';

/**
 * Stored by the browser. The first render in the browser shows `initial`, as the server's HTML does
 * (`src/islands/ui/use-store.ts`).
 */
export function publicPersistentAtom<Value>(
  name: string,
  initial: Value,
  options: PersistentEncoder<Value> & { readonly listen?: boolean },
): WritableAtom<Value> {
  return Object.assign(persistentAtom<Value>(name, initial, options), { init: initial });
}
