import { fetchAs } from './caller.ts';
import { renewAccess } from './renewal.ts';
import { readTokens } from './tokens.ts';

/**
 * `fetch` as whoever is logged in (spec §7). When the host refuses the token it is renewed, once for
 * any number of calls and tabs, and the call is made once more (spec §4).
 */
export const fetchAsMember: typeof fetch = async (input, init) => {
  const access = readTokens()?.access;
  const response = await fetchAs(access, input, init);
  if (response.status !== 401 || access === undefined) return response;
  const renewed = await renewAccess(access);
  return renewed === null ? response : fetchAs(renewed, input, init);
};
