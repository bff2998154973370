import { ApiError } from '../../contract/calls/errors.ts';
import { toFieldErrors } from './field-errors.ts';

/** How often a failed read is repeated, and the first wait; each wait is twice the previous one. */
const RETRIES = {
  none: { times: 0, firstMs: 0 },
  /** While a page waits: a host that restarts or drops a connection usually answers the second attempt. */
  page: { times: 1, firstMs: 100 },
  /** Spec §7. */
  browser: { times: 3, firstMs: 1000 },
} as const;
const RETRY_CAP_MS = 30_000;
/** A 4xx is never temporary; any 5xx may be (spec §7). The library needs a list. */
const RETRIED_STATUSES = Array.from({ length: 100 }, (_, index) => 500 + index);

export type Retries = keyof typeof RETRIES;

/** The options of ofetch that repeat a read; `onRetry` is called before each wait. */
export function toRetryOptions(retries: Retries, onRetry?: () => void) {
  const { times, firstMs } = RETRIES[retries];
  return {
    retry: times,
    retryStatusCodes: RETRIED_STATUSES,
    /** `retry` is how many attempts the library still has. */
    retryDelay({ options: { retry } }: { options: { retry?: number | false } }) {
      onRetry?.();
      return Math.min(RETRY_CAP_MS, firstMs * 2 ** (times - Number(retry)));
    },
  };
}

/** The error of a request that failed. */
export function toApiError(error: unknown): ApiError {
  const { cause } = error as Error;
  // Renewing the session failed during the call.
  if (cause instanceof ApiError) return cause;
  const { status, data, response } = error as { status?: number; data?: unknown; response?: Response };
  return toRefusal(status ?? 0, data, response?.headers.get('retry-after'), error);
}

/** The error of a reply: its status, body and `Retry-After` (RFC 9110 §10.2.3; a date counts as absent). */
export function toRefusal(
  status: number,
  body: unknown,
  retryAfter: string | null | undefined,
  cause?: unknown,
): ApiError {
  const retryAfterSec = Number(retryAfter || Number.NaN);
  return new ApiError(status, toFieldErrors(body), { cause, ...(retryAfterSec > 0 && { retryAfterSec }) });
}
