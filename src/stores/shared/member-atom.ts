import { type MapStore, type WritableAtom, atom, computed, map } from 'nanostores';
import { $session, onMemberLeave } from '../session/session.ts';

let members = 0;
let controller = new AbortController();
onMemberLeave(() => {
  members += 1;
  controller.abort();
  controller = new AbortController();
});

/** Distinguishes members even if the host gives no ids. `null` for visitors. */
export const $memberKey = computed($session, ({ isAuthenticated, user }) =>
  isAuthenticated ? `${user?.id ?? 'member'} ${members}` : null,
);

/** Aborts when the current member logs out or is replaced by another. */
export function memberSignal(): AbortSignal {
  return controller.signal;
}

/**
 * State of a member: resets to `initial` when they log out or another member logs in. `onReset` gets the previous
 * value, to clean up what belongs to it. For module-level stores only: one created by a component would never be freed.
 */
export function memberAtom<Value>(initial: Value, onReset?: (value: Value) => void): WritableAtom<Value> {
  return resetWithMember(atom(initial), initial, onReset);
}

/** Like `memberAtom`, for a map. */
export function memberMap<Value extends object>(initial: Value): MapStore<Value> {
  return resetWithMember(map(initial), initial);
}

function resetWithMember<Value, Store extends WritableAtom<Value>>(
  $store: Store,
  initial: Value,
  onReset?: (value: Value) => void,
): Store {
  onMemberLeave(() => {
    onReset?.($store.get());
    $store.set(initial);
  });
  return $store;
}
