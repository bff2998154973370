/** Origin of the API, from the layout; '' is the page's own origin. */
export function readApiOrigin(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="api-origin"]')?.content ?? '';
}
