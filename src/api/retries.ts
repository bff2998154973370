import { ApiError } from '../../contract/calls/errors.ts';
import { READ_RETRY_WAITS_MS } from '../../contract/calls/read-retries.ts';
import { toFieldErrors } from './field-errors.ts';

/** The waits before each repetition of a read that failed, in milliseconds. */
const RETRIES = {
  none: [],
  /** While a page waits: a host that restarts or drops a connection usually answers the second attempt. */
  page: [100],
  browser: READ_RETRY_WAITS_MS,
} as const satisfies Record<string, readonly number[]>;
/** A 4xx is never temporary; any 5xx may be (spec §7). The library needs a list. */
const RETRIED_STATUSES = Array.from({ length: 100 }, (_, index) => 500 + index);

export type Retries = keyof typeof RETRIES;

/** The options of ofetch that repeat a read. */
export function toRetryOptions(retries: Retries) {
  const waits: readonly number[] = RETRIES[retries];
  return {
    retry: waits.length,
    retryStatusCodes: RETRIED_STATUSES,
    /** `retry` is how many attempts the library still has. */
    retryDelay: ({ options: { retry } }: { options: { retry?: number | false } }) =>
      waits[waits.length - Number(retry)] ?? 0,
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
