import { fetchAs } from './caller.ts';
import { type Api, createClient } from './client.ts';
import { fetchAsMember } from './member-fetch.ts';
import { readApiOrigin } from './origin.ts';

/** The browser's client, with the token of the logged-in member. */
export const callApi = onFirstUse(fetchAsMember);

/** The same without a token: a host may refuse any call with a stale one, even a valid log-in. */
export const callAnonymously = onFirstUse((input, init) => fetchAs(undefined, input, init));

/** Created on first use: a module may load without a document. */
function onFirstUse(fetch: typeof globalThis.fetch): Api {
  let client: Api | undefined;
  return (endpoint, options) => {
    if (!client) {
      const origin = readApiOrigin();
      client = createClient({ origin, filesOrigin: origin, fetch, retries: 'browser' });
    }
    return client(endpoint, options);
  };
}
