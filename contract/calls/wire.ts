import * as v from 'valibot';

/**
 * Building blocks for replies. A reply's schema describes what our own host sends. The client must work with any host
 * that implements spec §7: `absent` says what it reads instead of a field that another host omits, or sends in a form
 * that it cannot read. `src/api/lenient.ts` derives the reader of such replies.
 */

type AnySchema = v.GenericSchema<unknown, unknown>;

/** What a schema says of replies of other hosts. */
export interface Foreign<Absent = unknown> extends Record<string, unknown> {
  readonly absent: Absent;
}

/** A field, or a whole reply, that the client reads as `absent` when it is missing or invalid. */
/* @__NO_SIDE_EFFECTS__ */
export function orElse<const Value extends AnySchema, const Absent>(value: Value, absent: Absent) {
  return v.pipe(value, v.metadata<v.InferOutput<Value>, Foreign<Absent>>({ absent }));
}

/** A field that our host always sends, and hosts of spec §7 do not have. */
/* @__NO_SIDE_EFFECTS__ */
export function extra<const Value extends AnySchema>(value: Value) {
  return orElse(value, undefined);
}

/** A list in which the client drops entries that it cannot read. */
/* @__NO_SIDE_EFFECTS__ */
export function listOf<const Item extends AnySchema>(item: Item) {
  return orElse(v.array(item), [] as never[]);
}

export const IdSchema = v.pipe(v.string(), v.nonEmpty());
export const TextSchema = orElse(v.string(), '');
/** The URL of a sound's file. */
export const AudioUrlSchema = orElse(v.string(), null);
/** The URL of a file; null for none. */
export const FileUrlSchema = orElse(v.nullable(v.string()), null);
export const FlagSchema = orElse(v.boolean(), false);
/** A flag that the client takes for true. */
export const AssumedFlagSchema = orElse(v.boolean(), true);
export const CountSchema = orElse(v.number(), 0);
/** The reply of a call of which only the status counts: a text for people. */
export const DoneSchema = orElse(v.object({ detail: v.string() }), undefined);

/** What the client reads of a reply, from any host. */
export type Read<Schema extends AnySchema> = Schema extends {
  readonly pipe: readonly [
    infer Value extends AnySchema,
    { readonly kind: 'metadata'; readonly metadata: Foreign<infer Absent> },
  ];
}
  ? Absent extends Read<Value>
    ? Read<Value>
    : Read<Value> | Absent
  : Schema extends { readonly pipe: unknown }
    ? v.InferOutput<Schema>
    : Schema extends { readonly type: 'object'; readonly entries: infer Entries extends Entry }
      ? ReadObject<Entries>
      : Schema extends { readonly type: 'array'; readonly item: infer Item extends AnySchema }
        ? Read<Item>[]
        : Schema extends { readonly type: 'nullable'; readonly wrapped: infer Value extends AnySchema }
          ? Read<Value> | null
          : Schema extends { readonly type: 'optional'; readonly wrapped: infer Value extends AnySchema }
            ? Read<Value> | undefined
            : v.InferOutput<Schema>;

type Entry = Readonly<Record<string, AnySchema>>;
type OptionalKey<Entries extends Entry> = {
  [Key in keyof Entries]: undefined extends Read<Entries[Key]> ? Key : never;
}[keyof Entries];
type ReadObject<Entries extends Entry> = Flat<
  { -readonly [Key in Exclude<keyof Entries, OptionalKey<Entries>>]: Read<Entries[Key]> } & {
    -readonly [Key in OptionalKey<Entries>]?: Read<Entries[Key]>;
  }
>;
type Flat<Value> = { [Key in keyof Value]: Value[Key] };
