import { createFetch } from 'ofetch';
import { ApiError } from '../../../contract/calls/errors.ts';
import { isFragment } from '../../lib/listing-fragment.ts';
import { toApiError, toRetryOptions } from '../../api/retries.ts';

interface FragmentOptions {
  readonly signal?: AbortSignal;
  /** Called before each wait for another attempt. */
  readonly onRetry?: () => void;
}

const request = createFetch({ fetch: (...args) => fetch(...args), Headers, AbortController });

/**
 * Returns a listing alone from the page server, repeated like any read of the API (spec §7). Throws `ApiError`, also for
 * another answer with status 200, such as the log-in page of a network; or the reason of an abort.
 */
export async function fetchFragment(url: string, options: FragmentOptions = {}): Promise<string> {
  const html = await request<unknown, 'text'>(url, {
    responseType: 'text',
    cache: window.early?.cache ?? 'default',
    ...toRetryOptions('browser', options.onRetry),
    ...(options.signal && { signal: options.signal }),
  }).catch((error: unknown) => {
    if (options.signal?.aborted) throw error;
    throw toApiError(error);
  });
  if (isFragment(html)) return html;
  throw new ApiError(502, [], { kind: 'unexpected-reply' });
}
