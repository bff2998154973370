import type { APIRoute } from 'astro';
import { getArtist } from '../../../../contract/artists/artists.ts';
import { ApiError } from '../../../../contract/calls/errors.ts';
import { FEED_ENTRIES_MAX, toAtomReply } from '../../../render/atom.ts';
import { listPage } from '../../../render/list-page.ts';
import { inOrder } from '../../../render/optional.ts';
import { artistFeedPath, artistPath, readPathName } from '../../../lib/paths.ts';

/** The newest sounds of an artist, as Atom. */
export const GET: APIRoute = async ({ locals: { api, shell }, params }) => {
  if (!shell.config.is_extended) throw new ApiError(404, []);
  const requested = readPathName(params['username']);
  const [found, { results }] = await inOrder([
    api(getArtist, { params: { username: requested } }),
    listPage(api, { user: requested, page_size: FEED_ENTRIES_MAX }),
  ]);
  const username = found.username || requested;
  const path = artistFeedPath(username);
  if (username !== requested) {
    // Renamed. Not cached, because another artist may take the old name.
    return new Response(null, { status: 308, headers: { location: path, 'cache-control': 'no-store' } });
  }
  const title = `${username}の新着サウンド | ${shell.settings.siteName}`;
  return toAtomReply({ title, path, pagePath: artistPath(username), sounds: results }, shell.settings);
};
