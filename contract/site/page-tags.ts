import { toUsernameKey } from '../accounts/usernames.ts';

/**
 * What a page can depend on. Pages record these tags while they are rendered (src/render/page-dependencies.ts). A change
 * names the tags of what it changed, and cached pages with one of them are dropped. Changes of untagged things (site
 * settings, genres, contents) drop all pages.
 */
export const pageTags = {
  /** The set of sounds and their order. */
  listings: 'listings',
  /** One sound's own page. */
  sound: (id: string) => `sound ${id}`,
  /** An artist's profile and list of sounds. */
  artist: (username: string) => `artist ${toUsernameKey(username)}`,
  /** The name and picture of an artist on the cards of sounds. */
  face: (username: string) => `face ${toUsernameKey(username)}`,
} as const;
