/** Path of log-in that returns to the current page. A separate file, since every page runs it. */
export function loginPath(from: string): string {
  return `/login?redirect=${encodeURIComponent(from)}`;
}
