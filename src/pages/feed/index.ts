import type { APIRoute } from 'astro';
import { ApiError } from '../../../contract/calls/errors.ts';
import { listGenres, listSoundTypes } from '../../../contract/sounds/genres.ts';
import { listActiveFilters } from '../../render/active-filters.ts';
import { FEED_ENTRIES_MAX, toAtomReply } from '../../render/atom.ts';
import { listPage } from '../../render/list-page.ts';
import {
  type SoundFilters,
  limitFilters,
  parseSoundFilters,
  toFeedUrl,
  toSoundQuery,
  toSoundsUrl,
} from '../../lib/sound-filters.ts';

/** The newest sounds of a listing or search, as Atom. It has the filters of /sounds; the order is always by date. */
export const GET: APIRoute = async ({ locals, url }) => {
  const { api, orAbsent, shell } = locals;
  if (!shell.config.is_extended) throw new ApiError(404, []);
  const asked = limitFilters(parseSoundFilters(url.searchParams), shell.config);
  const filters: SoundFilters = { ...asked, ordering: '-created' };
  const [types, genres, { results }] = await Promise.all([
    filters.type === null ? [] : orAbsent(api(listSoundTypes), []),
    filters.subGenres.length === 0 ? [] : orAbsent(api(listGenres), []),
    listPage(api, { ...toSoundQuery(filters, 1, true), page_size: FEED_ENTRIES_MAX }),
  ]);
  const labels = listActiveFilters({ filters, notes: undefined }, types, genres).map(({ label }) => label);
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
