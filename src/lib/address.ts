/**
 * Takes parameters out of the page's address and gives their values; null when one of them is missing.
 * Tokens do not belong in an address bar, in the history or in a bookmark.
 */
export function takeFromAddress<const Name extends string>(
  names: readonly Name[],
): Record<Name, string> | null {
  const url = new URL(location.href);
  const values = names.map((name) => [name, url.searchParams.get(name) ?? ''] as const);
  if (!names.some((name) => url.searchParams.has(name))) return null;
  for (const name of names) url.searchParams.delete(name);
  // The router keeps its place in the history's state.
  history.replaceState(history.state, '', url.pathname + url.search + url.hash);
  return values.every(([, value]) => value !== '')
    ? (Object.fromEntries(values) as Record<Name, string>)
    : null;
}
