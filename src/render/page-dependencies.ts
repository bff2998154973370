import { type ArtistCard, type Artist, getArtist, listArtists } from '../../contract/artists/artists.ts';
import { pageTags } from '../../contract/site/page-tags.ts';
import {
  type Sound,
  type SoundList,
  type SoundQuery,
  getSound,
  listSimilar,
  listSounds,
} from '../../contract/sounds/sounds.ts';
import { getSiteMap, getSiteMapPart } from '../../contract/site/site-map.ts';
import { listUses } from '../../contract/artists/uses.ts';
import type { Api, CallOptions } from '../api/client.ts';

/** The same API; `record` receives the tags (contract/site/page-tags.ts) of each call's request and reply. */
export function recordDependencies(api: Api, record: (tag: string) => void): Api {
  return async function call(endpoint, options) {
    // Also for failed calls: a missing item may appear later.
    for (const tag of tagsOfCall(endpoint.path, options)) record(tag);
    const reply = await api(endpoint, options);
    for (const tag of tagsOfReply(endpoint.path, reply)) record(tag);
    return reply;
  };
}

function tagsOfCall(path: string, options: CallOptions<string> = {}): string[] {
  const { params, query } = options as {
    params?: Record<string, string>;
    query?: SoundQuery & { sound?: string; artist?: string };
  };
  if (path === getArtist.path) return [pageTags.artist(params?.['username'] ?? '')];
  if (path === getSound.path || path === listSimilar.path) return [pageTags.sound(params?.['id'] ?? '')];
  if (path === listArtists.path || path === getSiteMap.path || path === getSiteMapPart.path)
    return [pageTags.listings];
  if (path === listUses.path) {
    const { sound, artist } = query ?? {};
    return [sound === undefined ? pageTags.artist(artist ?? '') : pageTags.sound(sound)];
  }
  if (path !== listSounds.path) return [];
  return [query?.user === undefined ? pageTags.listings : pageTags.artist(query.user)];
}

function tagsOfReply(path: string, reply: unknown): string[] {
  if (path === getArtist.path) return [pageTags.artist((reply as Artist).username)];
  if (path === getSound.path) return [pageTags.face((reply as Sound).artist_name)];
  if (path === listArtists.path)
    return (reply as ArtistCard[]).map(({ username }) => pageTags.artist(username));
  if (path === listSimilar.path) {
    // A similar sound of any artist may be withdrawn.
    return (reply as SoundList).results.flatMap(({ id, artist_name }) => [
      pageTags.sound(id),
      pageTags.face(artist_name),
    ]);
  }
  if (path !== listSounds.path) return [];
  return (reply as SoundList).results.map(({ artist_name }) => pageTags.face(artist_name));
}
