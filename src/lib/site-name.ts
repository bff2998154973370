/** Texts may contain `{site}` for the site's name, which is a setting. */
export function nameSite(text: string, siteName: string): string {
  return text.replaceAll('{site}', siteName);
}
