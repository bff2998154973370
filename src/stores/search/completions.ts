import { isExtended } from '../../browser/extended-host.ts';
import { publicAtom } from '../../browser/public-atom.ts';
import type { Found } from './combobox.ts';

const NOTHING: Found = { words: [], artists: [], sounds: [] };
/** Debounce of typing before the host is asked. */
const DEBOUNCE_MS = 120;

/** The completions of the text in the search box; the previous ones until the host has answered. */
export const $completions = publicAtom<Found>(NOTHING);

let debounce: ReturnType<typeof setTimeout> | undefined;
let call = new AbortController();

/** Asks for the completions of a text. They are an aid: nothing is shown where the host does not answer. */
export function complete(text: string): void {
  clearTimeout(debounce);
  call.abort();
  call = new AbortController();
  const search = text.trim();
  if (search === '' || !isExtended()) $completions.set(NOTHING);
  else debounce = setTimeout(() => void ask(search, call.signal), DEBOUNCE_MS);
}

async function ask(search: string, signal: AbortSignal): Promise<void> {
  try {
    // Loads with the first text that is typed.
    const { fetchCompletions } = await import('./fetch-completions.ts');
    const found = await fetchCompletions(search, signal);
    if (!signal.aborted) $completions.set(found);
  } catch {
    if (!signal.aborted) $completions.set(NOTHING);
  }
}
