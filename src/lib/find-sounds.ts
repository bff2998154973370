import type { Api } from '../api/client.ts';
import type { HasCapability } from './capabilities.ts';
import { type FindSounds, listPage } from './list-page.ts';
import { toSoundQuery } from './sound-filters.ts';

/**
 * Uses the host's search, or ours over its first pages if it has not announced `sound-search`. `replies` keeps those
 * pages for the next search.
 */
export function createFindSounds(api: Api, has: HasCapability, replies: Map<string, unknown>): FindSounds {
  let searchPages: Promise<FindSounds> | undefined;
  return async (filters, page, watching) => {
    if (filters.search === '' || has('sound-search'))
      return listPage(api, toSoundQuery(filters, page, has), watching);
    searchPages ??= import('./search-pages.ts').then(({ createSearchPages }) =>
      createSearchPages(api, has, replies),
    );
    return (await searchPages)(filters, page);
  };
}
