/**
 * Stores that outlive a member. Their state is public, belongs to the browser (the volume), or is dropped in part by
 * a listener of `onMemberLeave`. State of a member is made with `memberAtom` or `memberMap`
 * (`src/stores/shared/member-atom.ts`); `tests/src/stores/member-state.test.ts` fails for a store that is neither.
 */
export { atom as publicAtom, map as publicMap } from 'nanostores';
export { persistentAtom as publicPersistentAtom } from '@nanostores/persistent';
