import type { SearchNotes } from '#contract/search/search-notes.ts';
import { pronounceSounds } from '#server/features/catalogue/search/pronouncing.ts';
import { closeQueryWords, patience } from '#server/features/catalogue/search/query-words.ts';
import { listSounds } from '#server/features/catalogue/service.ts';
import type { Database } from '#server/platform/database/open.ts';
import { createLog } from '#server/platform/log.ts';
import { fillCatalogue } from '#support/sounds/catalogue.ts';
import { type FindingQuery, FINDING_QUERIES, FINDING_SOUNDS } from './finding-golden.ts';

/** A sound of this grade is what a visitor would be glad to get. */
const GOOD = 2;
const SHOWN = 10;

export interface RatedQuery extends FindingQuery {
  /** The first results, as keys of the golden catalogue. */
  readonly found: readonly string[];
  /** Whether a good sound is among the first ten, or nothing is said to be exact where nothing is relevant. */
  readonly isHit: boolean;
  /** 1 divided by the place of the first good sound; 0 below the first ten. */
  readonly reciprocalRank: number;
}

/** Asks the golden queries in an empty database, which it fills with the golden catalogue. */
export async function rateSearch(database: Database): Promise<RatedQuery[]> {
  const { keys } = await fillCatalogue(database, FINDING_SOUNDS);
  const logger = createLog('silent', { write: () => undefined });
  await pronounceSounds({ database, logger, catalogueChanged: () => undefined });
  patience.ms = 60_000;
  const rated: RatedQuery[] = [];
  for (const query of FINDING_QUERIES) {
    const { sounds, notes } = await listSounds(database, { search: query.query, page_size: SHOWN }, null);
    const found = sounds.map(({ row }) => keys.get(row.id) ?? '');
    const place = found.findIndex((key) => (query.relevant.get(key) ?? 0) >= GOOD);
    const isHit = query.relevant.size === 0 ? found.length === 0 || isInexact(notes) : place !== -1;
    rated.push({ ...query, found, isHit, reciprocalRank: place === -1 ? Number(isHit) : 1 / (place + 1) });
  }
  await closeQueryWords();
  return rated;
}

function isInexact(notes: SearchNotes | undefined): boolean {
  return notes !== undefined && (notes.replaced.length > 0 || notes.left_out.length > 0 || notes.is_partial);
}

export interface Rating {
  readonly queries: number;
  /** Shares of the queries. */
  readonly hits: number;
  readonly reciprocalRank: number;
  readonly nothing: number;
}

/** The rating of one half by kind of query, and of all its queries as `all`. */
export function summarise(rated: readonly RatedQuery[], half: FindingQuery['half']): Map<string, Rating> {
  const inHalf = rated.filter((query) => query.half === half);
  const kinds = [...Map.groupBy(inHalf, ({ kind }) => kind), ['all', inHalf] as const];
  return new Map(kinds.map(([kind, queries]) => [kind, rate(queries)]));
}

function rate(queries: readonly RatedQuery[]): Rating {
  const share = (value: (query: RatedQuery) => number) =>
    queries.reduce((sum, query) => sum + value(query), 0) / queries.length;
  return {
    queries: queries.length,
    hits: share(({ isHit }) => Number(isHit)),
    reciprocalRank: share(({ reciprocalRank }) => reciprocalRank),
    nothing: share(({ found }) => Number(found.length === 0)),
  };
}
