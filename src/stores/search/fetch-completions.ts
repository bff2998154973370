import { completeSearch } from '../../../contract/search/search-suggestions.ts';
import { callAnonymously } from '../../api/browser.ts';
import type { Found } from './combobox.ts';

/** Without a token, so that the browser may keep the answer. */
export function fetchCompletions(search: string, signal: AbortSignal): Promise<Found> {
  return callAnonymously(completeSearch, { query: { search }, signal });
}
