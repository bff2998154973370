import type { WritableAtom } from 'nanostores';
import { memberSignal } from './member-atom.ts';

/**
 * Shows `loading` until `read` has a result, or what `toFailed` makes of its error. A result is dropped if the store shows
 * something else by then: what a later read shows, or what a log-out has reset it to. Never throws.
 */
export async function load<State>(
  $store: WritableAtom<State>,
  loading: State & object,
  read: (signal: AbortSignal) => Promise<State>,
  toFailed: (error: unknown) => State,
): Promise<void> {
  const own: State = { ...loading };
  $store.set(own);
  const result = await read(memberSignal()).catch(toFailed);
  if ($store.get() === own) $store.set(result);
}
