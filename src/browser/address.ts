/**
 * Removes parameters from the page's address and returns their values; null if one is missing. Tokens must not stay in
 * the address bar, the history or a bookmark.
 */
export function takeFromAddress<const Name extends string>(
  names: readonly Name[],
): Record<Name, string> | null {
  const url = new URL(location.href);
  if (!names.some((name) => url.searchParams.has(name))) return null;
  const values = toValues(url.searchParams, names);
  for (const name of names) url.searchParams.delete(name);
  // The router keeps its data in the history state.
  history.replaceState(history.state, '', url.pathname + url.search + url.hash);
  return values;
}

/**
 * Removes parameters from the fragment of the page's address and returns their values; null if one is missing. A fragment
 * never reaches a server, so its secrets are in no log.
 */
export function takeFromFragment<const Name extends string>(
  names: readonly Name[],
): Record<Name, string> | null {
  const parameters = new URLSearchParams(location.hash.slice(1));
  if (!names.some((name) => parameters.has(name))) return null;
  history.replaceState(history.state, '', location.pathname + location.search);
  return toValues(parameters, names);
}

function toValues<Name extends string>(
  parameters: URLSearchParams,
  names: readonly Name[],
): Record<Name, string> | null {
  const values = names.map((name) => [name, parameters.get(name) ?? ''] as const);
  return values.every(([, value]) => value !== '')
    ? (Object.fromEntries(values) as Record<Name, string>)
    : null;
}
