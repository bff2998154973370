import { pageTags } from '../../../contract/page-tags.ts';
import { forget } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/http/http.ts';
import { findUsername } from './queries.ts';

type AnnounceDeps = Pick<Platform, 'database' | 'catalogueChanged'>;

/** Has pages show what an artist has changed of the profile. To be called after the transaction. */
export function announceArtist(
  { database, catalogueChanged }: AnnounceDeps,
  /** The present name, and the one before when it was changed. */
  usernames: readonly string[],
  changed: { readonly isFaceChanged: boolean },
): void {
  forget(database, 'artists');
  const { artist, face } = pageTags;
  catalogueChanged(
    usernames.flatMap((name) => (changed.isFaceChanged ? [artist(name), face(name)] : [artist(name)])),
  );
}

/** The same of an artist who is known by id. */
export async function announcePicture(deps: AnnounceDeps, artistId: string): Promise<void> {
  const username = await findUsername(deps.database.db, artistId).catch(() => undefined);
  if (username !== undefined) return announceArtist(deps, [username], { isFaceChanged: true });
  forget(deps.database, 'artists');
  deps.catalogueChanged();
}

/** Has pages show a change of a sound that is public, or was. To be called after the transaction. */
export async function announceSound(
  { database, catalogueChanged }: AnnounceDeps,
  sound: { readonly soundId: string; readonly artistId: string },
): Promise<void> {
  forget(database, 'artists');
  // Should the name not be found, all pages are dropped: none may show what is no longer so.
  const username = await findUsername(database.db, sound.artistId).catch(() => undefined);
  const tags = [pageTags.listings, pageTags.sound(sound.soundId)];
  catalogueChanged(username === undefined ? undefined : [...tags, pageTags.artist(username)]);
}
