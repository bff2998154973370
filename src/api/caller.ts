import { findXsrfToken } from './xsrf.ts';

/** Credentials of a request: the bearer token, and the CSRF token of the host's cookie (spec §7). */
export async function addCaller(
  headers: Headers,
  { method, url }: { readonly method: string | undefined; readonly url: string },
  access: string | undefined,
): Promise<Headers> {
  if (access !== undefined) headers.set('authorization', `Bearer ${access}`);
  const xsrf = await findXsrfToken(url, method);
  if (xsrf !== undefined) headers.set('x-xsrf-token', xsrf);
  return headers;
}

/** Records an accepted change before its caller gets the reply, so that the member's next page is current. Never rejects. */
export async function recordChange(method = 'GET', url: string): Promise<void> {
  if (/^(?:GET|HEAD)$/i.test(method)) return;
  await import('../browser/own-changes.ts')
    .then((changes) => changes.recordOwnChange(url))
    .catch(console.warn);
}

/**
 * `fetch` with an access token, or anonymously. A reply to a member is never read from the browser's cache or stored in
 * it: a host may allow that for public calls without `Vary: Authorization`, and the next member would get it.
 */
export async function fetchAs(
  access: string | undefined,
  input: RequestInfo | URL,
  init: RequestInit | undefined,
): Promise<Response> {
  const url = String(input);
  const headers = await addCaller(new Headers(init?.headers), { method: init?.method, url }, access);
  if (access === undefined) return fetch(input, { ...init, headers });
  const response = await fetch(input, { ...init, headers, cache: 'no-store' });
  if (response.ok) await recordChange(init?.method, url);
  return response;
}
