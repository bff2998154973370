import { html } from 'hono/html';
import type { JsonSchema } from './field.ts';
import { RULES_KEYWORD } from './simplify.ts';

/** Escaped text for the page. */
export type Html = ReturnType<typeof html>;

const TYPES: Readonly<Record<string, string>> = {
  string: '文字列',
  number: '数値',
  integer: '整数',
  boolean: 'true / false',
  null: 'null',
  object: 'オブジェクト',
};

/** The address of a named schema on the page. */
export function toSchemaId(name: string): string {
  return `schema-${name}`;
}

/** The type of a value in one line, with links to named schemas. */
export function renderType(schema: JsonSchema): Html {
  const { $ref, type, anyOf, items, contentMediaType } = schema;
  const values = schema['enum'] as readonly unknown[] | undefined;
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1) ?? '';
    return html`<a href="#${toSchemaId(name)}">${name}</a>`;
  }
  if (Array.isArray(anyOf)) return join((anyOf as JsonSchema[]).map(renderType), ' または ');
  if (values !== undefined) {
    return join(
      values.map((value) => html`<code>${String(value)}</code>`),
      '、',
    );
  }
  if (contentMediaType !== undefined) return html`ファイル`;
  if (type === 'array') return html`${renderType((items ?? {}) as JsonSchema)}のリスト`;
  return html`${TYPES[String(type)] ?? String(type)}`;
}

/** The fields of an object, each with its type and limits; nested objects indented. */
export function renderFields(schema: JsonSchema): Html {
  const { properties = {}, required = [] } = schema;
  const rows = Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) => {
    const inner = findObject(field);
    return html`<p class="field">
        <code>${name}</code>
        <span>${renderType(field)}${(required as string[]).includes(name) ? '' : '、任意'}</span>
      </p>
      ${renderDetails(field)}${inner ? html`<div class="detail">${renderFields(inner)}</div>` : ''}`;
  });
  return html`<div class="fields">${rows}</div>`;
}

/** What is known of a value beyond its type. */
export function renderDetails(schema: JsonSchema, description = schema['description']): Html {
  const texts = [
    ...(typeof description === 'string' ? [description] : []),
    ...listBounds(schema),
    ...((schema[RULES_KEYWORD] as string[] | undefined) ?? []).map((rule) => `「${rule}」`),
    ...toExampleTexts(schema),
  ];
  return texts.length === 0 ? html`` : html`<div class="detail">${texts.join('。')}</div>`;
}

function toExampleTexts({ examples = [] }: JsonSchema): string[] {
  return (examples as readonly unknown[])
    .filter((example) => example !== undefined && example !== '' && typeof example !== 'boolean')
    .map((example) => `例：${typeof example === 'string' ? example : JSON.stringify(example)}`);
}

function listBounds({
  minLength,
  maxLength,
  minimum,
  maximum,
  maxItems,
  pattern,
  ...more
}: JsonSchema): string[] {
  const bytesMax = more['x-max-bytes'];
  return [
    toRange(minLength === 1 ? undefined : minLength, maxLength, '文字'),
    minLength === 1 && maxLength === undefined ? '空は不可' : '',
    toRange(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, ''),
    toRange(undefined, maxItems, '個'),
    typeof pattern === 'string' ? `形式 ${pattern}` : '',
    typeof bytesMax === 'number' ? `${bytesMax / 1024 / 1024} MBまで` : '',
  ].filter((text) => text !== '');
}

function toRange(min: unknown, max: unknown, unit: string): string {
  const from = typeof min === 'number' ? `${min}${unit}から` : '';
  const to = typeof max === 'number' ? `${max}${unit}まで` : '';
  return from + to;
}

function findObject(field: JsonSchema): JsonSchema | undefined {
  const candidates = [field, field['items'], ...((field['anyOf'] as unknown[] | undefined) ?? [])];
  return candidates.find(
    (each): each is JsonSchema => typeof each === 'object' && each !== null && 'properties' in each,
  );
}

function join(parts: readonly Html[], separator: string): Html {
  return html`${parts.map((part, index) => (index === 0 ? part : html`${separator}${part}`))}`;
}
