import { createFetch } from 'ofetch';
import { RETRIED_STATUSES, RETRIES, toApiError, toRetryDelay } from './retries.ts';

interface FragmentOptions {
  readonly signal?: AbortSignal;
  /** Called before each wait for another attempt. */
  readonly onRetry?: () => void;
}

const request = createFetch({ fetch: (...args) => fetch(...args), Headers, AbortController });

/**
 * Returns a part of a page from the page server, repeated like any read of the API (spec §7). Throws `ApiError`, or the
 * reason of an abort.
 */
export async function fetchFragment(url: string, options: FragmentOptions = {}): Promise<string> {
  const { times } = RETRIES.browser;
  return request<string, 'text'>(url, {
    responseType: 'text',
    retry: times,
    retryStatusCodes: RETRIED_STATUSES,
    retryDelay: ({ options: { retry } }) => {
      options.onRetry?.();
      return toRetryDelay(RETRIES.browser, retry);
    },
    ...(options.signal && { signal: options.signal }),
  }).catch((error: unknown) => {
    if (options.signal?.aborted) throw error;
    throw toApiError(error);
  });
}
