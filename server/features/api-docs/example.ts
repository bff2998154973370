import type { Operation } from './operations.ts';
import type { JsonSchema } from './field.ts';

/** A value with which a body shows its form. Rules beyond the schema are the reader's. */
export function toExample(schema: JsonSchema): unknown {
  const { type, anyOf, items, properties, required = [], minimum, pattern, examples } = schema;
  if (Array.isArray(examples)) return examples[0];
  const values = schema['enum'] as readonly unknown[] | undefined;
  if (values !== undefined) return values.find((value) => value !== '') ?? '';
  if (Array.isArray(anyOf)) return toExample(anyOf[0] as JsonSchema);
  if (properties !== undefined) {
    const fields = Object.entries(properties as Record<string, JsonSchema>);
    const needed = fields.filter(([name]) => (required as string[]).includes(name));
    const shown = needed.length > 0 ? needed : fields.slice(0, 1);
    return Object.fromEntries(shown.map(([name, field]) => [name, toExample(field)]));
  }
  if (type === 'array') return [toExample((items ?? {}) as JsonSchema)];
  if (type === 'boolean') return true;
  if (type === 'number' || type === 'integer') return typeof minimum === 'number' ? minimum : 1;
  return typeof pattern === 'string' ? '1234' : '...';
}

/**
 * A command line that makes the call with its bodies by type. `$API` is the origin of the host and `$ACCESS` an access
 * token.
 */
export function toCurl(
  method: string,
  path: string,
  operation: Operation,
  bodies: readonly (readonly [type: string, schema: JsonSchema])[],
): string {
  const { parameters = [], security } = operation;
  const query = parameters.filter((each) => each.in === 'query' && each.required === true);
  const search = query.map(({ name }) => `${name}=...`).join('&');
  const lines = [`curl ${toMethod(method)}"$API${path}${search === '' ? '' : `?${search}`}"`];
  if (security.every((each) => 'bearer' in each)) lines.push('-H "Authorization: Bearer $ACCESS"');
  for (const { name, schema, in: place, required } of parameters) {
    if (place !== 'header' || required !== true) continue;
    lines.push(`-H "${name}: ${String(schema['const'] ?? toExample(schema))}"`);
  }
  for (const [type, schema] of bodies) lines.push(...toBody(type, schema));
  return lines.join(' \\\n  ');
}

function toMethod(method: string): string {
  if (method === 'HEAD') return '--head ';
  return method === 'GET' ? '' : `-X ${method} `;
}

function toBody(type: string, schema: JsonSchema): string[] {
  if (type === 'application/json') {
    return [`-H "Content-Type: ${type}"`, `-d '${JSON.stringify(toExample(schema))}'`];
  }
  if (type !== 'multipart/form-data') return [`-H "Content-Type: ${type}"`, '--data-binary @piece'];
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>);
  const files = fields.filter(([, field]) => field['contentMediaType'] !== undefined);
  const texts = fields.filter(([, field]) => field['contentMediaType'] === undefined);
  return [
    ...files.slice(0, 3).map(([name]) => `-F ${name}=@file`),
    ...texts.slice(0, 2).map(([name]) => `-F ${name}=...`),
  ];
}
