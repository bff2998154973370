/**
 * Whether a page may load what an ad network sends: those with download buttons, once somebody has agreed
 * there. Passwords, profiles, money and the staff's work have pages of their own, which never do. The words to an
 * artist are written on one of these: without it, no download there could earn the artist anything. One rule for the policy of a page and for the router, which keeps one document,
 * and its policy, over many pages.
 */
export function isNetworkAdPage(pathname: string): boolean {
  return /^\/(?:sounds(?:\/[^/]+)?|artist\/[^/]+)?\/?$/.test(pathname);
}
