import { fetchAs } from './caller.ts';
import { renewAccess } from './renewal.ts';
import { isPasswordGiven } from './step-up.ts';
import { readTokens } from './tokens.ts';

/**
 * `fetch` as the logged-in member (spec §7). When the host rejects the token, it is renewed, once for any number of
 * calls and tabs, and the call is repeated once (spec §4). When the host requires the password, the user is asked for
 * it, and the call is repeated once.
 */
export const fetchAsMember: typeof fetch = async (input, init) => {
  const calledAtMs = performance.now();
  const response = await fetchWithRenewal(input, init);
  if (response.status !== 403) return response;
  const reply: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return (await isPasswordGiven(reply, calledAtMs)) ? fetchWithRenewal(input, init) : response;
};

const fetchWithRenewal: typeof fetch = async (input, init) => {
  const access = readTokens()?.access;
  const response = await fetchAs(access, input, init);
  if (response.status !== 401 || access === undefined) return response;
  const renewed = await renewAccess(access);
  return renewed === null ? response : fetchAs(renewed, input, init);
};
