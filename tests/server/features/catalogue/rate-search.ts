import { pronounceSounds } from '#server/features/catalogue/search/pronouncing.ts';
import { listSounds } from '#server/features/catalogue/catalogue.ts';
import type { Database } from '#server/platform/database/open.ts';
import { createLog } from '#server/platform/log.ts';
import { fillCatalogue } from '#support/sounds/catalogue.ts';
import { MEANING_QUERIES, MEANING_SOUNDS } from './meaning-golden.ts';
import type { MeaningQuery } from './meaning-golden.ts';
import { ndcg } from './ndcg.ts';

export interface RatedQuery extends MeaningQuery {
  /** The first results, as keys of the golden catalogue. */
  readonly found: readonly string[];
  /** nDCG of the first ten results. */
  readonly ndcg: number;
}

/** Asks the golden queries in an empty database, which it fills with the golden catalogue. */
export async function rateSearch(database: Database): Promise<RatedQuery[]> {
  const { keys } = await fillCatalogue(database, MEANING_SOUNDS);
  const logger = createLog('silent', { write: () => undefined });
  await pronounceSounds({ database, logger, catalogueChanged: () => undefined });
  const rated: RatedQuery[] = [];
  for (const query of MEANING_QUERIES) {
    const { sounds } = await listSounds(database, { search: query.query, page_size: 20 }, null);
    const found = sounds.map(({ row }) => keys.get(row.id) ?? '');
    rated.push({ ...query, found, ndcg: ndcg(found, query.relevant) });
  }
  return rated;
}

/** The mean nDCG and the share of queries without results, by kind of query. */
export function summarise(rated: readonly RatedQuery[]): Map<string, { ndcg: number; nothing: number }> {
  const kinds = Map.groupBy(rated, ({ kind }) => kind);
  return new Map(
    Array.from(kinds, ([kind, queries]) => [
      kind,
      {
        ndcg: queries.reduce((sum, query) => sum + query.ndcg, 0) / queries.length,
        nothing: queries.filter(({ found }) => found.length === 0).length / queries.length,
      },
    ]),
  );
}
