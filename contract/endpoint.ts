import type * as v from 'valibot';

type AnySchema = v.GenericSchema<unknown, unknown>;

/** What a call may be answered with besides its reply: the status and when it happens. */
export type EndpointErrors = Readonly<Record<number, string>>;

/** What a call sends as `multipart/form-data` instead of JSON; a part of any other name is refused. */
export interface FormShape {
  /** Names of parts that are files, each at most once. */
  readonly files: readonly string[];
  /** The most bytes that one file may have. */
  readonly fileBytesMax: number;
  /** Names of parts that are texts; they may come several times. */
  readonly texts?: readonly string[];
}

/**
 * One call of spec §7: everything that client and server agree on.
 * `path` holds `{name}` placeholders; `query` parses the raw lists of strings that a URL carries.
 */
export interface Endpoint<
  Params extends string = string,
  Query extends AnySchema | undefined = AnySchema | undefined,
  Reply extends AnySchema = AnySchema,
  Body extends AnySchema | undefined = AnySchema | undefined,
> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly params: readonly Params[];
  readonly query: Query;
  /** The JSON a call carries; undefined: it carries none. */
  readonly body: Body;
  /** The form a call carries; undefined: it carries none. */
  readonly form: FormShape | undefined;
  readonly reply: Reply;
  readonly errors: EndpointErrors;
}

type Placeholders<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** Defines an endpoint; the names of its parameters are read off the path. */
/* @__NO_SIDE_EFFECTS__ */
export function defineEndpoint<
  const Path extends string,
  Reply extends AnySchema,
  Query extends AnySchema | undefined = undefined,
  Body extends AnySchema | undefined = undefined,
>(definition: {
  method: Endpoint['method'];
  path: Path;
  reply: Reply;
  query?: Query;
  body?: Body;
  form?: FormShape;
  errors?: EndpointErrors;
}): Endpoint<Placeholders<Path>, Query, Reply, Body> {
  const params = [...definition.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as Placeholders<Path>);
  return {
    method: definition.method,
    path: definition.path,
    params,
    query: definition.query as Query,
    body: definition.body as Body,
    form: definition.form,
    reply: definition.reply,
    errors: definition.errors ?? {},
  };
}

/** The values a query parameter can have on the client; arrays repeat the key, undefined leaves it out. */
export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;

/** The call's path with its parameters filled in (percent-encoded) and its query attached. */
export function toCallPath(
  endpoint: Pick<Endpoint, 'path'>,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, QueryValue>> = {},
): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = toSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
}

/** URLSearchParams of a typed query, in the order of its keys. */
export function toSearchParams(query: Readonly<Record<string, QueryValue>>): URLSearchParams {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) search.append(key, String(item));
  }
  return search;
}

/** Names one intent: the same key of the same member has one effect, however often it comes. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;
