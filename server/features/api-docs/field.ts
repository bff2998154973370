import type * as v from 'valibot';

/** A JSON Schema as it is written into the document. */
export type JsonSchema = Record<string, unknown>;

/**
 * What the document says about one field, parameter or part of a form. It is not in the contract, whose schemas browsers
 * load.
 */
export interface Field {
  readonly description: string;
  /** Absent if the field consists of a named schema, whose own fields have examples. */
  readonly example?: unknown;
  /** What our host's value is beyond the contract's schema, such as a format. */
  readonly form?: JsonSchema;
  /** A parameter beyond spec §7. */
  readonly isExtension?: true;
}

/** A schema that the document names, with its fields. */
export interface Component {
  readonly schema: v.GenericSchema<unknown, unknown>;
  readonly purpose: 'body' | 'reply';
  readonly description: string;
  readonly fields: Readonly<Record<string, Field>>;
}

type ObjectSchema<Entries> = v.GenericSchema<unknown, unknown> & { readonly entries: Entries };

/** An object of replies. The compiler demands each field. */
export function reply<Entries>(
  description: string,
  schema: ObjectSchema<Entries>,
  fields: Readonly<Record<keyof Entries & string, Field>>,
): Component {
  return { schema, purpose: 'reply', description, fields };
}

/** An object of requests. The compiler demands each field. */
export function body<Entries>(
  description: string,
  schema: ObjectSchema<Entries>,
  fields: Readonly<Record<keyof Entries & string, Field>>,
): Component {
  return { schema, purpose: 'body', description, fields };
}

export function extended(field: Field): Field {
  return { ...field, isExtension: true };
}

/** A field that consists of a named schema, or of a list of them. */
export function part(description: string): Field {
  return { description };
}

export function text(description: string, example: string, form?: JsonSchema): Field {
  return { description, example, ...(form && { form }) };
}

export function flag(description: string, example = true): Field {
  return { description, example };
}

export function integer(description: string, example: number, form?: JsonSchema): Field {
  return { description, example, form: { type: 'integer', minimum: 0, ...form } };
}

export function number(description: string, example: number): Field {
  return { description, example };
}

export function list(description: string, example: readonly unknown[], items?: JsonSchema): Field {
  return { description, example, ...(items && { form: { items: { type: 'string', ...items } } }) };
}

/** One of some values, to which more may be added. */
export function choice(description: string, values: readonly string[], example = values[0]): Field {
  return { description, example, form: { type: 'string', enum: values } };
}

/** ISO 8601 in UTC, as the document says of all times. */
export function time(description: string, example = '2026-11-20T05:30:00.000Z'): Field {
  return { description, example, form: { format: 'date-time' } };
}

/** A month in Japan. */
export function month(description: string): Field {
  return text(`${description}（日本時間）`, '2026-11', { pattern: '^[0-9]{4}-[0-9]{2}$' });
}

/** A hint: the host also accepts addresses in other scripts, and those of old phones, which no standard allows. */
export function email(description: string): Field {
  return text(description, 'hanako@example.test', { format: 'email' });
}

/** The address of a picture of the host. */
export function picture(description: string): Field {
  return text(`${description}のアドレス。ないときは null`, '/media/pictures/8f50e2bf/256.webp', {
    format: 'uri-reference',
  });
}
