import { publicAtom } from '../../browser/public-atom.ts';
import type { ListingState, SearchText } from './results.ts';

export { $box, closeBox, leaveBox, offer } from './box.ts';
export { findActive, listOptions, pressKey } from './combobox.ts';
export type { Option } from './combobox.ts';
export { $completions } from './completions.ts';
export { reportMissed } from './missed.ts';
export { clearRecent, readRecent, removeRecent } from './recent.ts';
export { createSoundSearch } from './results.ts';
export type { ListingState } from './results.ts';

/** Text of the navbar's search box (spec §3, session); null until it is edited. */
export const $search = publicAtom<SearchText | null>(null);

/** Whether the listing waits for a search or for more sounds, or why it could not show them. */
export const $listingState = publicAtom<ListingState>({ state: 'ready' });
