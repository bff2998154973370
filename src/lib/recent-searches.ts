/** The last searches of this browser. They are never sent. */
const KEY = 'search:recent';
export const RECENT_MAX = 8;

interface Stored {
  /** The member's id; '' for a visitor. */
  readonly owner: string;
  readonly texts: readonly string[];
}

/** The searches that `owner` or a visitor made in this browser, newest first. Those of another member are deleted. */
export function readRecentSearches(owner: string): readonly string[] {
  const stored = read();
  if (stored.owner === '' || stored.owner === owner) return stored.texts;
  clearRecentSearches();
  return [];
}

/** Puts a search first. Nothing is stored where storage is denied or full. */
export function addRecentSearch(owner: string, text: string): void {
  const search = text.trim();
  if (search === '') return;
  const others = readRecentSearches(owner).filter((other) => other !== search);
  write({ owner, texts: [search, ...others].slice(0, RECENT_MAX) });
}

export function removeRecentSearch(owner: string, text: string): void {
  const texts = readRecentSearches(owner).filter((other) => other !== text);
  if (texts.length === 0) clearRecentSearches();
  else write({ owner, texts });
}

/** Deletes all of them. */
export function clearRecentSearches(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // If storage is denied, nothing was stored.
  }
}

/** Storage is untrusted: anything else than a list of texts counts as absent. */
function read(): Stored {
  try {
    const { owner, texts } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Stored>;
    if (typeof owner === 'string' && Array.isArray(texts))
      return { owner, texts: texts.filter((text) => typeof text === 'string').slice(0, RECENT_MAX) };
  } catch {
    // See above.
  }
  return { owner: '', texts: [] };
}

function write(stored: Stored): void {
  // The replacement of denied storage lasts for this page only, so that they would wrongly look saved.
  if (window.early?.isStorageOff) return;
  try {
    localStorage.setItem(KEY, JSON.stringify(stored));
  } catch {
    // Storage is full: the search is not remembered.
  }
}
