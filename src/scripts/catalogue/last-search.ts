import { isExtended } from '../../browser/extended-host.ts';
import { parseSoundFilters } from '../../lib/sound-filters.ts';
import { rememberFilters } from '../../stores/session/session.ts';

/** A search that is unchanged for this long is no longer being typed. */
const SETTLED_MS = 3_000;

let settling: ReturnType<typeof setTimeout> | undefined;

/** Stores the filters of the current listing (spec §3, session), and reports a search that found nothing. */
export function rememberSearch(): void {
  const { search, subGenres, type } = parseSoundFilters(new URLSearchParams(location.search));
  rememberFilters({ search, subgenres: subGenres, type });
  reportMissedSearch();
}

/** Reports the search to the host if it found nothing, once it has been unchanged for a while. */
function reportMissedSearch(): void {
  clearTimeout(settling);
  const { missed } = document.querySelector<HTMLElement>('[data-missed]')?.dataset ?? {};
  if (!missed || !isExtended()) return;
  settling = setTimeout(() => {
    if (document.querySelector<HTMLElement>('[data-missed]')?.dataset['missed'] !== missed) return;
    void import('../../stores/search/search.ts')
      .then((search) => search.reportMissed(missed))
      .catch(console.warn);
  }, SETTLED_MS);
}
