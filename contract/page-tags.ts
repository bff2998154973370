import { toUsernameKey } from './usernames.ts';

/**
 * What a page can depend on. Pages note these tags while they are rendered
 * (src/lib/page-dependencies.ts), a change names those of what it changed, and cached pages with one
 * of them are dropped. What has no tag (settings of the site, genres, contents) changes with all pages.
 */
export const pageTags = {
  /** Which sounds there are, and in which order. */
  listings: 'listings',
  /** One sound's own page. */
  sound: (id: string) => `sound ${id}`,
  /** An artist's profile and list of sounds. */
  artist: (username: string) => `artist ${toUsernameKey(username)}`,
  /** The name and picture of an artist on the cards of sounds. */
  face: (username: string) => `face ${toUsernameKey(username)}`,
} as const;
