import { type ContentPage, getPage } from '../../contract/site/site.ts';
import type { Api } from '../api/client.ts';
import type { Shell } from './shell.ts';
import { DEFAULT_PAGES } from '../texts/default-pages.ts';
import { ApiError } from '../../contract/calls/errors.ts';
import { DEFAULT_LICENCE } from '../../contract/downloads/licence.ts';
import { fillPage } from '../../contract/site/page-texts.ts';

/** Placeholder for a page that the footer lists and whose text the host does not provide. */
const NO_BODY = 'このページの内容は、ただいまここでは表示できません。';

/**
 * A page of the operator, or the product's default text if the operator has not written one. Throws `ApiError`
 * (not-found) when there is neither.
 */
export async function loadContentPage(
  api: Api,
  slug: string,
  { settings: { siteName }, config, pages }: Pick<Shell, 'settings' | 'config' | 'pages'>,
): Promise<Pick<ContentPage, 'title' | 'body'>> {
  const own = Object.hasOwn(DEFAULT_PAGES, slug) ? DEFAULT_PAGES[slug] : undefined;
  const listed = pages.find((page) => page.slug === slug);
  const other = own ?? (listed && { title: listed.title || slug, body: NO_BODY });
  let page: Pick<ContentPage, 'title' | 'body'> | undefined = other;
  if (config.is_extended) {
    page = await api(getPage, { params: { slug } }).catch((error: unknown) => {
      if (!other || !(error instanceof ApiError) || error.kind === 'unavailable') throw error;
      return other;
    });
  }
  if (!page) throw new ApiError(404, []);
  const title = page.title || listed?.title || slug;
  // The product's terms give the product's licence, also on a host that has none.
  return fillPage({ title, body: page.body }, siteName, page === own ? DEFAULT_LICENCE : config.licence);
}
