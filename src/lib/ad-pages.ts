/**
 * Whether a page may load what an ad network sends: pages with download buttons, after the user's consent there.
 * Passwords, profiles, money and staff work are on other pages, which never do. The message form for an artist is on
 * one of these pages: excluding that page would leave artists' pages without rewarded downloads. The same rule serves a
 * page's policy and the router, which keeps one document and its policy over many pages.
 */
export function isNetworkAdPage(pathname: string): boolean {
  return /^\/(?:sounds(?:\/[^/]+)?|artist\/[^/]+)?\/?$/.test(pathname);
}
