import { transcode } from 'node:buffer';
import type { Context, Handler, Hono } from 'hono';
import type * as v from 'valibot';
import type { Endpoint } from '../../../contract/calls/endpoint.ts';
import { enforceAccess } from './access.ts';
import type { Access, AccessDeps, CallerOf, CallerRule, DeclaredCall, Rule } from './access.ts';
import { readJson } from './body.ts';
import type { ApiEnv, Caller, Platform } from './context.ts';
import { CLIENT_ADDRESS_HEADER } from './context.ts';
import { withForm } from './form.ts';
import type { Form } from './form.ts';
import { parseInput } from './problem.ts';

type QuerySchema = v.ObjectSchema<v.ObjectEntries, undefined>;

type ParamsOf<Call> = Call extends Endpoint<infer Params> ? Record<Params, string> : never;
type QueryOf<Call> = Call extends { query: infer Query extends QuerySchema }
  ? v.InferOutput<Query>
  : undefined;
type BodyOf<Call> = Call extends { body: infer Body extends v.GenericSchema }
  ? v.InferOutput<Body>
  : undefined;
type ReplyOf<Call extends Endpoint> = v.InferInput<Call['reply']>;

/** A call before its body is read. */
export interface Visit<E, Who extends CallerRule = CallerRule> {
  readonly params: ParamsOf<E>;
  readonly query: QueryOf<E>;
  readonly caller: CallerOf<Who>;
  /** The visitor's network address; '' for a page that calls in process. */
  readonly address: string;
  /** The call's own URL. */
  readonly url: URL;
  /** For responses beyond JSON: cookies. */
  readonly context: Context<ApiEnv>;
}

export interface Call<E, Who extends CallerRule = CallerRule> extends Visit<E, Who> {
  readonly body: BodyOf<E>;
}

export interface FormCall<E, Who extends CallerRule = CallerRule> extends Visit<E, Who> {
  readonly form: Form;
}

/** One route: its rule, and what answers it. The rule can be read without a platform. */
export type Route<Deps = Platform> = Access & { readonly toHandler: (deps: Deps) => Handler<ApiEnv> };

/** The environment of a call by a page of this process: takes the value of the reply, which then has no body. */
class CallInProcess {
  reply: unknown;
}

/**
 * A route for an endpoint of the contract: parses its parameters, query and body, and sends the result of `answer`. The
 * trailing slash of the path is optional. The rule is enforced before this runs.
 */
export function route<const E extends Endpoint, const Who extends CallerRule, Deps = Platform>(
  endpoint: E,
  rule: Rule<Who>,
  answer: (call: Call<E, Who>, deps: Deps) => Promise<ReplyOf<E>>,
): Route<Deps> {
  return toRoute(endpoint, rule, async (visit, deps) => {
    const { body: schema, bodyBytesMax } = endpoint;
    const body = (schema && (await readJson(visit.context, schema, bodyBytesMax))) as BodyOf<E>;
    return answer({ ...visit, body }, deps);
  });
}

/** Concurrent forms with files, per member and path; our own client sends no more. Their files are on disk. */
const FORMS_AT_ONCE = 2;

/** Checks that run before the body of a form is read. */
export interface FormChecks<Deps> {
  /** Throws `Problem` if the caller may not send this form now. */
  readonly admit?: (
    deps: Deps,
    caller: Caller,
    request: Request,
    params: Readonly<Record<string, string>>,
  ) => Promise<void>;
  /** Files are encrypted while they are on disk. */
  readonly areFilesSealed?: boolean;
}

/** A route for an endpoint with a form, for members; otherwise like `route`. */
export function formRoute<
  const E extends Endpoint,
  const Who extends Exclude<CallerRule, 'anyone' | 'anyone not blocked'>,
  Deps extends Pick<Platform, 'rateLimits' | 'temporaryFiles'> = Platform,
>(
  endpoint: E,
  rule: Rule<Who>,
  { admit, areFilesSealed = false }: FormChecks<Deps>,
  answer: (call: FormCall<E, Who>, deps: Deps) => Promise<ReplyOf<E>>,
): Route<Deps> {
  const { form: shape } = endpoint;
  if (shape === undefined) throw new Error(`${endpoint.path} has no form`);
  return toRoute(endpoint, rule, async (visit, deps) => {
    const caller: Caller = visit.caller;
    const { raw } = visit.context.req;
    await admit?.(deps, caller, raw, visit.params);
    const acquireSlot = () =>
      deps.rateLimits.acquire({ name: endpoint.path, concurrency: FORMS_AT_ONCE }, caller.id);
    const room = { temporaryFiles: deps.temporaryFiles, areSealed: areFilesSealed, acquireSlot };
    return withForm(raw, shape, room, (form) => answer({ ...visit, form }, deps));
  });
}

/** A route outside of the contract, which answers by itself. */
export function rawRoute<const Who extends CallerRule, Deps = Platform>(
  call: DeclaredCall,
  rule: Rule<Who>,
  answer: (context: Context<ApiEnv>, deps: Deps, caller: CallerOf<Who>) => Promise<Response> | Response,
): Route<Deps> {
  return {
    ...call,
    ...(rule as Rule),
    toHandler: (deps) => (context) => answer(context, deps, context.get('caller') as CallerOf<Who>),
  };
}

/** Routes whose handlers need more than the platform. `toDeps` is called once for each platform. */
export function withDeps<Deps>(
  toDeps: (platform: Platform) => Deps,
  routes: readonly Route<Deps>[],
): readonly Route[] {
  const made = new WeakMap<Platform, { readonly deps: Deps }>();
  const find = (platform: Platform) => {
    const found = made.get(platform) ?? { deps: toDeps(platform) };
    made.set(platform, found);
    return found.deps;
  };
  return routes.map((each) => ({ ...each, toHandler: (platform) => each.toHandler(find(platform)) }));
}

/** Serves the routes, each behind its rule. If two match the same path, the first one answers. Throws for a double. */
export function serveRoutes(
  app: Hono<ApiEnv>,
  platform: Platform,
  routes: readonly Route[],
  deps: AccessDeps,
): void {
  const keys = routes.map(({ method, path }) => `${method} ${toRoutePath(path)}`);
  const double = keys.find((key, index) => keys.indexOf(key) !== index);
  if (double !== undefined) throw new Error(`${double} is served twice`);
  for (const each of routes) {
    app.on(each.method, toRoutePath(each.path), enforceAccess(deps, each), each.toHandler(platform));
  }
}

/** Calls the API for pages of this process, without JSON: the reply's value is its `_data` (`PageEnv`). */
export function callInProcess(app: Hono<ApiEnv>): (...args: Parameters<typeof fetch>) => Promise<Response> {
  return async (input, init) => {
    const call = new CallInProcess();
    const response = await app.fetch(new Request(input, init), call);
    return call.reply === undefined ? response : Object.assign(response, { _data: call.reply });
  };
}

function toRoute<E extends Endpoint, Who extends CallerRule, Deps>(
  endpoint: E,
  rule: Rule<Who>,
  answer: (visit: Visit<E, Who>, deps: Deps) => Promise<ReplyOf<E>>,
): Route<Deps> {
  const schema = endpoint.query as QuerySchema | undefined;
  const keys = Object.keys(schema?.entries ?? {});
  return rawRoute(endpoint, rule, async (context, deps, caller) => {
    const url = new URL(context.req.url);
    const visit: Visit<E, Who> = {
      params: context.req.param() as ParamsOf<E>,
      query: (schema && parseQuery(schema, keys, url.searchParams)) as QueryOf<E>,
      caller,
      address: context.req.header(CLIENT_ADDRESS_HEADER) ?? '',
      url,
      context,
    };
    const reply = await answer(visit, deps);
    if (context.env instanceof CallInProcess) {
      context.env.reply = reply;
      return context.body(null);
    }
    const json = JSON.stringify(reply);
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
