import { readStored, writeStored } from './stored.ts';

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
  const stored = readStored(KEY, toStored);
  if (stored.owner === '' || stored.owner === owner) return stored.texts;
  clearRecentSearches();
  return [];
}

/** Puts a search first. Nothing is stored where storage is denied. */
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
  writeStored(KEY, null);
}

/** Anything else than a list of texts counts as absent. */
function toStored(stored: unknown): Stored {
  const { owner, texts }: Partial<Stored> = stored ?? {};
  if (typeof owner !== 'string' || !Array.isArray(texts)) return { owner: '', texts: [] };
  return { owner, texts: texts.filter((text) => typeof text === 'string').slice(0, RECENT_MAX) };
}

function write(stored: Stored): void {
  // The replacement of denied storage lasts for this page only, so that they would wrongly look saved.
  if (!window.early?.isStorageOff) writeStored(KEY, stored);
}
