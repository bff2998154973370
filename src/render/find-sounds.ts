import type { Api } from '../api/client.ts';
import { type FindSounds, listPage } from './list-page.ts';
import { toSoundQuery } from '../lib/sound-filters.ts';

/**
 * Uses the host's search, or ours over its first pages if it is not extended. `replies` caches those
 * pages for the next search.
 */
export function createFindSounds(api: Api, isExtended: boolean, replies: Map<string, unknown>): FindSounds {
  let searchPages: Promise<FindSounds> | undefined;
  return async (filters, page, watching) => {
    if (isExtended || filters.search === '')
      return listPage(api, toSoundQuery(filters, page, isExtended), watching);
    searchPages ??= import('./search-pages.ts').then(({ createSearchPages }) =>
      createSearchPages(api, replies),
    );
    return (await searchPages)(filters, page);
  };
}
