/**
 * The browser's storage, which is untrusted and may be full. Where it is denied, `src/scripts/early.ts` has replaced it
 * by memory. Stores of state use `publicPersistentAtom` instead. The linter names the only other files that may use
 * storage: the tokens, which are not JSON (spec §4), and the scripts of the first load, which import as little as possible.
 */
type Area = 'localStorage' | 'sessionStorage';

/** Reads a stored JSON value. `parse` gets null where nothing valid is stored. */
export function readStored<Value>(
  key: string,
  parse: (stored: unknown) => Value,
  area: Area = 'localStorage',
): Value {
  return parseStored(readText(key, area), parse);
}

/** Reads JSON that came from storage. */
export function parseStored<Value>(text: string, parse: (stored: unknown) => Value): Value {
  let stored: unknown = null;
  try {
    if (text !== '') stored = JSON.parse(text);
  } catch {
    // As if nothing were stored.
  }
  return parse(stored);
}

/** Reads a stored text that is not JSON; '' where there is none. */
export function readText(key: string, area: Area = 'localStorage'): string {
  try {
    // On the server there is no storage. Exceptions took a tenth of the time of a page with a form.
    return globalThis[area]?.getItem(key) ?? '';
  } catch {
    return '';
  }
}

/** Stores a value as JSON; null removes it. Returns false if storage is full. */
export function writeStored(key: string, value: unknown, area: Area = 'localStorage'): boolean {
  return writeText(key, value === null ? null : JSON.stringify(value), area);
}

/** Stores a text that is not JSON, as `writeStored` does. */
export function writeText(key: string, text: string | null, area: Area = 'localStorage'): boolean {
  try {
    if (text === null) globalThis[area].removeItem(key);
    else globalThis[area].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** The keys that start with a prefix, without it. */
export function listStored(prefix: string, area: Area = 'localStorage'): string[] {
  return Object.keys(globalThis[area])
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length));
}
