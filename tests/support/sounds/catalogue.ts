import type { MusicalKey } from '#contract/sounds/music.ts';
import type { Database } from '#server/platform/database/open.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { createGenre, createSoundType } from '#server/features/catalogue/genres/service.ts';
import { setCorrections } from '#server/features/catalogue/features-queries.ts';
import type { Corrections } from '#server/features/catalogue/features-queries.ts';
import { createSound, indexSound } from '#server/features/catalogue/service.ts';
import type { NewSound } from '#server/features/catalogue/service.ts';
import type { Handle } from '#server/platform/database/handle.ts';

export interface TestSound {
  /** The key that tests use. */
  readonly key: string;
  readonly title: string;
  readonly description?: string;
  readonly artist?: string;
  /** How the artist says that the name is read. */
  readonly artistReading?: string | undefined;
  readonly type?: 'BGM' | '効果音';
  readonly subGenres?: readonly string[];
  readonly isAi?: boolean;
  readonly isPublished?: boolean;
  readonly downloads?: number;
  readonly favorites?: number;
  /** 3 by default. */
  readonly seconds?: number;
  /** As the artist has entered it. */
  readonly bpm?: number | undefined;
  readonly musicalKey?: MusicalKey | undefined;
  readonly facts?: Pick<NewSound, 'is_loopable' | 'has_vocals' | 'moods' | 'licence_uses' | 'content_id'>;
}

export interface TestCatalogue {
  /** Sound ids by key, and back. */
  readonly ids: ReadonlyMap<string, string>;
  readonly keys: ReadonlyMap<string, string>;
  readonly artistIds: ReadonlyMap<string, string>;
  readonly typeIds: ReadonlyMap<string, number>;
  readonly subGenreIds: ReadonlyMap<string, number>;
  idOf(key: string): string;
  subGenre(name: string): number;
}

const GENRES: Readonly<Record<string, readonly string[]>> = {
  ムード: ['明るい', '切ない', 'ホラー', '癒し'],
  シーン: ['戦闘', '日常', 'エンディング'],
  楽器: ['ピアノ', 'ギター', '和楽器', 'オルゴール'],
  環境: ['雨', '風', '海'],
  操作: ['クリック', '決定音'],
};
export const DEFAULT_ARTIST = '音工房';
const START_MS = Date.UTC(2026, 0, 1);

/** Inserts sounds into an empty database, oldest first. */
export async function fillCatalogue(
  database: Database,
  sounds: readonly TestSound[],
): Promise<TestCatalogue> {
  const typeIds = new Map<string, number>();
  for (const name of ['BGM', '効果音']) typeIds.set(name, await createSoundType(database, { name }));
  const subGenreIds = new Map<string, number>();
  for (const [name, subGenres] of Object.entries(GENRES)) {
    for (const [subGenre, id] of (await createGenre(database, { name, subGenres })).subGenreIds)
      subGenreIds.set(subGenre, id);
  }
  const others = sounds.flatMap(({ subGenres = [] }) => subGenres).filter((name) => !subGenreIds.has(name));
  if (others.length > 0) {
    const genre = await createGenre(database, { name: 'ほか', subGenres: [...new Set(others)] });
    for (const [subGenre, id] of genre.subGenreIds) subGenreIds.set(subGenre, id);
  }
  const artistIds = new Map<string, string>();
  const ids = new Map<string, string>();
  for (const [index, sound] of sounds.entries()) {
    const artist = sound.artist ?? DEFAULT_ARTIST;
    const artistId =
      artistIds.get(artist) ?? (await addArtist(database, artist, artistIds.size, sound.artistReading));
    artistIds.set(artist, artistId);
    const { id, seq } = await createSound(database, {
      ...toFile(sound.key),
      ...sound.facts,
      duration_ms: (sound.seconds ?? 3) * 1_000,
      artist_id: artistId,
      type_id: typeIds.get(sound.type ?? 'BGM') ?? 0,
      title: sound.title,
      description: sound.description ?? '',
      is_published: sound.isPublished ?? true,
      is_ai_generated: sound.isAi ?? false,
      sub_genre_ids: (sound.subGenres ?? []).map((name) => must(subGenreIds, name)),
      download_count: sound.downloads ?? 0,
      favorite_count: sound.favorites ?? 0,
      created_at: START_MS + index * 1_000,
    });
    const { bpm, musicalKey } = sound;
    await correctSound(database, seq, { bpm, key: musicalKey });
    ids.set(sound.key, id);
  }
  const keys = new Map([...ids].map(([key, id]) => [id, key]));
  const idOf = (key: string) => must(ids, key);
  return { ids, keys, artistIds, typeIds, subGenreIds, idOf, subGenre: (name) => must(subGenreIds, name) };
}

/** Enters tempo and key of a sound, as its artist does. */
export async function correctSound(database: Database, seq: number, corrections: Corrections): Promise<void> {
  await database.db.transaction().execute(async (transaction: Handle) => {
    await setCorrections(transaction, seq, corrections);
    await indexSound(database, transaction, seq);
  });
}

/** The fields of a sound's file in the database. */
export function toFile(
  name: string,
): Pick<NewSound, 'filename' | 'audio_key' | 'audio_mime' | 'audio_size' | 'duration_ms' | 'peaks'> {
  return {
    filename: `${name}.mp3`,
    audio_key: `key-of-${name}`,
    audio_mime: 'audio/mpeg',
    audio_size: 48_000,
    duration_ms: 3_000,
    peaks: '0123z',
  };
}

function addArtist(database: Database, username: string, index: number, reading = ''): Promise<string> {
  return createUser(database, {
    username,
    name_reading: reading,
    email: `artist${index}@example.test`,
    bio: `${username}です。`,
    bank_name: 'ひみつ銀行',
    account_number: '1234567',
    message_email: 'secret@example.test',
    donation_url: 'https://ofuse.me/example',
    is_verified: true,
    created_at: START_MS,
  });
}

function must<Value>(map: ReadonlyMap<string, Value>, key: string): Value {
  const value = map.get(key);
  if (value === undefined) throw new Error(`the test catalogue has no ${key}`);
  return value;
}
