/** Log-in, coming back to where the visitor was. In a file of its own, since every page runs it. */
export function loginPath(from: string): string {
  return `/login?redirect=${encodeURIComponent(from)}`;
}
