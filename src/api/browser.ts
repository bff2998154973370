import { createClient } from './client.ts';
import { fetchAsMember } from './member-fetch.ts';

/** Where the API lives, as the layout names it; '' is the page's own origin. */
export function readApiOrigin(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="api-origin"]')?.content ?? '';
}

/** The browser's client. Made on first use, since a module may load where there is no document. */
export const callApi: ReturnType<typeof createClient> = (endpoint, options) => {
  if (!client) {
    const origin = readApiOrigin();
    client = createClient({ origin, filesOrigin: origin, fetch: fetchAsMember, retries: true });
  }
  return client(endpoint, options);
};

let client: ReturnType<typeof createClient> | undefined;
