import { toSearchParams } from '../../contract/calls/endpoint.ts';
import type { QueryValue } from '../../contract/calls/endpoint.ts';
import { ApiError } from '../../contract/calls/errors.ts';
import { toPageNumber } from '../../contract/calls/paging.ts';

/** The queries of `next` of hosts without page numbers, by list and page; the oldest are dropped. */
export type PageQueries = Map<string, string>;

const QUERIES_MAX = 1000;
const QUERY_LENGTH_MAX = 2000;
/** Pages read on the way to one that the host has not named yet. The next attempt continues where this one ended. */
const STEPS_MAX = 25;

export interface PagedList {
  /** The list's address without a query. */
  readonly url: string;
  readonly query: Readonly<Record<string, QueryValue>>;
  readonly queries: PageQueries;
  /** Reads an address. */
  ask(url: string): Promise<unknown>;
}

/**
 * Reads one page of a list; `next` in the reply is the number of the next page. Hosts that give `next` by offset or
 * cursor are followed (spec §4): of their address only the query is used, so a page is never read from elsewhere. Throws
 * what `ask` throws, and `ApiError` for a page that is too far away.
 */
export async function readPage({ url, query, queries, ask }: PagedList): Promise<unknown> {
  const { page: asked, ...filters } = query;
  const page = typeof asked === 'number' ? asked : 1;
  const list = `${url}?${toSearchParams(filters)}`;
  const findQuery = (number: number) =>
    queries.get(`${list} ${number}`) ?? skipTo(number, queries.get(`${list} 2`));
  const read = (number: number) => {
    const named = findQuery(number);
    const own = number === page ? query : { ...filters, page: number };
    const search = named === undefined ? toSearchParams(own) : mergeQueries(filters, named);
    return ask(search.size === 0 ? url : `${url}?${search}`);
  };

  if (page > 1 && findQuery(2) === undefined) {
    const reply = await read(page);
    if (findNext(reply) === undefined) return reply;
    // The host may have ignored the number of the page.
  }
  let number = page;
  while (number > 1 && findQuery(number) === undefined) number -= 1;
  for (const end = number + STEPS_MAX; number < end; number += 1) {
    const reply = await read(number);
    const next = findNext(reply);
    const earlier = Array.from({ length: number - 1 }, (_, index) => findQuery(index + 2));
    // A host may name the same page again and again.
    const hasNext = next !== undefined && !earlier.includes(next);
    if (hasNext) storeQuery(queries, `${list} ${number + 1}`, next);
    else queries.delete(`${list} ${number + 1}`);
    if (number === page) {
      return next === undefined ? reply : { ...(reply as object), next: hasNext ? page + 1 : null };
    }
    if (!hasNext) return { results: [], next: null };
  }
  throw new ApiError(503, []);
}

/** The query of a `next` that has no page number. */
function findNext(reply: unknown): string | undefined {
  const { next } = Object(reply) as { readonly next?: unknown };
  if (typeof next !== 'string' || toPageNumber(next) !== null) return undefined;
  const query = /\?([^#]+)/.exec(next)?.[1];
  return query !== undefined && query.length <= QUERY_LENGTH_MAX ? query : undefined;
}

/** Pages by offset need not be read in order: the offset of the second page is the length of all. */
function skipTo(page: number, second: string | undefined): string | undefined {
  const params = new URLSearchParams(second);
  const offset = params.get('offset') ?? '';
  if (page < 2 || !/^[1-9]\d{0,5}$/.test(offset)) return undefined;
  params.set('offset', String(Number(offset) * (page - 1)));
  return params.toString();
}

/** The host's query, with filters that it has left out. */
function mergeQueries(filters: Readonly<Record<string, QueryValue>>, named: string): URLSearchParams {
  const search = toSearchParams(filters);
  const next = new URLSearchParams(named);
  for (const name of next.keys()) search.delete(name);
  for (const [name, value] of next) search.append(name, value);
  return search;
}

function storeQuery(queries: PageQueries, key: string, query: string): void {
  queries.delete(key);
  queries.set(key, query);
  const [oldest = ''] = queries.keys();
  if (queries.size > QUERIES_MAX) queries.delete(oldest);
}
