import { type Licence, TERMS_PATH } from '../downloads/licence.ts';

/** Placeholders in the texts of pages. */

/** In a body: the line of the licence, which the terms for members contain. */
export const LICENCE_PLACEHOLDER = '{licence}';
/** For a site whose operator has not said what terms of their own give. */
const SEE_TERMS = `利用できる範囲は、[会員規約](${TERMS_PATH})のとおりです。`;

/** `{site}` stands for the site's name, which is a setting. */
export function nameSite(text: string, siteName: string): string {
  return text.replaceAll('{site}', () => siteName);
}

interface PageText {
  readonly title: string;
  /** Markdown. */
  readonly body: string;
}

/** A page as visitors read it. */
export function fillPage(
  { title, body }: PageText,
  siteName: string,
  licence: Licence | null | undefined,
): PageText {
  const withLicence = body.replaceAll(LICENCE_PLACEHOLDER, () => licence?.line ?? SEE_TERMS);
  return { title: nameSite(title, siteName), body: nameSite(withLicence, siteName) };
}
