import type { FetcherStore } from '@nanostores/query';
import { keepData } from './kept-data.ts';
import { memberQuery } from './queries.ts';

/**
 * A query of the console: read on each visit and after each decision. What was read stays visible meanwhile, so that
 * tables, dialogs and typed text stay where they are.
 */
export function staffQuery<Data>(
  key: string,
  fetcher: (signal: AbortSignal) => Promise<Data>,
): FetcherStore<Data> {
  return keepData(memberQuery<Data>([`operator-${key}`], { fetcher, cacheLifetime: 0, dedupeTime: 0 }));
}
