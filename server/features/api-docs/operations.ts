import type { CallText, DescribedCall } from './call-text.ts';
import { toRefusals, toSuccess } from './responses.ts';
import type { Responses } from './responses.ts';
import type { Field, JsonSchema } from './field.ts';
import { describeField } from './schemas.ts';
import type { Converter } from './schemas.ts';

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, object>> };
  readonly responses: Responses;
  readonly security: readonly object[];
  /** Who may call it, for readers. */
  readonly 'x-caller': string;
  readonly 'x-limits': readonly PublishedLimit[];
  /** The call goes beyond spec §7. */
  readonly 'x-extension'?: true;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: JsonSchema;
  /** The parameter goes beyond spec §7. */
  readonly 'x-extension'?: true;
}

export interface PublishedLimit {
  readonly by: string;
  readonly calls: number;
  readonly seconds: number;
  /** Calls that are answered with 4xx do not count. */
  readonly acceptedOnly?: true;
}

const CALLERS: Readonly<Record<DescribedCall['caller'], string>> = {
  anyone: 'だれでも',
  'anyone not blocked': 'だれでも（制限されている会員を除く）',
  member: '会員',
  'member not blocked': '会員（制限されている会員を除く）',
  'verified member': 'クオリティチェックを通過した会員',
  staff: '運営',
  'staff without code': '運営',
  'staff with recent log-in': '運営',
};
const KEYS: Readonly<Record<string, string>> = {
  address: 'アドレス',
  'visitor address': 'ログインしていない人のアドレス',
  member: '会員',
};

/** The method and path of a call in the document: the API answers HEAD where uploads have no GET. */
export function toKey({ method, path }: Pick<DescribedCall, 'method' | 'path'>): string {
  return `${method === 'GET' && path === '/api/uploads/{id}' ? 'HEAD' : method} ${path}`;
}

/**
 * Describes one call, in the area of this tag, with the text of its feature. Throws if something of it has no
 * description.
 */
export function toOperation(
  access: DescribedCall,
  tag: string,
  given: CallText | undefined,
  converter: Converter,
): Operation {
  const key = toKey(access);
  const text = given ?? toStaffText(access, key);
  const { raw } = text;
  const success = raw?.responses ?? { 200: toSuccess(toReply(access, key, converter)) };
  const parameters = [
    ...toPathParameters(access, text),
    ...toQueryParameters(access, text, converter),
    ...((raw?.parameters ?? []) as Parameter[]),
    ...toHeaders(access, text),
  ];
  const requestBody = raw?.requestBody ?? toRequestBody(access, text, converter);
  return {
    operationId: text.id,
    summary: text.summary,
    ...(text.description !== undefined && { description: text.description }),
    tags: [tag],
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody: requestBody as NonNullable<Operation['requestBody']> }),
    responses: { ...success, ...toRefusals(access, text.refusals) },
    security: access.caller.startsWith('anyone') ? [{}, { bearer: [] }] : [{ bearer: [] }],
    'x-caller': CALLERS[access.caller],
    'x-limits': toLimits(access),
    ...(text.isExtension && { 'x-extension': true as const }),
  };
}

/** Calls of the staff are described for tests only, without texts. */
function toStaffText({ caller, refuses = [] }: DescribedCall, key: string): CallText {
  if (!caller.startsWith('staff')) throw new Error(`its feature has no text for ${key}`);
  const refusals = Object.fromEntries([404, ...refuses].map((status) => [status, '']));
  return { id: key.toLowerCase().replace(/[^a-z]+/g, '_'), summary: key, refusals };
}

/** Adds what the entry of a call says about one of its values. Throws if it says nothing. */
function describe(
  schema: JsonSchema,
  field: Field | undefined,
  name: string,
  { caller }: DescribedCall,
): JsonSchema {
  if (field !== undefined) return describeField(schema, field);
  if (caller.startsWith('staff')) return schema;
  throw new Error(`${name} has no description`);
}

function toReply({ reply }: DescribedCall, key: string, converter: Converter): JsonSchema {
  if (reply === undefined) throw new Error(`${key} has neither a reply nor a raw description`);
  return converter.convert(reply);
}

function toPathParameters(access: DescribedCall, { fields = {} }: CallText): Parameter[] {
  return [...access.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    return toParameter(
      { name, in: 'path', required: true, schema: { type: 'string' } },
      fields[name],
      access,
    );
  });
}

function toQueryParameters(
  access: DescribedCall,
  { fields = {} }: CallText,
  converter: Converter,
): Parameter[] {
  if (access.query === undefined) return [];
  const { properties = {}, required = [] } = converter.convert(access.query);
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, schema]) => {
    const isRequired = (required as string[]).includes(name);
    return toParameter({ name, in: 'query', required: isRequired, schema }, fields[name], access);
  });
}

function toHeaders(access: DescribedCall, { headers = {} }: CallText): Parameter[] {
  return Object.entries(headers).map(([name, field]) => {
    return toParameter({ name, in: 'header', required: false, schema: { type: 'string' } }, field, access);
  });
}

function toParameter(parameter: Parameter, field: Field | undefined, access: DescribedCall): Parameter {
  const { schema, ...named } = parameter;
  const { description, examples, ...described } = describe(schema, field, named.name, access);
  if (field === undefined) return parameter;
  const [example] = (examples ?? []) as unknown[];
  return {
    ...named,
    description: String(description),
    example,
    schema: described,
    ...(field.isExtension && { 'x-extension': true as const }),
  };
}

function toRequestBody(access: DescribedCall, text: CallText, converter: Converter) {
  const { body, bodyBytesMax, form } = access;
  if (form !== undefined) return toForm(form, text, access);
  if (body === undefined) return undefined;
  const schema = converter.convert(body);
  const required = ((schema['required'] as string[] | undefined) ?? []).length > 0;
  return {
    required,
    content: { 'application/json': { schema } },
    ...(bodyBytesMax !== undefined && { 'x-max-bytes': bodyBytesMax }),
  };
}

function toForm(
  { files, fileBytesMax, texts = [], lists = [] }: NonNullable<DescribedCall['form']>,
  { fields = {} }: CallText,
  access: DescribedCall,
) {
  const text = { type: 'string' };
  const file = {
    type: 'string',
    format: 'binary',
    contentMediaType: 'application/octet-stream',
    'x-max-bytes': fileBytesMax,
  };
  const parts: [string, JsonSchema][] = [
    ...files.map((name): [string, JsonSchema] => [name, file]),
    ...texts.map((name): [string, JsonSchema] => [
      name,
      lists.includes(name) ? { type: 'array', items: text } : text,
    ]),
  ];
  const properties = Object.fromEntries(
    parts.map(([name, schema]) => [name, describe(schema, fields[name], name, access)]),
  );
  return {
    required: true,
    content: {
      'multipart/form-data': { schema: { type: 'object', properties, additionalProperties: false } },
    },
  };
}

/**
 * Limits of calls that the API counts itself. The processor time of reads is no number of calls. Limits of networks, and
 * those that a service counts, such as those of wrong passwords, of mails and of downloads, are not published: they would
 * tell an attacker how far to go.
 */
function toLimits({ limits }: DescribedCall): PublishedLimit[] {
  return limits
    .filter(({ by, countedBy, isSilent }) => by !== 'network' && countedBy === 'api' && !isSilent)
    .map(({ limit, by, isAcceptedOnly }) => ({
      by: KEYS[by] ?? by,
      calls: limit.points,
      seconds: limit.perSec,
      ...(isAcceptedOnly && { acceptedOnly: true as const }),
    }));
}
