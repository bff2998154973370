import { createFetch } from 'ofetch';
import type * as v from 'valibot';
import type { Endpoint, QueryValue } from '../../contract/endpoint.ts';
import { IDEMPOTENCY_HEADER, toCallPath } from '../../contract/endpoint.ts';
import { ApiError, toFieldErrors } from '../../contract/errors.ts';
import { readReply } from '../../contract/wire.ts';
import { warnOnce } from '../lib/warnings.ts';
import { resolveFileUrls } from './file-urls.ts';

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

export interface CallOptions<Params extends string, Body = unknown> {
  readonly body?: Body;
  /** Makes repeated calls take effect once. Needs the host's capability `idempotency-keys`. */
  readonly idempotencyKey?: string;
  /** Lets the call outlive its page (`keepalive`). */
  readonly keepalive?: boolean;
  readonly params?: Readonly<Record<Params, string>>;
  readonly query?: Readonly<Record<string, QueryValue>>;
  /** Called before each wait for another attempt. */
  readonly onRetry?: () => void;
  readonly signal?: AbortSignal;
}

/** Calls an endpoint of the contract. Throws only `ApiError`, or the reason of an abort. */
export type Api = <
  Params extends string,
  Reply extends v.GenericSchema<unknown, unknown>,
  Body extends v.GenericSchema<unknown, unknown> | undefined,
>(
  endpoint: Endpoint<Params, v.GenericSchema<unknown, unknown> | undefined, Reply, Body>,
  options?: CallOptions<Params, Body extends v.GenericSchema ? v.InferInput<Body> : undefined>,
) => Promise<v.InferOutput<Reply>>;

export interface ClientOptions {
  /** Origin of the API; '' is the page's own origin. */
  readonly origin: string;
  /** Transport of requests: the browser's fetch, or a direct call into the API in this process. */
  readonly fetch: typeof fetch;
  /** How often reads (GET) are repeated after a temporary failure. */
  readonly retries: keyof typeof RETRIES;
  /** Origin of files named by a path, if it is not the page's own; else ''. */
  readonly filesOrigin: string;
  /** Receives each warning about an unreadable part of a reply once. The console by default. */
  readonly warn?: (message: string) => void;
}

/** The only API client: pages use it in process or over HTTP, islands over HTTP. */
export function createClient({
  origin,
  fetch,
  retries,
  filesOrigin,
  warn = console.warn,
}: ClientOptions): Api {
  const request = createFetch({ fetch, Headers, AbortController });
  const { times, firstMs } = RETRIES[retries];
  return async function call(endpoint, options = {}) {
    const url = origin + toCallPath(endpoint, options.params ?? {}, options.query);
    const reply = await request<unknown>(url, {
      method: endpoint.method,
      credentials: 'include',
      responseType: 'json',
      ...(options.body !== undefined && { body: options.body as Record<string, unknown> }),
      ...(options.idempotencyKey && { headers: { [IDEMPOTENCY_HEADER]: options.idempotencyKey } }),
      ...(options.keepalive && { keepalive: true }),
      retry: times > 0 && endpoint.method === 'GET' ? times : false,
      retryStatusCodes: RETRIED_STATUSES,
      retryDelay: ({ options: { retry } }) => {
        options.onRetry?.();
        return Math.min(RETRY_CAP_MS, firstMs * 2 ** (times - (typeof retry === 'number' ? retry : 0)));
      },
      ...(options.signal && { signal: options.signal }),
    }).catch((error: unknown) => {
      if (options.signal?.aborted) throw error;
      throw toApiError(error);
    });
    const read = readReply(
      endpoint.reply,
      filesOrigin === '' ? reply : resolveFileUrls(reply, filesOrigin),
      (issue) => warnOnce(warn, `${endpoint.method} ${endpoint.path}: ${describeIssue(issue)}`),
    );
    if ('output' in read) return read.output;
    throw new ApiError(502, [], { kind: 'unexpected-reply', cause: read.issue });
  };
}

function describeIssue(issue: v.BaseIssue<unknown> | undefined): string {
  if (issue === undefined) return 'expected a list';
  const field = issue.path?.map(({ key }) => String(key)).join('.') ?? '';
  return `dropped an entry: ${field} expected ${issue.expected ?? 'another value'}`;
}

function toApiError(error: unknown): ApiError {
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
