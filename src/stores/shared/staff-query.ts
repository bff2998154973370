import type { FetcherStore } from '@nanostores/query';
import type { ReadableAtom } from 'nanostores';
import { keepPrevious } from './keep-previous.ts';
import { memberQuery } from './queries.ts';

const UNCACHED = { cacheLifetime: 0, dedupeTime: 0 };

/**
 * A query of the console: read on each visit and after each decision. What was read stays visible meanwhile, so that
 * tables, dialogs and typed text stay where they are.
 */
export function staffQuery<Data>(
  key: string,
  fetcher: (signal: AbortSignal) => Promise<Data>,
): FetcherStore<Data> {
  return keepPrevious(memberQuery<Data>([`operator-${key}`], { fetcher, ...UNCACHED }));
}

/** What the console shows of one thing: nothing while the id is null. */
export function staffDetails<Data>(
  key: string,
  $id: ReadableAtom<string | null>,
  read: (id: string, signal: AbortSignal) => Promise<Data>,
): FetcherStore<Data> {
  return keepPrevious(
    memberQuery<Data>([`operator-${key} `, $id], {
      fetcher: (signal, ...keys) => read(String(keys.at(-1)), signal),
      ...UNCACHED,
    }),
  );
}
