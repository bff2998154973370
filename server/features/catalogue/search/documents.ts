import { toFactValues } from '../facts.ts';
import { toSourceHash } from './pronunciations.ts';
import type { ReadTexts } from './pronunciations.ts';
import { IS_THERE } from '../visibility.ts';
import type { SearchDocument } from './tokens.ts';
import type { Db } from '../tables.ts';

/** The data of a sound that the search index needs; undefined for one that is not there (any more). */
export async function selectSearchDocument(db: Db, seq: number): Promise<SearchDocument | undefined> {
  const row = await db
    .selectFrom('sounds')
    .innerJoin('users', 'users.id', 'sounds.artist_id')
    .innerJoin('sound_types', 'sound_types.id', 'sounds.type_id')
    .leftJoin('sound_pronunciations', 'sound_pronunciations.sound_seq', 'sounds.seq')
    .leftJoin('sound_features', 'sound_features.sound_seq', 'sounds.seq')
    .selectAll('sounds')
    .select(['effective_bpm', 'effective_key'])
    .select(['users.username as artist_name', 'users.name_reading', 'sound_types.name as type_name'])
    .select(['source_hash', 'index_tokens'])
    .where('sounds.seq', '=', seq)
    .where(IS_THERE)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const genres = await db
    .selectFrom('sound_sub_genres')
    .innerJoin('sub_genres', 'sub_genres.id', 'sound_sub_genres.sub_genre_id')
    .innerJoin('genres', 'genres.id', 'sub_genres.genre_id')
    .select(['sub_genres.id', 'sub_genres.name', 'genres.name as genre_name'])
    .where('sound_sub_genres.sound_seq', '=', seq)
    .execute();
  const document = {
    seq,
    title: row.title,
    description: row.description,
    artistName: row.artist_name,
    artistReading: row.name_reading,
    typeName: row.type_name,
    genreNames: [...new Set(genres.flatMap((genre) => [genre.name, genre.genre_name]))],
    artistId: row.artist_id,
    typeId: row.type_id,
    subGenreIds: genres.map((genre) => genre.id),
    isAiGenerated: row.is_ai_generated === 1,
    facts: toFactValues(row),
    isPublished: row.is_published === 1,
    counts: {
      download_count: row.download_count,
      favorite_count: row.favorite_count,
      popularity: row.popularity,
    },
  };
  const isRead = row.source_hash === toSourceHash(toReadTexts(document));
  return { ...document, readTokens: isRead ? row.index_tokens?.split(' ').filter(Boolean) : undefined };
}

/** The texts of a sound whose words are read. */
export function toReadTexts(document: SearchDocument): ReadTexts {
  const { title, artistName, artistReading, typeName, genreNames, description } = document;
  return {
    title,
    artist: artistName,
    artistReading,
    labels: [typeName, ...genreNames.toSorted()],
    description,
  };
}
