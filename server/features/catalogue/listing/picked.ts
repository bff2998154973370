import type { SoundQuery } from '../../../../contract/sounds/sounds.ts';
import { mapTokens } from '../../../platform/database/search-index/search-expression.ts';
import type { Database } from '../../../platform/database/open.ts';
import type { SearchExpression } from '../../../platform/database/search-index/search-expression.ts';
import type { FactQuestion } from '../facts.ts';
import type { ListingSource } from './source.ts';
import type { PickedFilters, PickedOrder } from './picked-queries.ts';
import { countPicked, selectPickedSeqs } from './picked-queries.ts';
import { exclude, toOrder, toSearchText, toWidest } from '../search/text.ts';
import { EVERYTHING, toPrivate } from '../search/tokens.ts';
import { read } from '../search/understanding.ts';

/**
 * Lists individually selected sounds. Filters and sorts the selection, never the catalogue. undefined when nothing can
 * match.
 */
export async function pickedSource(
  database: Database,
  query: SoundQuery,
  filters: PickedFilters,
): Promise<ListingSource | undefined> {
  const { db, search } = database;
  const order = toPickedOrder(query);
  const text = toSearchText(query);
  const ofFacts = toFactExpression(filters.facts);
  if (text === undefined && ofFacts === undefined) {
    return {
      count: (cap) => countPicked(db, filters, cap),
      list: (limit, offset) => selectPickedSeqs(db, filters, order, { limit, offset }),
    };
  }

  const textSearch = text === undefined ? undefined : await read(database, text);
  const tiers = textSearch?.groups.flat() ?? [];
  const anywhere = textSearch && toWidest(textSearch);
  if (text !== undefined && anywhere === undefined) return undefined;
  const better = (order === 'popularity' ? tiers : []).map((expression) => ({ expression }));
  let hits: readonly number[] = [];
  return {
    async count(cap) {
      hits = await selectPickedSeqs(db, filters, order);
      for (const required of [ofFacts, anywhere]) {
        if (required === undefined) continue;
        const found = await search.among(db, required, hits);
        hits = hits.filter((seq) => found.has(seq));
      }
      return Math.min(hits.length, cap);
    },
    list: async (limit, offset) => (await search.partition(db, hits, better, offset + limit)).slice(offset),
  };
}

/** undefined when the query has no conditions on the facts. The selection decides who sees private sounds. */
function toFactExpression({ wanted, unwanted }: FactQuestion): SearchExpression | undefined {
  if (wanted.length + unwanted.length === 0) return undefined;
  const matching = exclude({ all: [...wanted, EVERYTHING] }, unwanted);
  return { any: [matching, mapTokens(matching, toPrivate)] };
}

/** Favourites are ordered by when they were added, unless the query searches or specifies an order. */
function toPickedOrder(query: SoundQuery): PickedOrder {
  const hasOrdering = query.ordering !== undefined && query.ordering !== 'relevance';
  const isUnordered = !hasOrdering && toSearchText(query) === undefined;
  return query.favorite === true && isUnordered ? 'favorited' : toOrder(query);
}
