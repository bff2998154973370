import type * as v from 'valibot';
import { ApiError } from './errors.ts';

type AnySchema = v.GenericSchema<unknown, unknown>;

/** A status by which a call refuses a request. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 415 | 503 | 507;

/** What a call sends as `multipart/form-data` instead of JSON; parts with other names are rejected. */
export interface FormShape {
  /** Names of file parts, each allowed once. */
  readonly files: readonly string[];
  /** Maximum size of one file in bytes. */
  readonly fileBytesMax: number;
  /** Names of text parts. */
  readonly texts?: readonly string[];
  /** Those of `texts` that may be repeated. */
  readonly lists?: readonly string[];
}

/**
 * One call of spec §7, as shared by client and server. `path` contains `{name}` placeholders; `query` parses the raw
 * lists of strings from a URL.
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
  /** The call's JSON body; undefined: none. */
  readonly body: Body;
  /** Maximum size of the JSON in bytes; undefined: 64 KiB. */
  readonly bodyBytesMax: number | undefined;
  /** The call's form; undefined: none. */
  readonly form: FormShape | undefined;
  readonly reply: Reply;
  /**
   * The statuses that have a cause of their own in this call. Those that follow from who may call it, how often and with
   * what are left out.
   */
  readonly refuses: readonly RefusalStatus[];
}

type Placeholders<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;

/** Defines an endpoint. Parameter names are derived from the path. */
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
  bodyBytesMax?: number;
  form?: FormShape;
  refuses?: readonly RefusalStatus[];
}): Endpoint<Placeholders<Path>, Query, Reply, Body> {
  const params = [...definition.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as Placeholders<Path>);
  return {
    method: definition.method,
    path: definition.path,
    params,
    query: definition.query as Query,
    body: definition.body as Body,
    bodyBytesMax: definition.bodyBytesMax,
    form: definition.form,
    reply: definition.reply,
    refuses: definition.refuses ?? [],
  };
}

/** The values a query parameter can have on the client. Arrays repeat the key; undefined omits it. */
export type QueryValue = string | number | boolean | readonly (string | number)[] | undefined;

/**
 * Whether a call's path can contain the text: hosts would read an empty one as another call, and URLs read `.` and `..`
 * as steps to another path, however encoded.
 */
export function canBeParameter(text: string): boolean {
  return !/^\.{0,2}$/.test(text);
}

/** The call's path with percent-encoded parameters and its query. Throws `ApiError` 404 for what no path can contain. */
export function toCallPath(
  endpoint: Pick<Endpoint, 'path'>,
  params: Readonly<Record<string, string>>,
  query: Readonly<Record<string, QueryValue>> = {},
): string {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? '';
    if (!canBeParameter(value)) throw new ApiError(404, [{ key: 'detail', message: '見つかりません。' }]);
    return encodeURIComponent(value.toWellFormed());
  });
  const search = toSearchParams(query).toString();
  return search === '' ? path : `${path}?${search}`;
}

/** Converts a typed query to URLSearchParams in the order of its keys. */
export function toSearchParams(query: Readonly<Record<string, QueryValue>>): URLSearchParams {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const item of Array.isArray(value) ? value : [value]) search.append(key, String(item));
  }
  return search;
}

/** Identifies one intended action: repeated requests of a member with the same key have one effect. */
export const IDEMPOTENCY_HEADER = 'idempotency-key';
export const IDEMPOTENCY_KEY_LENGTH_MAX = 255;
