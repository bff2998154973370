/** The credit of a sound in one line, in the form that pages, certificates and search engines show. */
export function toCreditText(title: string, artist: string, siteName: string): string {
  return `「${title}」 ${artist}(${siteName})`;
}
