import { publicAtom } from '../../browser/public-atom.ts';
import { CLOSED, type ListState } from './combobox.ts';
import { complete } from './completions.ts';
import { addRecent } from './recent.ts';

export interface Box extends ListState {
  /** The text that the list belongs to. */
  readonly typed: string;
}

/** The list of the search box. */
export const $box = publicAtom<Box>({ ...CLOSED, typed: '' });

/** Opens the list for a text. For one that is already searched for, it opens only when the visitor asks. */
export function offer(typed: string, isAsked: boolean): void {
  if (isAsked) complete(typed);
  $box.set({ isOpen: isAsked || typed === '', active: null, typed });
}

export function closeBox(): void {
  complete('');
  $box.set({ ...$box.get(), ...CLOSED });
}

/** Closes the list when the visitor goes on to the results, and remembers what they typed. */
export function leaveBox(): void {
  const { isOpen, typed } = $box.get();
  if (isOpen) addRecent(typed);
  closeBox();
}
