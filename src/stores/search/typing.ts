import type { TransitionBeforePreparationEvent } from 'astro:transitions/client';
import { isListing } from '../../lib/fragments.ts';
import { changeFilters, parseSoundFilters, toSoundsUrl } from '../../lib/sound-filters.ts';
import { type NavigationInfo, cancelSearch, goTo, resumeNavigation } from '../../navigation/navigation.ts';

/** Debounce of typing before the server is asked. */
const DEBOUNCE_MS = 150;
/** After a pause of this length, further typing is a new search with its own history entry. */
const PAUSE_MS = 1000;

let debounce: ReturnType<typeof setTimeout> | undefined;
let typedAt = 0;
let wasFinal = true;
/** The search whose history entry typing still replaces, and the address of the entry before it. */
let entry: { text: string; readonly before: string } | null = null;

const readAddress = () => location.pathname + location.search;

/** Shows the listing for the text of the search box. `isFinal`: Enter was pressed, so it does not wait for more typing. */
export function searchFor(typed: string, isFinal: boolean): void {
  clearTimeout(debounce);
  // Added once.
  document.addEventListener('astro:before-preparation', dropOnNavigation);
  if (!isListing(location)) return;
  closeEntry(isFinal);
  const filters = parseSoundFilters(new URLSearchParams(location.search));
  const search = typed.trim();
  if (search === filters.search) return cancelSearch();
  const go = () => void show(search, toSoundsUrl(changeFilters(filters, { search })));
  if (isFinal) go();
  else debounce = setTimeout(go, DEBOUNCE_MS);
}

/** Continued typing in one word replaces the entry; a search after a pause or Enter adds one. */
function closeEntry(isFinal: boolean): void {
  const now = performance.now();
  // An entry equal to the previous one stays open, so that the next search replaces it.
  if ((wasFinal || now - typedAt > PAUSE_MS) && entry?.before !== readAddress()) entry = null;
  typedAt = now;
  wasFinal = isFinal;
}

async function show(text: string, url: string): Promise<void> {
  if (resumeNavigation(url)) return;
  const before = readAddress();
  const isSame =
    entry !== null && (entry.before === before || text.startsWith(entry.text) || entry.text.startsWith(text));
  await goTo(url, { history: isSame ? 'replace' : 'push', info: { task: 'search' } });
  // Another navigation has replaced it.
  if (readAddress() !== url) return;
  if (isSame && entry !== null) entry.text = text;
  else entry = { text, before };
}

/** Another navigation ends a search that has not begun, and its entry. */
function dropOnNavigation({ info }: TransitionBeforePreparationEvent): void {
  if ((info as NavigationInfo | undefined)?.task === 'search') return;
  clearTimeout(debounce);
  entry = null;
}
