/** Whether a link leads to a page of this site, by a path, or to an https address. */
export function isSiteLink(link: string): boolean {
  // A path that begins with `//` or `/\\` names a host.
  if (link.startsWith('/')) return parseUrl(link, 'https://site.invalid')?.host === 'site.invalid';
  return link.startsWith('https://') && parseUrl(link) !== null;
}

/** An address, or null for text that is none. Not all supported browsers have `URL.parse` and `URL.canParse`. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
