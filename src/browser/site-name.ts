/** The name of the site, which the layout writes; '' if it is not there. */
export function readSiteName(): string {
  return document.querySelector<HTMLMetaElement>('meta[property="og:site_name"]')?.content ?? '';
}
