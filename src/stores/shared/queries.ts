import { nanoquery } from '@nanostores/query';

/** Spec §9: query results live 5 minutes. */
const CACHE_MS = 5 * 60_000;

/**
 * The context of all cached queries. Retries belong to the API client alone (`src/api`), and the
 * server renders from the page's own data, so nothing is ever fetched there.
 */
export const [createFetcherStore] = nanoquery({
  cacheLifetime: CACHE_MS,
  dedupeTime: 30_000,
  onErrorRetry: null,
  revalidateOnFocus: false,
});
