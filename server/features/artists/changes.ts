import { pageTags } from '../../../contract/site/page-tags.ts';
import { invalidateCache } from '../../platform/database/statements/cached.ts';
import type { Platform } from '../../platform/http/context.ts';
import { findUsername } from './queries.ts';

type AnnounceDeps = Pick<Platform, 'database' | 'catalogueChanged'>;

/**
 * Drops the cached values that a change in another process has made outdated. `tags` are those it has announced; changes
 * with tags are those below.
 */
export function forgetChanged(database: Platform['database'], tags?: readonly string[]): void {
  invalidateCache(database, tags === undefined ? undefined : 'artists');
}

/** Updates pages after an artist changed the profile. Call it after the transaction. */
export function announceArtist(
  { database, catalogueChanged }: AnnounceDeps,
  /** The current name and, after a rename, the previous one. */
  usernames: readonly string[],
  changed: { readonly isFaceChanged: boolean },
): void {
  invalidateCache(database, 'artists');
  const { artist, face } = pageTags;
  catalogueChanged(
    usernames.flatMap((name) => (changed.isFaceChanged ? [artist(name), face(name)] : [artist(name)])),
  );
}

/** `announceArtist` for the id of an artist. */
export async function announcePicture(deps: AnnounceDeps, artistId: string): Promise<void> {
  const username = await findUsername(deps.database.db, artistId).catch(() => undefined);
  if (username !== undefined) return announceArtist(deps, [username], { isFaceChanged: true });
  invalidateCache(deps.database, 'artists');
  deps.catalogueChanged();
}

/** Updates pages after a change of an artist's sounds that are or were public. Call it after the transaction. */
export async function announceSounds(
  deps: AnnounceDeps,
  { soundIds, artistId }: { readonly soundIds: readonly string[]; readonly artistId: string },
): Promise<void> {
  invalidateCache(deps.database, 'artists');
  await announcePages(deps, artistId, [pageTags.listings, ...soundIds.map(pageTags.sound)]);
}

/** Updates the pages with these tags and the artist's. */
export async function announcePages(
  { database, catalogueChanged }: AnnounceDeps,
  artistId: string,
  tags: readonly string[],
): Promise<void> {
  // If the name cannot be found, all pages are dropped, because none may show outdated data.
  const username = await findUsername(database.db, artistId).catch(() => undefined);
  catalogueChanged(username === undefined ? undefined : [...tags, pageTags.artist(username)]);
}
