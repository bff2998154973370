import { DAY_MS } from '../contract/values/time-units.ts';
import { createUser } from '../server/features/accounts/users.ts';
import { setStaff } from '../server/features/accounts/members.ts';
import { createGenre, createSoundType } from '../server/features/catalogue/genres/service.ts';
import { createSound } from '../server/features/catalogue/service.ts';
import { putFindings } from '../server/features/catalogue/findings-queries.ts';
import { savePage, setSiteConfig } from '../server/features/site/service.ts';
import { systemClock } from '../server/platform/concurrency/clock.ts';
import type { Database } from '../server/platform/database/open.ts';
import { storePicture } from '../server/media/pictures/pictures.ts';
import { hashPassword } from '../server/platform/crypto/passwords.ts';
import type { Storage } from '../server/platform/storage/port.ts';
import type { PictureKind } from '../contract/site/pictures.ts';
import { type AccountState, DEMO_PASSWORD, demoAccounts } from './accounts.ts';
import { type Catalogue, describeCatalogue } from './catalogue.ts';
import { describeFacts } from './facts.ts';
import type { PictureSpec } from './pictures/picture.ts';
import { renderAll } from './render-all.ts';
import { renderPicture } from './render.ts';
import { type SeededSound, seedRewards } from './rewards.ts';
import { seedStatistics } from './statistics.ts';
import { type MeasuredSoundFile, storeSoundFile } from './store-sound.ts';

export interface Place {
  readonly database: Database;
  readonly storage: Storage;
}

/**
 * Fills an empty marketplace with the demo catalogue: accounts, pages, pictures and sounds. `tell` is called with the
 * done and the total number of sounds.
 */
export async function seedDemo(
  place: Place,
  tell: (done: number, total: number) => void,
  catalogue: Catalogue = describeCatalogue(),
  nowMs = Date.now(),
): Promise<void> {
  // Files first, which take the most time. Rows follow in the order in which sounds were created.
  const [files, sites, thumbnails] = await Promise.all([
    storeSounds(place, catalogue, tell),
    seedSite(place, catalogue),
    storeThumbnails(place, catalogue),
  ]);
  const oldestFirst = catalogue.sounds
    .map((sound, index) => ({ sound, measured: files[index], thumbnail: thumbnails[index] }))
    .toSorted((a, b) => b.sound.createdDaysAgo - a.sound.createdDaysAgo);
  const seeded: (SeededSound & Parameters<typeof seedStatistics>[1][number])[] = [];
  for (const [index, { sound, measured, thumbnail }] of oldestFirst.entries()) {
    if (!measured) continue;
    const { file, findings } = measured;
    const { id, seq } = await createSound(place.database, {
      ...file,
      artist_id: found(sites.artistIds, sound.artist),
      type_id: found(sites.typeIds, sound.typeName),
      title: sound.title,
      description: sound.description,
      filename: `${sound.title || 'untitled'}.mp3`,
      thumbnail_key: thumbnail ?? null,
      is_published: sound.isPublished,
      is_ai_generated: sound.isAiGenerated,
      ...describeFacts(sound, index),
      sub_genre_ids: sound.subGenres.map((name) => found(sites.subGenreIds, name)),
      download_count: sound.downloadCount,
      favorite_count: sound.favoriteCount,
      created_at: Math.round(nowMs - sound.createdDaysAgo * DAY_MS),
    });
    if (findings) await putFindings(place.database.db, seq, findings);
    seeded.push({ ...sound, id, seq });
  }
  await seedRewards(place.database, seeded, sites.artistIds, nowMs);
  await seedStatistics(place.database, seeded, sites.artistIds, nowMs);
}

async function storeSounds(
  { storage }: Place,
  { sounds }: Catalogue,
  tell: (done: number, total: number) => void,
): Promise<(MeasuredSoundFile | undefined)[]> {
  const files: (MeasuredSoundFile | undefined)[] = Array.from(sounds, () => undefined);
  const storing: Promise<void>[] = [];
  let done = 0;
  async function store(index: number, mp3: Uint8Array): Promise<void> {
    files[index] = await storeSoundFile(storage, mp3);
    done += 1;
    tell(done, sounds.length);
  }
  for await (const { index, mp3 } of renderAll(sounds)) {
    storing.push(store(index, mp3));
  }
  await Promise.all(storing);
  return files;
}

/** One after the other: few pictures may wait. */
async function storeThumbnails({ storage }: Place, { sounds }: Catalogue): Promise<(string | null)[]> {
  const keys: (string | null)[] = [];
  for (const { thumbnail } of sounds) keys.push(await storeSpec(storage, thumbnail, 'thumbnail'));
  return keys;
}

async function seedSite({ database, storage }: Place, catalogue: Catalogue) {
  const typeIds = new Map<string, number>();
  for (const type of catalogue.types) typeIds.set(type.name, await createSoundType(database, type));
  const subGenreIds = new Map<string, number>();
  for (const genre of catalogue.genres) {
    const made = await createGenre(database, genre);
    for (const [name, id] of made.subGenreIds) subGenreIds.set(name, id);
  }
  for (const page of catalogue.pages) await savePage(database, page);
  const logo = await storeSpec(storage, catalogue.site.logo, 'logo');
  await setSiteConfig(database, {
    navbar_logo: logo,
    footer_logo: logo,
    footer_banner: await storeSpec(storage, catalogue.site.banner, 'banner'),
  });
  return { typeIds, subGenreIds, artistIds: await seedAccounts({ database, storage }, catalogue) };
}

/** Ids of the artists by username. Also adds the other demo accounts; all share one password. */
async function seedAccounts(
  { database, storage }: Place,
  { artists }: Catalogue,
): Promise<Map<string, string>> {
  const password_hash = await hashPassword(DEMO_PASSWORD);
  const ids = new Map<string, string>();
  for (const artist of artists) {
    const member = {
      username: artist.username,
      email: artist.email,
      name: artist.name,
      name_reading: artist.reading,
      bio: artist.bio,
      message_email: artist.messageEmail,
      donation_url: artist.donationUrl,
      picture_key: await storeSpec(storage, artist.picture, 'avatar', artist.username),
      background_key: await storeSpec(storage, artist.background, 'background', artist.username),
      password_hash,
    };
    ids.set(artist.username, await addAccount(database, member, artist.state));
  }
  for (const { username, email, state } of demoAccounts) {
    if (ids.has(username)) continue;
    await addAccount(database, { username, email, password_hash }, state);
  }
  return ids;
}

/** Staff rights are on record, as on any site. */
async function addAccount(
  database: Database,
  member: Parameters<typeof createUser>[1],
  state: AccountState,
): Promise<string> {
  const id = await createUser(database, { ...member, ...toFlags(state) });
  if (state.isStaff) await setStaff({ database, clock: systemClock }, id, null, 1);
  return id;
}

function toFlags(state: AccountState) {
  return {
    is_verified: state.isVerified,
    is_blocked: state.isBlocked,
    status: state.status,
    personal_info_status: state.personalInfoStatus,
    is_personal_info_verified: state.isPersonalInfoVerified,
  };
}

async function storeSpec(
  storage: Storage,
  spec: PictureSpec | null,
  kind: PictureKind,
  owner = '',
): Promise<string | null> {
  return spec && storePicture(storage, await renderPicture(spec), kind, owner);
}

function found<Value>(map: ReadonlyMap<string, Value>, name: string): Value {
  const value = map.get(name);
  if (value === undefined)
    throw new Error(`the demo catalogue names ${JSON.stringify(name)} and does not have it`);
  return value;
}
