/** A part of an OpenAPI document. */
type Part = Readonly<Record<string, unknown>>;
/** Requests may accept more than before, replies may contain more than before. */
type Side = 'request' | 'reply';

/** Numbers that bound a value from above or below. */
const UPPER = ['maximum', 'maxLength', 'maxItems'];
const LOWER = ['minimum', 'minLength', 'minItems'];

/**
 * What a client that was written for `before` can no longer rely on, one line each; [] if `after` only adds. A new value
 * of an enumeration in a reply is an addition: docs/api.md asks clients to ignore unknown values.
 */
export function findBreaks(before: object, after: object): string[] {
  const old = before as Part;
  const current = after as Part;
  return Object.entries(toPart(old['paths'])).flatMap(([path, methods]) =>
    Object.entries(toPart(methods)).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const found = toPart(toPart(current['paths'])[path])[method];
      if (found === undefined) return [`${name} was removed`];
      return compareOperations(toPart(operation), toPart(found), new Comparison(old, current)).map(
        (text) => `${name}: ${text}`,
      );
    }),
  );
}

class Comparison {
  readonly #old: Part;
  readonly #current: Part;
  constructor(old: Part, current: Part) {
    this.#old = old;
    this.#current = current;
  }
  old(part: unknown): Part {
    return resolve(toPart(part), this.#old);
  }
  current(part: unknown): Part {
    return resolve(toPart(part), this.#current);
  }
}

function compareOperations(old: Part, current: Part, documents: Comparison): string[] {
  return [
    ...(old['operationId'] === current['operationId'] ? [] : ['the operationId changed']),
    ...(isOpen(old) && !isOpen(current) ? ['visitors may no longer call it'] : []),
    ...compareParameters(old, current, documents),
    ...compareBodies(toPart(old['requestBody']), toPart(current['requestBody']), documents),
    ...compareReplies(toPart(old['responses']), toPart(current['responses']), documents),
  ];
}

/** Whether a call needs no token. */
function isOpen({ security }: Part): boolean {
  return (security as readonly object[] | undefined)?.some((each) => Object.keys(each).length === 0) ?? true;
}

function compareParameters(old: Part, current: Part, documents: Comparison): string[] {
  const list = ({ parameters = [] }: Part) => parameters as readonly Part[];
  const find = (parameters: readonly Part[], { name, in: place }: Part) =>
    parameters.find((each) => each['name'] === name && each['in'] === place);
  return [
    ...list(current)
      .filter((each) => each['required'] === true && find(list(old), each)?.['required'] !== true)
      .map(({ name }) => `the parameter ${String(name)} is now required`),
    ...list(old).flatMap((each) => {
      const found = find(list(current), each);
      const name = `the parameter ${String(each['name'])}`;
      if (found === undefined) return [`${name} was removed`];
      return compareSchemas(each['schema'], found['schema'], 'request', name, documents);
    }),
  ];
}

function compareBodies(old: Part, current: Part, documents: Comparison): string[] {
  const before = Object.entries(toPart(old['content']));
  const after = toPart(current['content']);
  return [
    ...(current['required'] === true && old['required'] !== true ? ['a body is now required'] : []),
    ...before.flatMap(([type, media]) =>
      after[type] === undefined
        ? [`a body of the type ${type} is no longer accepted`]
        : compareSchemas(
            toPart(media)['schema'],
            toPart(after[type])['schema'],
            'request',
            'body',
            documents,
          ),
    ),
  ];
}

function compareReplies(old: Part, current: Part, documents: Comparison): string[] {
  return Object.entries(old)
    .filter(([status]) => status.startsWith('2'))
    .flatMap(([status, response]) => {
      const found = current[status];
      if (found === undefined) return [`the reply ${status} was removed`];
      const after = toPart(documents.current(found)['content']);
      return Object.entries(toPart(documents.old(response)['content'])).flatMap(([type, media]) =>
        after[type] === undefined
          ? [`the reply is no longer ${type}`]
          : compareSchemas(
              toPart(media)['schema'],
              toPart(after[type])['schema'],
              'reply',
              'reply',
              documents,
            ),
      );
    });
}

function compareSchemas(
  before: unknown,
  after: unknown,
  side: Side,
  path: string,
  documents: Comparison,
): string[] {
  const olds = listAlternatives(documents.old(before)).map((each) => documents.old(each));
  const currents = listAlternatives(documents.current(after)).map((each) => documents.current(each));
  const [fewer, more] = side === 'request' ? [currents, olds] : [olds, currents];
  const missing = [...listTypes(more)].filter((type) => !listTypes(fewer).has(type));
  if (missing.length > 0) {
    const verb = side === 'request' ? 'is no longer accepted as' : 'can now be';
    return [`${path} ${verb} ${missing.join(', ')}`];
  }
  return olds.flatMap((old) => {
    const current = currents.find((each) => each['type'] === old['type']);
    if (current === undefined) return [];
    return [
      ...compareValues(old, current, side, path),
      ...compareObjects(old, current, side, path, documents),
      ...(old['items'] === undefined
        ? []
        : compareSchemas(old['items'], current['items'], side, `${path}[]`, documents)),
    ];
  });
}

function compareValues(old: Part, current: Part, side: Side, path: string): string[] {
  const values = (schema: Part) => schema['enum'] as readonly unknown[] | undefined;
  const removed = values(old)?.filter((value) => values(current)?.includes(value) === false) ?? [];
  const breaks = removed.map((value) => `${path}: the value ${String(value)} was removed`);
  if (side === 'reply') return breaks;
  const isBounded = (name: string, isStricter: (now: number, then: number) => boolean) => {
    const [then, now] = [old[name], current[name]];
    return typeof now === 'number' && (typeof then !== 'number' || isStricter(now, then));
  };
  return [
    ...breaks,
    ...(values(old) === undefined && values(current) !== undefined ? [`${path} now has fixed values`] : []),
    ...UPPER.filter((name) => isBounded(name, (now, then) => now < then)).map(
      (name) => `${path}: lower ${name}`,
    ),
    ...LOWER.filter((name) => isBounded(name, (now, then) => now > then)).map(
      (name) => `${path}: higher ${name}`,
    ),
    ...(current['pattern'] !== undefined && current['pattern'] !== old['pattern']
      ? [`${path}: another pattern`]
      : []),
  ];
}

function compareObjects(old: Part, current: Part, side: Side, path: string, documents: Comparison): string[] {
  const required = (schema: Part) => (schema['required'] ?? []) as readonly string[];
  const [before, after] = [toPart(old['properties']), toPart(current['properties'])];
  const [stricter, looser] = side === 'request' ? [current, old] : [old, current];
  const changed = required(stricter).filter((name) => !required(looser).includes(name));
  return [
    ...changed
      .filter((name) => side === 'request' || name in after)
      .map((name) => `${path}.${name} is ${side === 'request' ? 'now required' : 'no longer always sent'}`),
    ...Object.entries(before).flatMap(([name, field]) =>
      after[name] === undefined
        ? [`${path}.${name} was removed`]
        : compareSchemas(field, after[name], side, `${path}.${name}`, documents),
    ),
  ];
}

function listAlternatives(schema: Part): readonly unknown[] {
  const { anyOf } = schema;
  return Array.isArray(anyOf) ? anyOf.flatMap((each) => listAlternatives(toPart(each))) : [schema];
}

/** Numbers include integers. */
function listTypes(schemas: readonly Part[]): Set<string> {
  const types = new Set(schemas.map(({ type }) => String(type)));
  return types.has('number') ? types.add('integer') : types;
}

function resolve(part: Part, document: Part): Part {
  const { $ref } = part;
  if (typeof $ref !== 'string') return part;
  const names = $ref.split('/').slice(1);
  return toPart(names.reduce((value: unknown, name) => toPart(value)[name], document));
}

function toPart(value: unknown): Part {
  return typeof value === 'object' && value !== null ? (value as Part) : {};
}
