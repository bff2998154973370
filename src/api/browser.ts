import { createClient } from './client.ts';
import { fetchAsMember } from './member-fetch.ts';
import { readApiOrigin } from './origin.ts';

/** The browser's client. Made on first use, since a module may load where there is no document. */
export const callApi: ReturnType<typeof createClient> = (endpoint, options) => {
  if (!client) {
    const origin = readApiOrigin();
    client = createClient({ origin, filesOrigin: origin, fetch: fetchAsMember, retries: 'browser' });
  }
  return client(endpoint, options);
};

let client: ReturnType<typeof createClient> | undefined;
