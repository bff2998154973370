import type { Context } from 'hono';
import * as v from 'valibot';
import type { Endpoint } from '../../contract/endpoint.ts';
import { identify } from '../features/accounts/sessions.ts';
import { readJson } from './body.ts';
import type { Api, ApiDeps, ApiEnv, Caller } from './context.ts';
import { CLIENT_ADDRESS_HEADER } from './context.ts';
import { isSafeMethod } from './guards.ts';
import { Problem, toProblem } from './problem.ts';

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
  /** The visitor's network address; '' for a page that asks in process. */
  readonly address: string;
  /** The call's own URL. */
  readonly url: URL;
  /** For what goes beyond JSON: cookies. */
  readonly context: Context<ApiEnv>;
}

/** A call as it is before its body is read. */
export type Visit<E> = Omit<Call<E>, 'body'>;

/** For what nobody else may see, not even the next who sits down at the same browser. */
export const NOT_STORED = 'private, no-store';

/** Who calls. Throws 401 for a visitor: the client sends them to log in. */
export function requireMember({ caller }: { readonly caller: Caller | null }): Caller {
  if (caller === null) throw new Problem(401, 'ログインしてください。');
  return caller;
}

/**
 * Answers one endpoint of the contract: parses its parameters and query, finds out who calls,
 * and sends what `answer` returns. With or without a slash at the path's end.
 */
export function serve<const E extends Endpoint>(
  api: Api,
  endpoint: E,
  answer: (call: Call<E>) => Promise<ReplyOf<E>>,
): void {
  serveVisits(api, endpoint, async (visit) => {
    const body = (endpoint.body && (await readJson(visit.context, endpoint.body))) as BodyOf<E>;
    return answer({ ...visit, body });
  });
}

/** The same for what reads the body by itself, such as form-serve.ts. */
export function serveVisits<const E extends Endpoint>(
  { app, deps }: Api,
  endpoint: E,
  answer: (visit: Visit<E>) => Promise<ReplyOf<E>>,
): void {
  const path = endpoint.path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '');
  const schema = endpoint.query as QuerySchema | undefined;
  const keys = Object.keys(schema?.entries ?? {});
  app.on(endpoint.method, path, async (context) => {
    const url = new URL(context.req.url);
    const visit: Visit<E> = {
      params: context.req.param() as ParamsOf<E>,
      query: (schema && parseQuery(schema, keys, url.searchParams)) as QueryOf<E>,
      caller: await findCaller(context, deps),
      address: context.req.header(CLIENT_ADDRESS_HEADER) ?? '',
      url,
      context,
    };
    setCaching(context, visit.caller); // first, so that a route can be stricter
    return context.json((await answer(visit)) as object);
  });
}

function parseQuery(schema: QuerySchema, keys: readonly string[], search: URLSearchParams): unknown {
  const given: Record<string, string[]> = {};
  for (const key of keys) if (search.has(key)) given[key] = search.getAll(key);
  const result = v.safeParse(schema, given);
  if (result.success) return result.output;
  throw toProblem(result.issues);
}

/** 401 for a token that no longer holds: spec §4 has the client refresh it and ask again. */
async function findCaller(context: Context<ApiEnv>, deps: ApiDeps): Promise<Caller | null> {
  const header = context.req.header('authorization');
  if (header === undefined) return null;
  const token = /^Bearer +([\w.-]+)$/i.exec(header)?.[1];
  const holder = token === undefined ? null : await deps.accessTokens.verify(token);
  const caller = holder === null ? undefined : await identify(deps.database, holder, deps.clock.now());
  if (caller === undefined)
    throw new Problem(401, 'ログインの有効期限が切れました。もう一度ログインしてください。');
  return caller;
}

/** Who makes a call that is no endpoint of ours, such as a protocol's. Throws 401 for a visitor. */
export async function admitMember(context: Context<ApiEnv>, deps: ApiDeps): Promise<Caller> {
  const caller = requireMember({ caller: await findCaller(context, deps) });
  setCaching(context, caller);
  return caller;
}

/** What a visitor reads is everybody's; what a member gets, or a change answers, is theirs alone. */
function setCaching(context: Context<ApiEnv>, caller: Caller | null): void {
  const isPublic = caller === null && isSafeMethod(context.req.method);
  context.header('Cache-Control', isPublic ? 'public, max-age=0, must-revalidate' : NOT_STORED);
  context.header('Vary', 'Authorization', { append: true });
}
