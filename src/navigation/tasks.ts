import type { TransitionBeforePreparationEvent } from 'astro:transitions/client';
import { isListing, toFragmentUrl } from '../lib/fragments.ts';
import { LAST_PAGE_ONLY } from '../lib/listing-fragment.ts';

/** What a navigation does: shows another page, another listing by a link or by typing, or appends sounds to the listing. */
export type Task = 'page' | 'listing' | 'search' | 'more';

/** The `info` of navigations that scripts begin. */
export interface NavigationInfo {
  readonly task: 'search';
}

type Target = Pick<TransitionBeforePreparationEvent, 'from' | 'to' | 'info' | 'sourceElement' | 'formData'>;

/** The task of a navigation of the router. */
export function toTask({ from, to, info, sourceElement, formData }: Target): Task {
  const isBetweenListings = isListing(from) && isListing(to) && document.getElementById('listing') !== null;
  if (!isBetweenListings || formData) return 'page';
  if (sourceElement?.matches('#more[data-astro-history]')) return 'more';
  return (info as NavigationInfo | undefined)?.task ?? 'listing';
}

/** What is requested for it: a page, or the listing alone. */
export function toRequestUrl(task: Task, to: URL): string {
  const url = new URL(task === 'page' ? to : toFragmentUrl(to), to);
  url.hash = '';
  if (task === 'more') url.searchParams.set(LAST_PAGE_ONLY, '1');
  return url.href;
}
