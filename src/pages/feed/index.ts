import type { APIRoute } from 'astro';
import type { Capability } from '../../../contract/capabilities.ts';
import { ApiError } from '../../../contract/errors.ts';
import { listGenres, listSoundTypes } from '../../../contract/genres.ts';
import { listActiveFilters } from '../../lib/active-filters.ts';
import { FEED_ENTRIES_MAX, toAtomReply } from '../../lib/atom.ts';
import { createFindSounds } from '../../lib/find-sounds.ts';
import { listPage } from '../../lib/list-page.ts';
import {
  limitFilters,
  parseSoundFilters,
  toFeedUrl,
  toSoundQuery,
  toSoundsUrl,
} from '../../lib/sound-filters.ts';

/** The newest sounds of a listing or search, as Atom. It has the filters of /sounds; the order is always by date. */
export const GET: APIRoute = async ({ locals, url }) => {
  const { api, orAbsent, replies, shell } = locals;
  const has = (name: Capability) => shell.config.capabilities.includes(name);
  if (!has('sound-pages')) throw new ApiError(404, []);
  const filters = limitFilters({ ...parseSoundFilters(url.searchParams), ordering: '-created' }, has);
  const [types, genres, { results }] = await Promise.all([
    filters.type === null ? [] : orAbsent(api(listSoundTypes), []),
    filters.subGenres.length === 0 ? [] : orAbsent(api(listGenres), []),
    filters.search === '' || has('sound-search')
      ? listPage(api, { ...toSoundQuery(filters, 1, has), page_size: FEED_ENTRIES_MAX })
      : createFindSounds(api, has, replies)(filters, 1),
  ]);
  const labels = listActiveFilters(filters, types, genres).map(({ label }) => label);
  const { siteName } = shell.settings;
  return toAtomReply(
    {
      title:
        labels.length === 0
          ? `新着サウンド | ${siteName}`
          : `${labels.join('・')}の新着サウンド | ${siteName}`,
      path: toFeedUrl(filters),
      pagePath: toSoundsUrl(filters),
      sounds: results,
    },
    shell.settings,
  );
};
