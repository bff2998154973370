import { parseSoundFilters } from '../../lib/sound-filters.ts';
import { rememberFilters } from '../../stores/session/session.ts';

/** Stores the filters of the shown listing (spec §3, session). */
export function rememberSearch(): void {
  const { search, subGenres, type } = parseSoundFilters(new URLSearchParams(location.search));
  rememberFilters({ search, subgenres: subGenres, type });
}
