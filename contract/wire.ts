import * as v from 'valibot';

/**
 * Building blocks for replies. The client must work against any host that honours spec §7, so replies are read
 * leniently: numbers may come as text, text as numbers, flags as 1 or "true". An optional field that cannot be read
 * counts as absent, an entry of a list that cannot be read is dropped. `Input` of each block is what our own host
 * is held to.
 */

type Issue = v.BaseIssue<unknown>;
/** Hears of each entry that a list has dropped, with why; of a list that is none without. */
export type OnDropped = (issue: Issue | undefined) => void;
interface ReplyConfig extends v.Config<Issue> {
  readonly onDropped?: OnDropped | undefined;
}

/** Reads a reply. `safeParse` would not pass `onDropped` on to the lists within. */
export function readReply<Reply extends v.GenericSchema<unknown, unknown>>(
  schema: Reply,
  value: unknown,
  onDropped?: OnDropped,
): { readonly output: v.InferOutput<Reply> } | { readonly issue: Issue | undefined } {
  const config: ReplyConfig = { onDropped };
  const { typed, value: output, issues } = schema['~run']({ value }, config);
  return typed && !issues ? { output: output as v.InferOutput<Reply> } : { issue: issues?.[0] };
}

/** A field that is read by a function; a missing one is read as null. */
/* @__NO_SIDE_EFFECTS__ */
function readAs<Input, Output>(read: (value: unknown) => Output) {
  return v.optional(
    v.pipe(
      v.custom<Input | null>(isAnything),
      v.transform((value: Input | null) => read(value)),
    ),
    null,
  );
}

const isAnything = () => true;

/** An id: hosts send numbers or strings; here it is always a string, and never ''. */
export const IdSchema = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((id) => String(id)),
  v.nonEmpty(),
);

/** A text that a host may leave out or send as null; then it is ''. One made of digits may come as a number. */
export const TextSchema = readAs<string | number, string>(toText);

/** The address of a file; null where it is absent, '' or no address that a page could load. */
export const FileUrlSchema = readAs<string, string | null>((value) => {
  if (typeof value !== 'string' || value === '') return null;
  const base = 'http://host';
  return URL.canParse(value, base) && /^https?:$/.test(new URL(value, base).protocol) ? value : null;
});

/** A flag; false where a host leaves it out. */
export const FlagSchema = readAs<boolean | number, boolean>((value) => toFlag(value) ?? false);

/** A flag that is true where a host leaves it out. */
export const AssumedFlagSchema = readAs<boolean | number, boolean>((value) => toFlag(value) ?? true);

/** A count; 0 where a host leaves it out. */
export const CountSchema = readAs<number, number>((value) => toNumber(value) ?? 0);

/** A number that only our own host sends; undefined where it is absent. */
export const ExtraNumberSchema = v.optional(
  v.pipe(
    v.custom<number | null>(isAnything),
    v.transform((value: number | null) => toNumber(value)),
  ),
);

/** A flag that only our own host sends; undefined where it is absent. */
export const ExtraFlagSchema = v.optional(
  v.pipe(
    v.custom<boolean | number | null>(isAnything),
    v.transform((value: boolean | number | null) => toFlag(value)),
  ),
);

/**
 * A list, which a host may leave out or send as null; then it is empty. It may also be one page of `results`.
 * Entries that `item` refuses are dropped.
 */
/* @__NO_SIDE_EFFECTS__ */
export function listOf<const Item extends v.GenericSchema<unknown, unknown>>(item: Item) {
  type Items = readonly v.InferInput<Item>[];
  return v.optional(
    v.pipe(
      v.custom<Items | null>(isAnything),
      v.rawTransform(({ dataset, config }): v.InferOutput<Item>[] => {
        const { onDropped } = config as ReplyConfig;
        const list = findList(dataset.value);
        if (list === null) onDropped?.(undefined);
        return (list ?? []).flatMap((entry) => {
          const read = readReply(item, entry, onDropped);
          if ('output' in read) return [read.output];
          onDropped?.(read.issue);
          return [];
        });
      }),
    ),
    null,
  );
}

/** A field only our own host sends: absent or malformed, it is undefined and nothing else breaks. */
/* @__NO_SIDE_EFFECTS__ */
export function extra<Value extends v.GenericSchema<unknown, unknown>>(value: Value) {
  return v.optional(v.fallback(v.optional(value), undefined));
}

/** null: what came is no list at all. */
function findList(value: unknown): readonly unknown[] | null {
  if (value === null || Array.isArray(value)) return value ?? [];
  const { results } = Object(value) as { results?: unknown };
  return Array.isArray(results) ? results : null;
}

function toText(value: unknown): string {
  return typeof value === 'string' || Number.isFinite(value) ? String(value) : '';
}

/** A finite number, or a text that is one. */
function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return Number.isFinite(number) ? (number as number) : undefined;
}

/** 0 is false and any other number true, as text as well. */
function toFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const number = toNumber(value);
  if (number !== undefined) return number !== 0;
  const text = toText(value).toLowerCase();
  return text === 'true' || (text === 'false' ? false : undefined);
}
