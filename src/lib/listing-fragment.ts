/** The parameter with which もっと見る asks for a fragment with the sounds of the last page alone. */
export const LAST_PAGE_ONLY = 'more';

/** Whether a text is a complete listing without a page: with its first and its last part. */
export function isFragment(html: unknown): html is string {
  return typeof html === 'string' && / id="listing"[^]*id="pages"/.test(html);
}
