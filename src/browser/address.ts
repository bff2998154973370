/**
 * Removes parameters from the page's address and returns their values; null if one is missing. Tokens must not stay in
 * the address bar, the history or a bookmark.
 */
export function takeFromAddress<const Name extends string>(
  names: readonly Name[],
): Record<Name, string> | null {
  const url = new URL(location.href);
  const values = names.map((name) => [name, url.searchParams.get(name) ?? ''] as const);
  if (!names.some((name) => url.searchParams.has(name))) return null;
  for (const name of names) url.searchParams.delete(name);
  // The router keeps its data in the history state.
  history.replaceState(history.state, '', url.pathname + url.search + url.hash);
  return values.every(([, value]) => value !== '')
    ? (Object.fromEntries(values) as Record<Name, string>)
    : null;
}

/**
 * Removes a parameter from the fragment of the page's address and returns its value; null if it is missing. A fragment
 * never reaches a server, so its secret is in no log.
 */
export function takeFromFragment(name: string): string | null {
  const parameters = new URLSearchParams(location.hash.slice(1));
  const value = parameters.get(name);
  if (value === null) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return value === '' ? null : value;
}
