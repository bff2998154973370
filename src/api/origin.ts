/** Where the API lives, as the layout names it; '' is the page's own origin. */
export function readApiOrigin(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="api-origin"]')?.content ?? '';
}
