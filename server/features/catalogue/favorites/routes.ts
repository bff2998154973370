import { toggleFavorite as toggleFavoriteCall } from '../../../../contract/sounds.ts';
import { notFound, requireMember, serve } from '../../../platform/http/http.ts';
import type { Api } from '../../../platform/http/http.ts';
import type { RateLimit } from '../../../platform/limits/limits.ts';
import { toggleFavorite } from './service.ts';

/** Per member; more than a person clicks, and little enough for the database. */
export const TOGGLES: RateLimit = { name: 'favorites', points: 60, perSec: 60 };

/**
 * Cached pages are kept (no `catalogueChanged`): otherwise any member could empty the whole page cache every second. A
 * page only shows a count and, sorted by favourites, a position; both are updated within seconds when the page is
 * renewed. The caller sees the values of the reply.
 */
export function serveFavorites(api: Api): void {
  const { database, clock } = api.platform;

  serve(api, toggleFavoriteCall, async ({ params, caller }) => {
    const { id } = requireMember({ caller });
    const favorite = await toggleFavorite(database, params.id, id, clock.now());
    if (favorite === undefined) throw notFound();
    return { is_favorited: favorite.isFavorited, favorite_count: favorite.favoriteCount };
  });
}
