import { type ContentPage, getPage } from '../../contract/site.ts';
import type { Api } from '../api/client.ts';
import donationDetails from '../texts/donation-details.md?raw';
import memberTerms from '../texts/member-terms.md?raw';
import privacyPolicy from '../texts/privacy-policy.md?raw';
import { ApiError } from '../../contract/errors.ts';

const DEFAULTS: Record<string, Pick<ContentPage, 'title' | 'body'>> = {
  'donation-details': { title: 'ご支援について', body: donationDetails },
  'member-terms': { title: '会員規約', body: memberTerms },
  'privacy-policy': { title: 'プライバシーポリシー', body: privacyPolicy },
};

/** Texts may say `{site}` for the site's name, which is a setting. */
export function nameSite(text: string, siteName: string): string {
  return text.replaceAll('{site}', siteName);
}

/**
 * A page of the operator's, or the text that comes with the product where the operator has not
 * written one. Throws `ApiError` (not-found) when there is neither.
 */
export async function loadContentPage(api: Api, slug: string, siteName: string): Promise<ContentPage> {
  const page = await api(getPage, { params: { slug } }).catch((error: unknown) => {
    const own = Object.hasOwn(DEFAULTS, slug) ? DEFAULTS[slug] : undefined;
    if (!own || !(error instanceof ApiError) || error.kind === 'unavailable') throw error;
    return { slug, ...own };
  });
  return { ...page, title: nameSite(page.title, siteName), body: nameSite(page.body, siteName) };
}
