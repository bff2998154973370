/** An address, or null for text that is none. Not all supported browsers have `URL.parse` and `URL.canParse`. */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
