/** What shows a host who calls: the bearer token, and the CSRF header towards the page's own host (spec §7). */
export function addCaller(headers: Headers, url: string, access: string | undefined): Headers {
  if (access !== undefined) headers.set('authorization', `Bearer ${access}`);
  // Cookies ignore ports, so another host's page could read ours; the header is for our own host alone.
  const [, xsrf] = /(?:^|; )XSRF-TOKEN=([^;]+)/.exec(document.cookie) ?? [];
  if (xsrf !== undefined && url.startsWith('/')) headers.set('x-xsrf-token', xsrf);
  return headers;
}

/** `fetch` with an access token, or as nobody. */
export function fetchAs(
  access: string | undefined,
  input: RequestInfo | URL,
  init: RequestInit | undefined,
): Promise<Response> {
  return fetch(input, { ...init, headers: addCaller(new Headers(init?.headers), String(input), access) });
}
