import { ApiError } from '../../contract/errors.ts';
import { type SoundQuery, listSounds } from '../../contract/sounds.ts';
import type { Api, CallOptions } from '../api/client.ts';
import { type FoundSounds, NO_SOUNDS } from './listing.ts';
import type { SoundFilters } from '../lib/sound-filters.ts';

/** How to abort a call, and a callback for retries. */
type Watching = Pick<CallOptions<never>, 'signal' | 'onRetry'>;

/** Returns one page, counted from 1, of the sounds that match the filters. Throws `ApiError`. */
export type FindSounds = (filters: SoundFilters, page: number, watching?: Watching) => Promise<FoundSounds>;

/** One page of the host's listing. A page past the end, which some hosts answer with 404, is empty. */
export async function listPage(api: Api, query: SoundQuery, watching?: Watching): Promise<FoundSounds> {
  const page = query.page ?? 1;
  const list = await api(listSounds, { query: { ...query }, ...watching }).catch((error: unknown) => {
    if (error instanceof ApiError && error.kind === 'not-found' && page > 1) return NO_SOUNDS;
    throw error;
  });
  // None of the entries was readable: links to more of them lead nowhere.
  if (list.results.length === 0 && page === 1) return { ...list, next: null, count: list.count && 0 };
  return list;
}
