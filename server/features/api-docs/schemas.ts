import type { ConversionConfig } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import type { Component, Field, JsonSchema } from './field.ts';
import { toPortable } from './portable.ts';
import { createSimplifier } from './simplify.ts';

export interface Converter {
  /** Throws for a schema that JSON Schema cannot describe, or that would allow anything without saying so. */
  convert(schema: v.GenericSchema<unknown, unknown>): JsonSchema;
  /** The named schemas, to which the others refer. */
  readonly named: Readonly<Record<string, JsonSchema>>;
}

/**
 * Loads the package that converts schemas, which only the document of the API needs. Schemas refer to those of
 * `components` by name.
 */
export async function openConverter(components: Readonly<Record<string, Component>>): Promise<Converter> {
  const { toJsonSchema, toJsonSchemaDefs } = await import('@valibot/to-json-schema');
  const simplify = createSimplifier();
  const definitions = Object.fromEntries(
    Object.entries(components).map(([name, { schema }]) => [name, simplify(schema)]),
  );
  const config: ConversionConfig = {
    target: 'draft-2020-12',
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  };
  const schemas = toJsonSchemaDefs(definitions, config) as Record<string, JsonSchema>;
  const named = Object.fromEntries(
    Object.entries(components).map(([name, component]) => {
      return [name, describe(component, tidy(schemas[name]) as JsonSchema)];
    }),
  );
  for (const [name, schema] of Object.entries(named)) requireContent(schema, name);
  return {
    named,
    convert(schema) {
      const {
        $schema: _,
        $defs: _defs,
        ...json
      } = toJsonSchema(simplify(schema), { ...config, definitions });
      requireContent(json, 'a schema');
      return tidy(json) as JsonSchema;
    },
  };
}

/** Adds what its component says about an object and its fields. */
function describe({ description, fields }: Component, schema: JsonSchema): JsonSchema {
  const { type, properties, required, ...more } = schema;
  const described = Object.entries(properties as Record<string, JsonSchema>).map(([name, field]) => {
    const text = fields[name];
    if (text === undefined) throw new Error(`the field ${name} has no description`);
    return [name, describeField(field, text)] as const;
  });
  return {
    type,
    description,
    properties: Object.fromEntries(described),
    ...(required !== undefined && { required }),
    ...more,
  };
}

/** Adds what a table says about one value. A form that lists alternatives replaces the schema. */
export function describeField(schema: JsonSchema, { description, example, form }: Field): JsonSchema {
  const whole = form?.['anyOf'] === undefined ? narrow(schema, form) : form;
  return { ...whole, description, ...(example !== undefined && { examples: [example] }) };
}

/** The form applies to what is not null, and is the one that is sent if there are several. */
function narrow(schema: JsonSchema, form: JsonSchema | undefined): JsonSchema {
  if (form === undefined) return schema;
  const { anyOf } = schema as { readonly anyOf?: readonly JsonSchema[] };
  if (anyOf === undefined) return JSON.parse(JSON.stringify({ ...schema, ...form })) as JsonSchema;
  const known = anyOf.filter(({ type }) => type !== 'null');
  if (known.length === anyOf.length) return form;
  return { ...schema, anyOf: [narrow(known[0] ?? {}, form), ...anyOf.filter(({ type }) => type === 'null')] };
}

/** Without empty lists, and with patterns that all languages read alike. */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => key !== 'required' || (inner as unknown[]).length > 0)
      .map(([key, inner]) => [
        key,
        key === 'pattern' && typeof inner === 'string' ? toPortable(inner) : tidy(inner),
      ]),
  );
}

/** Throws if a schema, or a part of it, allows anything. */
function requireContent(schema: unknown, path: string): void {
  if (typeof schema !== 'object' || schema === null) return;
  const {
    properties = {},
    items,
    anyOf = [],
    oneOf = [],
    additionalProperties,
    ...own
  } = schema as JsonSchema;
  const parts: [string, unknown][] = [
    ...Object.entries(properties as object),
    ...[...(anyOf as []), ...(oneOf as [])]
      .entries()
      .map(([index, part]) => [String(index), part] as [string, unknown]),
    ...(items === undefined ? [] : [['items', items] as [string, unknown]]),
    ...(additionalProperties === undefined ? [] : [['*', additionalProperties] as [string, unknown]]),
  ];
  const says = ['type', '$ref', 'enum', 'const'].some((keyword) => keyword in own);
  if (!says && parts.length === 0) throw new Error(`${path} allows anything`);
  for (const [name, part] of parts) requireContent(part, `${path} / ${name}`);
}
