import { transcode } from 'node:buffer';
import type { Context } from 'hono';
import type * as v from 'valibot';
import type { Endpoint } from '../../../contract/endpoint.ts';
import { readJson } from './body.ts';
import type { Api, ApiEnv, Caller } from './context.ts';
import { CLIENT_ADDRESS_HEADER } from './context.ts';
import { Problem, parseInput } from './problem.ts';

type QuerySchema = v.ObjectSchema<v.ObjectEntries, undefined>;

type ParamsOf<Call> = Call extends Endpoint<infer Params> ? Record<Params, string> : never;
type QueryOf<Call> = Call extends { query: infer Query extends QuerySchema }
  ? v.InferOutput<Query>
  : undefined;
type BodyOf<Call> = Call extends { body: infer Body extends v.GenericSchema }
  ? v.InferOutput<Body>
  : undefined;
export type ReplyOf<Call extends Endpoint> = v.InferInput<Call['reply']>;

export interface Call<E> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly body: BodyOf<E>;
  /** null for a visitor. */
  readonly caller: Caller | null;
  /** The visitor's network address; '' for a page that calls in process. */
  readonly address: string;
  /** The call's own URL. */
  readonly url: URL;
  /** For responses beyond JSON: cookies. */
  readonly context: Context<ApiEnv>;
}

/** A call before its body is read. */
export type Visit<E> = Omit<Call<E>, 'body'>;

/** For private replies, which must not be stored even in this browser, since others may use it later. */
export const NOT_STORED = 'private, no-store';

/** The caller of a route that is declared for members; access.ts has already answered visitors with 401. */
export function requireMember({ caller }: { readonly caller: Caller | null }): Caller {
  if (caller === null) throw new Problem(401, 'ログインしてください。');
  return caller;
}

/**
 * Serves one endpoint of the contract: parses its parameters, query and body, and sends the result of `answer`. The
 * trailing slash of the path is optional. The module declares who may call it and how often; both are enforced before
 * this runs.
 */
export function serve<const E extends Endpoint>(
  api: Api,
  endpoint: E,
  answer: (call: Call<E>) => Promise<ReplyOf<E>>,
): void {
  serveVisits(api, endpoint, async (visit) => {
    const { body: schema, bodyBytesMax } = endpoint;
    const body = (schema && (await readJson(visit.context, schema, bodyBytesMax))) as BodyOf<E>;
    return answer({ ...visit, body });
  });
}

/** Like `serve`, for handlers that read the body themselves, such as form-serve.ts. */
export function serveVisits<const E extends Endpoint>(
  { app }: Api,
  endpoint: E,
  answer: (visit: Visit<E>) => Promise<ReplyOf<E>>,
): void {
  const schema = endpoint.query as QuerySchema | undefined;
  const keys = Object.keys(schema?.entries ?? {});
  app.on(endpoint.method, toRoutePath(endpoint.path), async (context) => {
    const url = new URL(context.req.url);
    const visit: Visit<E> = {
      params: context.req.param() as ParamsOf<E>,
      query: (schema && parseQuery(schema, keys, url.searchParams)) as QueryOf<E>,
      caller: context.get('caller'),
      address: context.req.header(CLIENT_ADDRESS_HEADER) ?? '',
      url,
      context,
    };
    const json = JSON.stringify(await answer(visit));
    return context.body(toUtf8(json), 200, { 'Content-Type': 'application/json' });
  });
}

/**
 * A page of a listing as bytes: a Response needs four times as long for text, and `Buffer.from` ten times as long as
 * `transcode`, which throws if the text is not well-formed. JSON is.
 */
function toUtf8(json: string): Uint8Array<ArrayBuffer> {
  return transcode(Buffer.from(json, 'utf16le'), 'utf16le', 'utf8') as Buffer<ArrayBuffer>;
}

/** A contract path in Hono's syntax, without the trailing slash. */
export function toRoutePath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '');
}

function parseQuery(schema: QuerySchema, keys: readonly string[], search: URLSearchParams): unknown {
  const given: Record<string, string[]> = {};
  for (const key of keys) if (search.has(key)) given[key] = search.getAll(key);
  return parseInput(schema, given);
}
