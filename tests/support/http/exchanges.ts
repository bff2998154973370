import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { default as addFormats } from 'ajv-formats';
import { FEATURES } from '#server/features.ts';
import { describeApi } from '#server/features/api-docs/document.ts';
import type { ApiDocument } from '#server/features/api-docs/document.ts';
import { loadTexts, mergeComponents } from '#server/features/api-docs/texts.ts';
import type { Module } from '#server/platform/http/module.ts';

/**
 * Compares what the API under test receives and sends with its own description, calls of the staff included. A reply
 * may contain nothing that the description lacks, and lack nothing that it promises. The document is made and its schemas are compiled once per worker.
 */

const POINTER_PARTS = [
  ['~', '~0'],
  ['/', '~1'],
] as const;
const SHOWN_CHARACTERS = 300;

interface Found {
  readonly pattern: RegExp;
  readonly methods: ApiDocument['paths'][string];
  readonly path: string;
}

interface Checker {
  readonly paths: readonly Found[];
  readonly ajv: Readonly<Record<'request' | 'reply', Ajv2020>>;
  readonly document: ApiDocument;
  readonly compiled: Map<string, ValidateFunction>;
}

let opened: Promise<Checker> | undefined;

/** An exchange with the API, without bodies that are not JSON. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  /** The JSON that was sent; undefined: none, or something else. */
  readonly sent: string | undefined;
  readonly response: Response;
}

/**
 * Throws if an exchange does not match the description of `modules`. Addresses that no module declares must be refused
 * with a problem.
 */
export async function checkExchange(modules: readonly Module[], exchange: Exchange): Promise<void> {
  const checker = await (opened ??= open(modules));
  const { method, path, response } = exchange;
  const found = checker.paths.find(({ pattern }) => pattern.test(path));
  const operation =
    found?.methods[method.toLowerCase()] ?? found?.methods[method === 'HEAD' ? 'get' : method];
  if (found === undefined || operation === undefined) {
    if (method === 'OPTIONS' && response.status === 204) return; // a preflight request, answered by `cors`
    if (response.status < 400) fail(exchange, 'status', `no description, but ${response.status}`);
    return checkBody(checker, exchange, '/components/schemas/Problem');
  }
  const verb = found.methods[method.toLowerCase()] === undefined ? 'get' : method.toLowerCase();
  const base = `/paths/${escape(found.path)}/${verb}`;
  const status = [String(response.status), `${String(response.status)[0]}XX`].find(
    (each) => each in operation.responses,
  );
  if (status === undefined) {
    return fail(exchange, 'status', `${response.status} is not described: ${await response.clone().text()}`);
  }
  const described = operation.responses[status] as { readonly $ref?: string };
  const reference = described.$ref?.slice(1) ?? `${base}/responses/${status}`;
  const { content = {}, headers = {} } = resolve(checker.document, reference) as {
    content?: Record<string, object>;
    headers?: Record<string, { required?: boolean }>;
  };
  for (const [name, header] of Object.entries(headers)) {
    if (header.required === true && !response.headers.has(name))
      fail(exchange, name, 'the header is missing');
  }
  const types = Object.keys(content);
  const type = response.headers.get('content-type')?.split(';', 1)[0];
  const isAsDescribed = type === undefined ? types.length === 0 : types.includes(type);
  if (method !== 'HEAD' && response.status !== 304 && !isAsDescribed) {
    fail(exchange, 'content type', `${type} instead of ${types.join(' or ')}`);
  }
  const isPlain = !response.headers.has('content-encoding');
  if (type === 'application/json' && method !== 'HEAD' && isPlain) {
    await checkBody(checker, exchange, `${reference}/content/${escape(type)}/schema`);
  }
  const hasJson = operation.requestBody?.content['application/json'] !== undefined;
  if (exchange.sent !== undefined && hasJson && response.ok) {
    const pointer = `${base}/requestBody/content/${escape('application/json')}/schema`;
    validate(checker, exchange, pointer, JSON.parse(exchange.sent === '' ? '{}' : exchange.sent), 'request');
  }
}

async function open(modules: readonly Module[]): Promise<Checker> {
  const document = await describeApi(FEATURES, modules, { siteName: 'Otoichi', withStaff: true });
  const closed = closeReplies(document, mergeComponents(await loadTexts(FEATURES)));
  const openAjv = (validateFormats: boolean) =>
    new Ajv2020({ strict: false, validateSchema: false, logger: false, validateFormats }).addSchema(
      closed,
      'api',
    );
  // The host reads more forms than it sends.
  const ajv = { request: openAjv(false), reply: openAjv(true) };
  addFormats(ajv.reply);
  // The host accepts addresses that the standard does not know.
  ajv.reply.addFormat('email', /^[^@]+@[^@]+$/);
  const paths = Object.entries(document.paths)
    .map(([path, methods]) => ({ path, methods, pattern: toPattern(path) }))
    // `/api/sounds/types/` is not the address of a sound.
    .toSorted((one, other) => one.path.split('{').length - other.path.split('{').length);
  return { paths, ajv, document, compiled: new Map() };
}

/** A copy in which objects of replies have no other fields than the described ones. */
function closeReplies(document: ApiDocument, components: ReturnType<typeof mergeComponents>): ApiDocument {
  const close = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(close);
    if (typeof value !== 'object' || value === null) return value;
    const closed = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, close(inner)]));
    return 'properties' in closed ? { additionalProperties: false, ...closed } : closed;
  };
  const paths = Object.entries(document.paths).map(([path, methods]) => {
    const operations = Object.entries(methods).map(([method, operation]) => [
      method,
      { ...operation, responses: close(operation.responses) },
    ]);
    return [path, Object.fromEntries(operations)];
  });
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: Object.fromEntries(
      Object.entries(document.components).map(([kind, parts]) => [
        kind,
        Object.fromEntries(
          Object.entries(parts).map(([name, part]) => [
            name,
            components[name]?.purpose === 'body' ? part : close(part),
          ]),
        ),
      ]),
    ),
  } as ApiDocument;
}

function toPattern(path: string): RegExp {
  const parts = path.replace(/\/$/, '').split(/\{\w+\}/);
  return new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('[^/]+')}/?$`);
}

async function checkBody(checker: Checker, exchange: Exchange, pointer: string): Promise<void> {
  if (exchange.method === 'HEAD') return;
  const text = await exchange.response.clone().text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail(exchange, 'body', `not JSON: ${text.slice(0, SHOWN_CHARACTERS)}`);
  }
  validate(checker, exchange, pointer, value, 'reply');
}

function validate(
  { ajv, compiled }: Checker,
  exchange: Exchange,
  pointer: string,
  value: unknown,
  what: 'request' | 'reply',
): void {
  const check = compiled.get(pointer) ?? ajv[what].compile({ $ref: `api#${pointer}` });
  compiled.set(pointer, check);
  if (check(value)) return;
  const error = check.errors?.[0];
  const shown = JSON.stringify(value).slice(0, SHOWN_CHARACTERS);
  fail(exchange, `${what} ${error?.instancePath || '/'}`, `${ajv[what].errorsText(check.errors)}; ${shown}`);
}

function fail({ method, path, response }: Exchange, where: string, what: string): never {
  throw new Error(`${method} ${path} (${response.status}) differs from its description at ${where}: ${what}`);
}

function escape(part: string): string {
  return encodeURIComponent(POINTER_PARTS.reduce((text, [from, to]) => text.replaceAll(from, to), part));
}

function resolve(document: ApiDocument, pointer: string): unknown {
  const unescape = (part: string) =>
    POINTER_PARTS.toReversed().reduce(
      (text, [from, to]) => text.replaceAll(to, from),
      decodeURIComponent(part),
    );
  return pointer
    .split('/')
    .slice(1)
    .reduce((value: unknown, part) => Reflect.get(value as object, unescape(part)) as unknown, document);
}
