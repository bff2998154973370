import type { Db } from '../tables.ts';

export async function selectGenres(db: Db) {
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

export async function selectSoundTypes(db: Db) {
  const types = await db
    .selectFrom('sound_types')
    .select(['id', 'name', 'icon'])
    .orderBy('position')
    .orderBy('id')
    .execute();
  return types.map((type) => ({ ...type, id: String(type.id) }));
}

/** All types, genres and sub-genres with their positions and the number of sounds that have each, private ones included. */
export async function selectOperatorGenres(db: Db) {
  const types = await db
    .selectFrom('sound_types')
    .select(['id', 'name', 'icon', 'position as order'])
    .select((eb) =>
      eb
        .selectFrom('sounds')
        .whereRef('sounds.type_id', '=', 'sound_types.id')
        .select(({ fn }) => fn.countAll<number>().as('sounds'))
        .as('sounds'),
    )
    .orderBy('position')
    .orderBy('id')
    .execute();
  const genres = await db
    .selectFrom('genres')
    .select(['id', 'name', 'position as order'])
    .select((eb) =>
      eb
        .selectFrom('sound_sub_genres')
        .innerJoin('sub_genres', 'sub_genres.id', 'sound_sub_genres.sub_genre_id')
        .whereRef('sub_genres.genre_id', '=', 'genres.id')
        .select(({ fn }) => fn.count<number>('sound_seq').distinct().as('sounds'))
        .as('sounds'),
    )
    .orderBy('position')
    .orderBy('id')
    .execute();
  const subGenres = await db
    .selectFrom('sub_genres')
    .select(['id', 'genre_id', 'name', 'position as order'])
    .select((eb) =>
      eb
        .selectFrom('sound_sub_genres')
        .whereRef('sound_sub_genres.sub_genre_id', '=', 'sub_genres.id')
        .select(({ fn }) => fn.countAll<number>().as('sounds'))
        .as('sounds'),
    )
    .orderBy('position')
    .orderBy('id')
    .execute();
  const byGenre = Map.groupBy(subGenres, ({ genre_id }) => genre_id);
  const withCount = <Row extends { sounds: number | null }>(row: Row) => ({
    ...row,
    sounds: Number(row.sounds),
  });
  return {
    types: types.map(withCount),
    genres: genres.map((genre) => ({
      ...withCount(genre),
      sub_genres: (byGenre.get(genre.id) ?? []).map(({ id, name, order, sounds }) => ({
        id,
        name,
        order,
        sounds: Number(sounds),
      })),
    })),
  };
}
