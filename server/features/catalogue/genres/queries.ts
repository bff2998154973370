import type { Kysely } from 'kysely';
import type { Schema } from '../../../platform/database/database.ts';

export async function selectGenres(db: Kysely<Schema>) {
  const genres = await db
    .selectFrom('genres')
    .select(['id', 'name'])
    .orderBy('position')
    .orderBy('id')
    .execute();
  const subGenres = await db
    .selectFrom('sub_genres')
    .select(['id', 'name', 'genre_id'])
    .orderBy('position')
    .orderBy('id')
    .execute();
  const byGenre = Map.groupBy(subGenres, (subGenre) => subGenre.genre_id);
  return genres.map(({ id, name }) => ({
    id: String(id),
    name,
    sub_genres: (byGenre.get(id) ?? []).map((subGenre) => ({ id: String(subGenre.id), name: subGenre.name })),
  }));
}

export async function selectSoundTypes(db: Kysely<Schema>) {
  const types = await db
    .selectFrom('sound_types')
    .select(['id', 'name', 'icon'])
    .orderBy('position')
    .orderBy('id')
    .execute();
  return types.map((type) => ({ ...type, id: String(type.id) }));
}
