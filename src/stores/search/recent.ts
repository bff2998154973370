import { addRecentSearch, readRecentSearches, removeRecentSearch } from '../../browser/recent-searches.ts';
import { $session } from '../session/session.ts';

export { clearRecentSearches as clearRecent } from '../../browser/recent-searches.ts';

const readOwner = () => $session.get().user?.id ?? '';

/** The last searches of this browser, newest first. */
export function readRecent(): readonly string[] {
  return readRecentSearches(readOwner());
}

export function addRecent(text: string): void {
  addRecentSearch(readOwner(), text);
}

export function removeRecent(text: string): void {
  removeRecentSearch(readOwner(), text);
}
