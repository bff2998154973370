import { invalidateCache, cached } from '../../../platform/database/statements/cached.ts';
import type { Database } from '../../../platform/database/open.ts';
import { selectGenres, selectSoundTypes } from './queries.ts';
import type { Handle } from '../../../platform/database/handle.ts';
import { own } from '../tables.ts';

export interface NewSoundType {
  readonly name: string;
  readonly icon?: string;
}

export interface NewGenre {
  readonly name: string;
  /** Names of its sub-genres in display order. */
  readonly subGenres: readonly string[];
}

/** Genres with their sub-genres, in the operator's order. */
export function listGenres(database: Database) {
  return cached(database, 'genres', () => selectGenres(database.db));
}

export function listSoundTypes(database: Database) {
  return cached(database, 'sound-types', () => selectSoundTypes(database.db));
}

/** Adds a sound type at the end, or changes the icon of the one with this name. Returns its id. */
export async function createSoundType(
  database: Database,
  { name, icon = '' }: NewSoundType,
): Promise<number> {
  const position = (await selectSoundTypes(database.db)).length;
  const { id } = await own(database.db)
    .insertInto('sound_types')
    .values({ name, icon, position })
    .onConflict((on) => on.column('name').doUpdateSet({ icon }))
    .returning('id')
    .executeTakeFirstOrThrow();
  invalidateCache(database);
  return id;
}

/** Adds a genre at the end. Returns its id and the ids of its sub-genres by name. */
export async function createGenre(
  database: Database,
  { name, subGenres }: NewGenre,
): Promise<{ id: number; subGenreIds: ReadonlyMap<string, number> }> {
  const made = await database.db.transaction().execute(async (transaction: Handle) => {
    const position = (await selectGenres(transaction)).length;
    const genre = await own(transaction)
      .insertInto('genres')
      .values({ name, position })
      .returning('id')
      .executeTakeFirstOrThrow();
    const subGenreIds = new Map<string, number>();
    for (const [index, subGenre] of subGenres.entries()) {
      const { id } = await own(transaction)
        .insertInto('sub_genres')
        .values({ genre_id: genre.id, name: subGenre, position: index })
        .returning('id')
        .executeTakeFirstOrThrow();
      subGenreIds.set(subGenre, id);
    }
    return { id: genre.id, subGenreIds };
  });
  invalidateCache(database);
  return made;
}
