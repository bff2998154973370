import { ApiError } from '../../contract/calls/errors.ts';
import { type SoundQuery, listSounds } from '../../contract/sounds/sounds.ts';
import type { Api, CallOptions } from '../api/client.ts';
import { type FoundSounds, NO_SOUNDS } from './listing.ts';
import type { SoundFilters } from '../lib/sound-filters.ts';

/** How to abort a call. */
type Watching = Pick<CallOptions<never>, 'signal'>;

/** Returns one page, counted from 1, of the sounds that match the filters. Throws `ApiError`. */
export type FindSounds = (filters: SoundFilters, page: number, watching?: Watching) => Promise<FoundSounds>;

/** Statuses with which hosts refuse the value of a parameter. */
const REFUSALS_OF_VALUES: ReadonlySet<number> = new Set([400, 404, 410, 414, 422]);

/**
 * One page of the host's listing. It is empty if the host refuses what a visitor chose, such as a type that no longer
 * exists or a page past the end.
 */
export async function listPage(api: Api, query: SoundQuery, watching?: Watching): Promise<FoundSounds> {
  const { page = 1, page_size: _size, ordering: _ordering, ...chosen } = query;
  const isChosen = page > 1 || Object.values(chosen).some((value) => value !== undefined);
  const list = await api(listSounds, { query: { ...query }, ...watching }).catch((error: unknown) => {
    if (!isChosen || !(error instanceof ApiError) || !REFUSALS_OF_VALUES.has(error.status)) throw error;
    return { ...NO_SOUNDS, count: page === 1 ? 0 : undefined };
  });
  // None of the entries was readable: links to more of them lead nowhere.
  if (list.results.length === 0 && page === 1) return { ...list, next: null, count: list.count && 0 };
  return list;
}
