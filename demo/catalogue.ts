import type { Mood } from '../contract/sounds/sound-facts.ts';
import { type AccountState, demoAccounts, verifiedArtist } from './accounts.ts';
import type { EffectRecipe } from './effects/perform.ts';
import { type MusicRecipe, musicSeconds } from './music/form.ts';
import type { PaletteName } from './pictures/palettes.ts';
import type { MotifName, PictureSpec } from './pictures/picture.ts';
import { integerBetween, type Random, seededRandom } from './random.ts';
import { artistEntries } from './texts/artists.ts';
import { effectEntries } from './texts/effects.ts';
import type { EffectEntry, MusicEntry } from './texts/entry.ts';
import { MOODS_OF_TAGS, genres, types } from './texts/genres.ts';
import { musicEntries } from './texts/music.ts';
import { pages } from './texts/pages.ts';

/** Plain data that can be posted to workers. */
export type Recipe = MusicRecipe | EffectRecipe;

export interface SoundSpec {
  title: string;
  description: string;
  typeName: string;
  subGenres: string[];
  moods: Mood[];
  isAiGenerated: boolean;
  isPublished: boolean;
  /** Username. */
  artist: string;
  thumbnail: PictureSpec | null;
  recipe: Recipe;
  durationSec: number;
  createdDaysAgo: number;
  downloadCount: number;
  favoriteCount: number;
}

export interface ArtistSpec {
  username: string;
  email: string;
  name: string;
  reading: string;
  bio: string;
  picture: PictureSpec | null;
  background: PictureSpec | null;
  messageEmail: string;
  donationUrl: string;
  state: AccountState;
}

export interface Catalogue {
  types: { name: string; icon: string }[];
  genres: { name: string; subGenres: string[] }[];
  artists: ArtistSpec[];
  sounds: SoundSpec[];
  pages: { slug: string; title: string; order: number; body: string }[];
  /** The logo shows the default site name; null omits it. */
  site: { logo: PictureSpec | null; banner: PictureSpec };
}

/** Describes the whole demo catalogue; deterministic. Nothing is rendered yet. */
export function describeCatalogue(): Catalogue {
  return {
    types: structuredClone(types),
    genres: structuredClone(genres),
    artists: describeArtists(),
    sounds: describeSounds(),
    pages: structuredClone(pages),
    site: {
      logo: { ...picture('logo', 'dawn', 0, 196, 64), transparent: true },
      banner: picture('banner', 'dawn', 1, 1200, 240),
    },
  };
}

function picture(
  motif: MotifName,
  palette: PaletteName,
  seed: number,
  width: number,
  height: number,
): PictureSpec {
  return { motif, palette, seed, width, height, transparent: false };
}

function describeArtists(): ArtistSpec[] {
  return artistEntries.map((entry, index) => {
    const account = demoAccounts.find(({ email }) => email === entry.email);
    return {
      username: entry.username,
      email: entry.email ?? `artist-${index + 1}@example.test`,
      name: entry.name,
      reading: entry.reading ?? '',
      bio: entry.bio ?? '',
      picture: entry.portrait ? { ...picture(...entry.portrait, index, 480, 480), format: 'png' } : null,
      background: entry.background ? picture(...entry.background, index + 100, 1600, 560) : null,
      messageEmail: entry.messageEmail ?? '',
      donationUrl: entry.donationUrl ?? '',
      state: account?.state ?? verifiedArtist,
    };
  });
}

function describeSounds(): SoundSpec[] {
  const random = seededRandom('otoichi');
  const music = musicEntries.map(describeMusic);
  const effects = effectEntries.map(describeEffect);
  const sounds = shuffled([...music, ...effects], random);
  return sounds.map((sound, index) => ({ ...sound, ...standing(random, index, sounds.length) }));
}

type Unplaced = Omit<SoundSpec, 'createdDaysAgo' | 'downloadCount' | 'favoriteCount'>;

function describeMusic(entry: MusicEntry, index: number): Unplaced {
  const { mood, bpm, key, bars, ending } = entry;
  const recipe: MusicRecipe = { kind: 'music', mood, seed: index + 1, bpm, transpose: key, bars, ending };
  return {
    ...common(entry, index),
    typeName: 'BGM',
    recipe,
    durationSec: musicSeconds(recipe),
  };
}

function describeEffect(entry: EffectEntry, index: number): Unplaced {
  const { effect, seconds, pitch = 1 } = entry;
  const recipe: EffectRecipe = { kind: 'effect', effect, seed: index + 1, seconds, pitch };
  return {
    ...common(entry, index + 500),
    typeName: '効果音',
    recipe,
    durationSec: seconds,
  };
}

function common(entry: MusicEntry | EffectEntry, seed: number) {
  return {
    title: entry.title,
    description: entry.text,
    subGenres: entry.tags.filter((tag) => !(tag in MOODS_OF_TAGS)),
    moods: [...new Set(entry.tags.flatMap((tag) => MOODS_OF_TAGS[tag] ?? []))],
    isAiGenerated: entry.ai ?? false,
    isPublished: !entry.hidden,
    artist: entry.by,
    thumbnail: entry.art && picture(...entry.art, seed, 640, 640),
  };
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const out = [...list];
  for (let i = out.length - 1; i > 0; i--) {
    const j = integerBetween(random, 0, i);
    [out[i], out[j]] = [out[j] as T, out[i] as T];
  }
  return out;
}

/** Ages over two years, newest first; a few favourites and a long tail. */
function standing(random: Random, index: number, count: number) {
  const createdDaysAgo = Math.round((index / count) ** 1.4 * 720 * 100) / 100;
  const downloadCount = Math.floor(5200 * random() ** 3 * Math.min(1, 0.1 + createdDaysAgo / 120));
  return {
    createdDaysAgo,
    downloadCount,
    favoriteCount: Math.floor(downloadCount * (0.02 + 0.16 * random())),
  };
}
