import { toggleFavorite as toggleFavoriteCall } from '../../../../contract/sounds.ts';
import { notFound, requireMember, serve } from '../../../platform/http/http.ts';
import type { Api } from '../../../platform/http/http.ts';
import type { RateLimit } from '../../../platform/limits/limits.ts';
import { toggleFavorite } from './service.ts';

/** Of one member; more than a person presses, and little enough for the database. */
export const TOGGLES: RateLimit = { name: 'favorites', points: 60, perSec: 60 };

/**
 * Cached pages are kept (no `catalogueChanged`): any member could otherwise empty the whole page
 * cache once a second. A page shows nothing of who presses but a count and, sorted by favourites,
 * a place; both follow within seconds, as pages renew themselves. Whoever presses sees the reply's.
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
