/** Plays, as players and the host understand them. Players of other sites load nothing else of the contract. */

/** Where a sound was played: in which list, on which page, or on another site. */
export const PLAY_SOURCES = [
  'list',
  'search',
  'similar',
  'artist',
  'sound',
  'embed',
  'feed',
  'elsewhere',
] as const;
export type PlaySource = (typeof PLAY_SOURCES)[number];

/** A sound counts as played when it was heard for this time, or to its end. */
export const PLAYED_SEC = 5;
export const PLAYS_PATH = '/api/plays/';
/** Of a page that was opened from a feed. */
export const FEED_HASH = '#feed';
