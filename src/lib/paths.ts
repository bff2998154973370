/** The addresses of pages, so that no link is spelled twice. */

export function soundPath(id: string): string {
  return `/sounds/${encodeURIComponent(id)}`;
}

export function artistPath(username: string): string {
  return `/artist/${encodeURIComponent(username)}`;
}

export function contentPath(slug: string): string {
  return `/content/${encodeURIComponent(slug)}`;
}

/** Log-in, coming back to where the visitor was. */
export function loginPath(from: string): string {
  return `/login?redirect=${encodeURIComponent(from)}`;
}
