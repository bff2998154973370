/** Event on the document: scripts have changed the list of cards without a navigation. */
export const CARDS_CHANGE = 'cards:change';

/** Whether this is an address of the listing. */
export function isListing({ pathname }: URL | Location): boolean {
  return /^\/sounds\/?$/.test(pathname);
}

/** The address of a listing alone, without the page around it. */
export function toFragmentUrl({ search }: URL | Location): string {
  return `/fragments/sounds${search}`;
}
