import type { ContentPage } from '../../contract/site/site.ts';
import donationDetails from './donation-details.md?raw';
import memberTerms from './member-terms.md?raw';
import privacyPolicy from './privacy-policy.md?raw';

/** Texts that come with the product, by slug. A page of the operator replaces them. */
export const DEFAULT_PAGES: Readonly<Record<string, Pick<ContentPage, 'title' | 'body'>>> = {
  'donation-details': { title: 'ご支援について', body: donationDetails },
  'member-terms': { title: '会員規約', body: memberTerms },
  'privacy-policy': { title: 'プライバシーポリシー', body: privacyPolicy },
};
