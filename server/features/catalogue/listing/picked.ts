import type { SoundQuery } from '../../../../contract/sounds.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { ListingSource } from './source.ts';
import type { PickedFilters, PickedOrder } from './picked-queries.ts';
import { countPicked, selectPickedSeqs } from './picked-queries.ts';
import { loadSynonyms } from '../search/load-synonyms.ts';
import { toOrder, toSearchText, toTiers } from '../search/text.ts';

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
  if (text === undefined) {
    return {
      count: (cap) => countPicked(db, filters, cap),
      list: (_, limit, offset) => selectPickedSeqs(db, filters, order, { limit, offset }),
    };
  }

  const { literal, meant } = toTiers(text, await loadSynonyms(database));
  const tiers = [...literal, ...meant];
  const anywhere = tiers.at(-1);
  if (anywhere === undefined) return undefined;
  const better = order === 'popularity' ? tiers.slice(0, -1) : [];
  let hits: readonly number[] = [];
  return {
    async count(cap) {
      const picked = await selectPickedSeqs(db, filters, order);
      const found = await search.among(db, anywhere, picked);
      hits = picked.filter((seq) => found.has(seq));
      return Math.min(hits.length, cap);
    },
    async list(_, limit, offset) {
      const listed: number[] = [];
      let others = hits;
      for (const tier of better) {
        if (listed.length >= offset + limit) break;
        const found = await search.among(db, tier, others);
        listed.push(...others.filter((seq) => found.has(seq)));
        others = others.filter((seq) => !found.has(seq));
      }
      return [...listed, ...others].slice(offset, offset + limit);
    },
  };
}

/** Favourites are ordered by when they were added, unless the query searches or specifies an order. */
function toPickedOrder(query: SoundQuery): PickedOrder {
  const isAsked = query.ordering !== undefined && query.ordering !== 'relevance';
  const isUnordered = !isAsked && toSearchText(query) === undefined;
  return query.favorite === true && isUnordered ? 'favorited' : toOrder(query);
}
