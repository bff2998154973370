import { type CommonSettings, type FetcherStore, type KeyInput, nanoquery } from '@nanostores/query';
import { onMemberLeave } from '../session/session.ts';
import { $memberKey } from './member-atom.ts';

/** Spec §9: query results live 5 minutes. */
const CACHE_MS = 5 * 60_000;

/**
 * A cached query whose answer is the same for every visitor. Only the API client (`src/api`) retries. The server
 * renders from the page's own data, so it never fetches here.
 */
export const [publicQuery] = nanoquery({
  cacheLifetime: CACHE_MS,
  dedupeTime: 30_000,
  onErrorRetry: null,
  revalidateOnFocus: false,
});

/**
 * A cached query whose answer is for one member. It sends nothing for visitors and never shows another member's answer.
 * For module-level stores only.
 */
export function memberQuery<Data>(
  keys: Exclude<KeyInput, string | number | true>,
  settings: CommonSettings<Data>,
): FetcherStore<Data> {
  const $query = publicQuery<Data>([$memberKey, ' ', ...keys], settings);
  // The keys of a query change a task later.
  onMemberLeave(() => {
    delete $query.key;
    $query.set({ loading: false });
  });
  return $query;
}
