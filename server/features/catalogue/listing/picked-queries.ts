import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { RankOrder } from '../../../platform/database/search-index/search-index.ts';
import type { FactQuestion } from '../facts.ts';
import type { PlainFilters } from '../queries.ts';
import { IS_THERE } from '../visibility.ts';
import type { Db } from '../tables.ts';
import { toFlag } from '../../../platform/database/tables/parts.ts';

/** A listing considers only this many of a member's newest favourites, whatever the filters and order. */
const FAVORITES_READ_MAX = 10_000;

/** Sounds selected individually: by their ids, as a member's favourites, or both. */
export interface PickedFilters extends PlainFilters {
  readonly ids: readonly string[] | undefined;
  /** A member's id. Their own private sounds can be among their favourites. */
  readonly favoritesOf: string | undefined;
  /** Not part of the SQL: the caller queries the search index. */
  readonly facts: FactQuestion;
  /** A sound must have all of them. */
  readonly subGenreIds: readonly number[];
}

/** `favorited`: newest favourite first; only for favourites. */
export type PickedOrder = RankOrder | 'favorited';

/** Their number, counted up to `cap`. */
export async function countPicked(db: Db, filters: PickedFilters, cap: number): Promise<number> {
  const { rows } = await sql<{ sounds: number }>`
    select count(*) as sounds from (select 1 as hit ${fromPicked(filters)} limit ${cap}) capped`.execute(db);
  return rows[0]?.sounds ?? 0;
}

/** The seqs in an order: one page of them, or all that a listing considers. */
export async function selectPickedSeqs(
  db: Db,
  filters: PickedFilters,
  order: PickedOrder,
  page?: { readonly limit: number; readonly offset: number },
): Promise<number[]> {
  const { rows } = await sql<{ seq: number }>`
    select sounds.seq as seq ${fromPicked(filters)} order by ${ORDERS[order]}
    ${page === undefined ? sql`` : sql`limit ${page.limit} offset ${page.offset}`}`.execute(db);
  return rows.map((row) => row.seq);
}

const ORDERS: Readonly<Record<PickedOrder, RawBuilder<unknown>>> = {
  favorited: sql`favorites.created_at desc, favorites.sound_seq desc`,
  newest: sql`sounds.seq desc`,
  download_count: sql`sounds.download_count desc, sounds.seq desc`,
  favorite_count: sql`sounds.favorite_count desc, sounds.seq desc`,
  popularity: sql`sounds.popularity desc, sounds.seq desc`,
};

/**
 * SQLite keeps the order of a cross join: the selection comes first, the rest is looked up by primary key. Ids are
 * resolved in a separate query, because together with the other conditions SQLite would scan all public sounds.
 */
function fromPicked(filters: PickedFilters): RawBuilder<unknown> {
  const { ids, favoritesOf, typeId, artistId, isAiGenerated, withPrivate } = filters;
  const tables: RawBuilder<unknown>[] = [];
  const conditions: RawBuilder<unknown>[] = [];
  if (ids !== undefined) {
    tables.push(sql`sounds picked`);
    conditions.push(sql`picked.id in (${sql.join(ids)})`, sql`sounds.seq = picked.seq`);
  }
  if (favoritesOf !== undefined) {
    tables.push(sql`favorites`);
    conditions.push(sql`favorites.user_id = ${favoritesOf}`, sql`sounds.seq = favorites.sound_seq`);
    conditions.push(
      ids === undefined
        ? sql`favorites.created_at >= ${toOldestFavoriteTime(favoritesOf)}`
        : sql`favorites.sound_seq = picked.seq`,
    );
    conditions.push(sql`(sounds.is_published = 1 or sounds.artist_id = ${favoritesOf})`);
  } else if (!withPrivate) conditions.push(sql`sounds.is_published = 1`);
  conditions.push(IS_THERE);
  if (typeId !== undefined) conditions.push(sql`sounds.type_id = ${typeId}`);
  if (artistId !== undefined) conditions.push(sql`sounds.artist_id = ${artistId}`);
  if (isAiGenerated !== undefined) conditions.push(sql`sounds.is_ai_generated = ${toFlag(isAiGenerated)}`);
  for (const id of filters.subGenreIds)
    conditions.push(
      sql`exists (select 1 from sound_sub_genres where sound_seq = sounds.seq and sub_genre_id = ${id})`,
    );
  const from = sql.join([...tables, sql`sounds`], sql` cross join `);
  return sql`from ${from} where ${sql.join(conditions, sql` and `)}`;
}

/** The time of the oldest favourite that is considered: one index walk up to the limit. */
function toOldestFavoriteTime(userId: string): RawBuilder<unknown> {
  return sql`coalesce((
    select newest.created_at from favorites newest where newest.user_id = ${userId}
    order by newest.created_at desc, newest.sound_seq desc limit 1 offset ${FAVORITES_READ_MAX - 1}), 0)`;
}
