/** Event on the document: scripts have changed the list of cards without a navigation. */
export const CARDS_CHANGE = 'cards:change';

/** The parameter with which もっと見る asks for a fragment with the sounds of the last page alone. */
export const LAST_PAGE_ONLY = 'more';

/** Whether this is an address of the listing. */
export function isListing({ pathname }: URL | Location): boolean {
  return /^\/sounds\/?$/.test(pathname);
}

/** The address of a listing alone, without the page around it. */
export function toFragmentUrl({ search }: URL | Location): string {
  return `/fragments/sounds${search}`;
}

/** Whether a text is the listing alone, whole: with its first and its last part. */
export function isFragment(html: unknown): html is string {
  return typeof html === 'string' && / id="listing"[^]*id="pages"/.test(html);
}
