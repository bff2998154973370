import { readTokens } from './tokens.ts';

/**
 * `fetch` as whoever is logged in (spec §7): with the bearer token when there is one, and with the
 * CSRF header towards the page's own host. When the host refuses the token it is renewed, once for
 * any number of calls and tabs, and the call is made once more (spec §4).
 */
export const fetchAsMember: typeof fetch = async (input, init) => {
  const access = readTokens()?.access;
  const response = await fetch(input, withHeaders(input, init, access));
  if (response.status !== 401 || access === undefined) return response;
  const { renewAccess } = await import('./renewal.ts');
  const renewed = await renewAccess(access);
  return renewed === null ? response : fetch(input, withHeaders(input, init, renewed));
};

/** `fetch` as nobody: for the call that gets a new token in place of a worthless one. */
export const fetchAsNobody: typeof fetch = (input, init) => fetch(input, withHeaders(input, init, undefined));

function withHeaders(input: RequestInfo | URL, init: RequestInit | undefined, access: string | undefined) {
  const headers = new Headers(init?.headers);
  if (access !== undefined) headers.set('authorization', `Bearer ${access}`);
  // Cookies ignore ports, so another host's page could read ours; the header is for our own host alone.
  const [, xsrf] = /(?:^|; )XSRF-TOKEN=([^;]+)/.exec(document.cookie) ?? [];
  if (xsrf !== undefined && String(input).startsWith('/')) headers.set('x-xsrf-token', xsrf);
  return { ...init, headers };
}
