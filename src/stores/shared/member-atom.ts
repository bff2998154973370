import { type MapStore, type WritableAtom, atom, computed, map } from 'nanostores';
import { $session, onMemberGone } from '../session/session.ts';

let members = 0;
let life = new AbortController();
onMemberGone(() => {
  members += 1;
  life.abort();
  life = new AbortController();
});

/** Tells one member from the next, also where the host gives no ids. `null` for visitors. */
export const $memberKey = computed($session, ({ isAuthenticated, user }) =>
  isAuthenticated ? `${user?.id ?? 'member'} ${members}` : null,
);

/** Aborts when the present member logs out or another one takes their place. */
export function memberSignal(): AbortSignal {
  return life.signal;
}

/**
 * State of a member: goes back to `initial` when they log out or another one takes their place. `onForget` gets the
 * value just before, to end what belongs to it. For stores of modules: one made for a component would never be freed.
 */
export function memberAtom<Value>(initial: Value, onForget?: (value: Value) => void): WritableAtom<Value> {
  return forgetWithMember(atom(initial), initial, onForget);
}

/** The same for a map. */
export function memberMap<Value extends object>(initial: Value): MapStore<Value> {
  return forgetWithMember(map(initial), initial);
}

function forgetWithMember<Value, Store extends WritableAtom<Value>>(
  $store: Store,
  initial: Value,
  onForget?: (value: Value) => void,
): Store {
  onMemberGone(() => {
    onForget?.($store.get());
    $store.set(initial);
  });
  return $store;
}
