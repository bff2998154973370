import { createFetch } from 'ofetch';
import * as v from 'valibot';
import type { Endpoint, QueryValue } from '../../contract/calls/endpoint.ts';
import { IDEMPOTENCY_HEADER, toCallPath } from '../../contract/calls/endpoint.ts';
import { ApiError } from '../../contract/calls/errors.ts';
import { NextPageSchema } from '../../contract/calls/paging.ts';
import type { Read } from '../../contract/calls/wire.ts';
import { warnOnce } from './warnings.ts';
import { resolveFileUrls } from './file-urls.ts';
import { lenient, readJson } from './lenient.ts';
import { type PageQueries, readPage } from './next-pages.ts';
import { type Retries, toApiError, toRetryOptions } from './retries.ts';

export interface CallOptions<Params extends string, Body = unknown> {
  readonly body?: Body;
  /** Makes repeated calls take effect once. Only for extended hosts. */
  readonly idempotencyKey?: string;
  /** `no-store` for a read that has an effect on the host; calls of a member always have it. */
  readonly cache?: 'no-store';
  /** Lets the call outlive its page (`keepalive`). */
  readonly keepalive?: boolean;
  readonly params?: Readonly<Record<Params, string>>;
  readonly query?: Readonly<Record<string, QueryValue>>;
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
) => Promise<Read<Reply>>;

export interface ClientOptions {
  /** Origin of the API; '' is the page's own origin. */
  readonly origin: string;
  /** Transport of requests: the browser's fetch, or a direct call into the API in this process. */
  readonly fetch: typeof fetch;
  /** How often reads (GET) are repeated after a temporary failure. */
  readonly retries: Retries;
  /** Origin of files named by a path, if it is not the page's own; else ''. */
  readonly filesOrigin: string;
  /** How the host names pages, as read by earlier clients. */
  readonly pageQueries?: PageQueries;
  /** Receives each warning about an unreadable part of a reply once. The console by default. */
  readonly warn?: (message: string) => void;
}

/** The only API client: pages use it in process or over HTTP, islands over HTTP. */
export function createClient({
  origin,
  fetch,
  retries,
  filesOrigin,
  pageQueries = new Map(),
  warn = console.warn,
}: ClientOptions): Api {
  const request = createFetch({ fetch, Headers, AbortController });
  return async function call(endpoint, options = {}) {
    const ask = (url: string) =>
      request<unknown>(url, {
        method: endpoint.method,
        credentials: 'include',
        parseResponse: readJson,
        ...(options.body !== undefined && { body: options.body as Record<string, unknown> }),
        ...(options.idempotencyKey && { headers: { [IDEMPOTENCY_HEADER]: options.idempotencyKey } }),
        ...(options.cache && { cache: options.cache }),
        ...(options.keepalive && { keepalive: true }),
        ...(endpoint.method === 'GET' ? toRetryOptions(retries) : { retry: false }),
        onRequestError: ({ error, options: sent }) => {
          // Repeated, it would ask again for the password that was not given.
          if (error instanceof ApiError && error.kind === 'cancelled') sent.retry = false;
        },
        ...(options.signal && { signal: options.signal }),
      }).catch((error: unknown) => {
        if (options.signal?.aborted) throw error;
        throw toApiError(error);
      });
    const { params = {}, query = {} } = options;
    const reply = isPaged(endpoint)
      ? toPage(
          await readPage({ url: origin + toCallPath(endpoint, params), query, queries: pageQueries, ask }),
        )
      : await ask(origin + toCallPath(endpoint, params, query));
    if (filesOrigin !== '') resolveFileUrls(reply, filesOrigin);
    const schema = lenient(endpoint.reply, (issue) =>
      warnOnce(warn, `${endpoint.method} ${endpoint.path}: ${describeIssue(issue)}`),
    );
    const { success, output, issues } = v.safeParse(schema, reply);
    if (success) return output;
    throw new ApiError(502, [], { kind: 'unexpected-reply', cause: issues[0] });
  };
}

function isPaged({ reply }: Pick<Endpoint, 'reply'>): boolean {
  return (reply as { readonly entries?: { readonly next?: unknown } }).entries?.next === NextPageSchema;
}

/** A plain list is a page without `next`. A reply without a list is unreadable: it would look like an empty catalogue. */
function toPage(reply: unknown): unknown {
  const page = Array.isArray(reply) ? { results: reply } : reply;
  return Array.isArray(Object(page).results) ? page : null;
}

function describeIssue(issue: v.BaseIssue<unknown> | undefined): string {
  if (issue === undefined) return 'expected a list';
  const field = issue.path?.map(({ key }) => String(key)).join('.') ?? '';
  return `dropped an entry: ${field} expected ${issue.expected ?? 'another value'}`;
}
