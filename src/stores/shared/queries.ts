import { type CommonSettings, type FetcherStore, type KeyInput, nanoquery } from '@nanostores/query';
import { $memberKey } from './member-atom.ts';

/** Spec §9: query results live 5 minutes. */
const CACHE_MS = 5 * 60_000;

/**
 * A cached query whose answer is the same for everybody. Retries belong to the API client alone (`src/api`), and the
 * server renders from the page's own data, so nothing is ever fetched there.
 */
export const [publicQuery] = nanoquery({
  cacheLifetime: CACHE_MS,
  dedupeTime: 30_000,
  onErrorRetry: null,
  revalidateOnFocus: false,
});

/** A cached query whose answer is for one member. It asks nothing for visitors and shows no other member's answer. */
export function memberQuery<Data>(
  keys: Exclude<KeyInput, string | number | true>,
  settings: CommonSettings<Data>,
): FetcherStore<Data> {
  return publicQuery<Data>([$memberKey, ' ', ...keys], settings);
}
