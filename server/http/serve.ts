import type { Context } from 'hono';
import * as v from 'valibot';
import type { Endpoint } from '../../contract/endpoint.ts';
import { identify } from '../features/artists/users.ts';
import type { Api, ApiDeps, ApiEnv, Caller } from './context.ts';
import { Problem } from './problem.ts';

type QuerySchema = v.ObjectSchema<v.ObjectEntries, undefined>;

type ParamsOf<Call> = Call extends Endpoint<infer Params> ? Record<Params, string> : never;
type QueryOf<Call> = Call extends { query: infer Query extends QuerySchema }
  ? v.InferOutput<Query>
  : undefined;
type ReplyOf<Call extends Endpoint> = v.InferInput<Call['reply']>;

export interface Call<E> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  /** null for a visitor. */
  readonly caller: Caller | null;
  /** The call's own URL. */
  readonly url: URL;
}

/**
 * Answers one endpoint of the contract: parses its parameters and query, finds out who calls,
 * and sends what `answer` returns. With or without a slash at the path's end.
 */
export function serve<const E extends Endpoint>(
  { app, deps }: Api,
  endpoint: E,
  answer: (call: Call<E>) => Promise<ReplyOf<E>>,
): void {
  const path = endpoint.path.replace(/\{(\w+)\}/g, ':$1').replace(/\/$/, '');
  const schema = endpoint.query as QuerySchema | undefined;
  const keys = Object.keys(schema?.entries ?? {});
  app.on(endpoint.method, path, async (context) => {
    const url = new URL(context.req.url);
    const call = {
      params: context.req.param() as ParamsOf<E>,
      query: (schema && parseQuery(schema, keys, url.searchParams)) as QueryOf<E>,
      caller: await findCaller(context, deps),
      url,
    };
    const reply = await answer(call);
    setCaching(context, call.caller);
    return context.json(reply as object);
  });
}

function parseQuery(schema: QuerySchema, keys: readonly string[], search: URLSearchParams): unknown {
  const given: Record<string, string[]> = {};
  for (const key of keys) if (search.has(key)) given[key] = search.getAll(key);
  const result = v.safeParse(schema, given);
  if (result.success) return result.output;
  const reasons = result.issues.map(
    (issue) => [String(issue.path?.[0].key ?? 'detail'), issue.message] as const,
  );
  // The first reason of each field: later ones follow from it.
  throw new Problem(400, Object.fromEntries(reasons.toReversed()));
}

/** 401 for a token that no longer holds: spec §4 has the client refresh it and ask again. */
async function findCaller(context: Context<ApiEnv>, deps: ApiDeps): Promise<Caller | null> {
  const header = context.req.header('authorization');
  if (header === undefined) return null;
  const token = /^Bearer +([\w.-]+)$/i.exec(header)?.[1];
  const userId = token === undefined ? null : await deps.accessTokens.verify(token);
  const caller = userId === null ? undefined : await identify(deps.database, userId);
  if (caller === undefined)
    throw new Problem(401, 'ログインの有効期限が切れました。もう一度ログインしてください。');
  return caller;
}

/** What a visitor gets is everybody's; what a member gets is theirs alone. */
function setCaching(context: Context<ApiEnv>, caller: Caller | null): void {
  context.header(
    'Cache-Control',
    caller === null ? 'public, max-age=0, must-revalidate' : 'private, no-store',
  );
  context.header('Vary', 'Authorization', { append: true });
}
