import { cached } from '../../platform/database/statements/cached.ts';
import type { Database } from '../../platform/database/open.ts';
import type { ShareSubject } from '../../media/pictures/share-pictures.ts';
import {
  countPublicSounds,
  findArtistByFormerKey,
  findArtistByKey,
  selectArtistCards,
  selectArtistIdsOfFirst,
} from './queries.ts';
import { toUsernameKey } from '../../../contract/accounts/usernames.ts';

const ARTISTS_TO_DISCOVER = 12;
/** Enough sounds to find that many artists, and few enough to read in one query. */
const SOUNDS_READ_MAX = 200;
const DISCOVERY_CACHE_MS = 10_000;

export interface PublicArtist {
  readonly id: string;
  readonly username: string;
  readonly bio: string;
  readonly picture_key: string | null;
  readonly background_key: string | null;
  readonly donation_url: string;
  /** Whether the artist accepts messages. The address is never disclosed. */
  readonly takesMessages: boolean;
  readonly soundCount: number;
  readonly createdAtMs: number;
}

/**
 * A member's public profile, by the current name or, if it has no current owner, by a former one. A member who is
 * suspended, or neither verified nor with a public sound, is not an artist.
 */
export async function findArtist({ db }: Database, username: string): Promise<PublicArtist | undefined> {
  const key = toUsernameKey(username);
  const user = (await findArtistByKey(db, key)) ?? (await findArtistByFormerKey(db, key));
  if (user === undefined) return undefined;
  const soundCount = await countPublicSounds(db, user.id);
  if (user.is_verified !== 1 && soundCount === 0) return undefined;
  const { id, bio, picture_key, background_key, donation_url } = user;
  return {
    id,
    username: user.username,
    bio,
    picture_key,
    background_key,
    donation_url,
    takesMessages: user.message_email !== '',
    soundCount,
    createdAtMs: user.created_at,
  };
}

/** What the picture of links to an artist shows; undefined for a member who is none. */
export async function findArtistSubject(database: Database, username: string, siteName: string) {
  const artist = await findArtist(database, username);
  return artist && toShareSubject(artist, siteName);
}

export function toShareSubject(
  { username, picture_key }: Pick<PublicArtist, 'username' | 'picture_key'>,
  siteName: string,
): ShareSubject {
  return { shape: 'circle', title: username, line: '', siteName, peaks: '', pictureKey: picture_key };
}

/** Artists to discover: those of the most popular sounds, then those of the newest. */
export function listArtistsToDiscover(database: Database) {
  return cached(database, 'artists', () => selectArtistsToDiscover(database), DISCOVERY_CACHE_MS);
}

async function selectArtistsToDiscover({ db }: Database) {
  const popular = await selectArtistIdsOfFirst(db, 'popularity', SOUNDS_READ_MAX);
  const recent = await selectArtistIdsOfFirst(db, 'seq', SOUNDS_READ_MAX);
  const ids = [...new Set([...popular, ...recent])].slice(0, ARTISTS_TO_DISCOVER);
  if (ids.length === 0) return [];
  const cards = new Map((await selectArtistCards(db, ids)).map((card) => [card.id, card]));
  return Promise.all(
    ids
      .flatMap((id) => cards.get(id) ?? [])
      .map(async (card) => ({ ...card, soundCount: await countPublicSounds(db, card.id) })),
  );
}
