import { type ReadableAtom, type WritableAtom, onSet, onStop } from 'nanostores';

interface Reading<Data> {
  readonly data?: Data | undefined;
}

/**
 * Keeps the last data of a store visible while it has none: while it is read again, and after a failure. Otherwise content
 * would disappear and return: the query layer drops it at the first failure or after five minutes. The data stays as
 * long as the key stays the same, by default that of a query, and the store has listeners: a later visit starts with the
 * cache. Without a key, it does not stay. Returns the store.
 */
export function keepPrevious<Data, Store extends ReadableAtom<Reading<Data>> & { key?: string | undefined }>(
  $reading: Store,
  readKey: () => string | null | undefined = () => $reading.key,
): Store {
  let previous: { readonly key: string; readonly data: Data } | null = null;
  onSet<never, ReadableAtom<Reading<Data>>>($reading, ({ newValue, abort }) => {
    const key = readKey();
    if (previous?.key !== key) previous = null;
    if (key && newValue.data !== undefined) previous = { key, data: newValue.data };
    if (newValue.data !== undefined || previous === null) return;
    abort();
    // A computed store has no `set` in its type, but writes its values with it.
    ($reading as unknown as WritableAtom<Reading<Data>>).set({ ...newValue, data: previous.data });
  });
  onStop($reading, () => (previous = null));
  return $reading;
}
