import * as v from 'valibot';
import { toVisible } from './texts.ts';
import { parseUrl } from './urls.ts';

/**
 * Building blocks for replies. The client must work with any host that implements spec §7, so it reads replies
 * leniently: numbers may be text, text may be numbers, flags may be 1 or "true". An unreadable optional field counts as
 * absent, and an unreadable list entry is dropped. `Input` of each block is the strict form that our own host must
 * send.
 */

type Issue = v.BaseIssue<unknown>;
/** Called with the issue for each list entry that was dropped, and without one for a value that is not a list. */
export type OnDropped = (issue: Issue | undefined) => void;
interface ReplyConfig extends v.Config<Issue> {
  readonly onDropped?: OnDropped | undefined;
}

/** The value of a reply's body; its text if it is not JSON, such as that of a proxy. */
export function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

/** Parses a reply. `safeParse` would not pass `onDropped` on to nested lists. */
export function readReply<Reply extends v.GenericSchema<unknown, unknown>>(
  schema: Reply,
  value: unknown,
  onDropped?: OnDropped,
): { readonly output: v.InferOutput<Reply> } | { readonly issue: Issue | undefined } {
  const config: ReplyConfig = { onDropped };
  const { typed, value: output, issues } = schema['~run']({ value }, config);
  return typed && !issues ? { output: output as v.InferOutput<Reply> } : { issue: issues?.[0] };
}

/** A field that a function reads; a missing one is read as null. */
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

/** An id. Hosts send numbers or strings; the result is always a non-empty string. */
export const IdSchema = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((id) => String(id)),
  v.nonEmpty(),
);

/**
 * A text; '' when a host omits it, or sends null or nothing visible. Text consisting of digits may arrive as a number.
 */
export const TextSchema = readAs<string | number, string>(toText);

/** Paths that need no URL parser, which removes tabs and reads `//` and a backslash as the start of a host. */
const PLAIN_PATH = /^\/[\w-][\w./-]*$/;

/** The URL of a file; null when it is absent, '' or not loadable by a page. */
export const FileUrlSchema = readAs<string, string | null>((value) => {
  if (typeof value !== 'string' || value === '') return null;
  if (PLAIN_PATH.test(value)) return value;
  return /^https?:$/.test(parseUrl(value, 'http://host')?.protocol ?? '') ? value : null;
});

/** A flag; false when a host omits it. */
export const FlagSchema = readAs<boolean | number, boolean>((value) => toFlag(value) ?? false);

/** A flag; true when a host omits it. */
export const AssumedFlagSchema = readAs<boolean | number, boolean>((value) => toFlag(value) ?? true);

/** A count; 0 when a host omits it. */
export const CountSchema = readAs<number, number>((value) => toNumber(value) ?? 0);

/** A number that only our own host sends; undefined when absent. */
export const ExtraNumberSchema = v.optional(
  v.pipe(
    v.custom<number | null>(isAnything),
    v.transform((value: number | null) => toNumber(value)),
  ),
);

/** A flag that only our own host sends; undefined when absent. */
export const ExtraFlagSchema = v.optional(
  v.pipe(
    v.custom<boolean | number | null>(isAnything),
    v.transform((value: boolean | number | null) => toFlag(value)),
  ),
);

/**
 * A list, or one page of `results`; empty when a host omits it or sends null. Entries that `item` rejects are dropped.
 */
/* @__NO_SIDE_EFFECTS__ */
export function listOf<const Item extends v.GenericSchema<unknown, unknown>>(item: Item) {
  return v.optional(readEntries<Item, null>(item, isAnything), null);
}

/** The list that a reply consists of: a reply in which it is missing or something else is unreadable. */
/* @__NO_SIDE_EFFECTS__ */
export function requiredListOf<const Item extends v.GenericSchema<unknown, unknown>>(item: Item) {
  return readEntries<Item, never>(item, (value) => value !== null && findList(value) !== null);
}

/* @__NO_SIDE_EFFECTS__ */
function readEntries<const Item extends v.GenericSchema<unknown, unknown>, Absent>(
  item: Item,
  isReadable: (value: unknown) => boolean,
) {
  return v.pipe(
    v.custom<readonly v.InferInput<Item>[] | Absent>(isReadable),
    // For the description of the API; the function below hides the schema.
    v.metadata({ item }),
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
  );
}

/** A field that only our own host sends; undefined when absent or malformed, without further errors. */
/* @__NO_SIDE_EFFECTS__ */
export function extra<Value extends v.GenericSchema<unknown, unknown>>(value: Value) {
  return v.optional(v.fallback(v.optional(value), undefined));
}

/** null: the value is not a list. */
function findList(value: unknown): readonly unknown[] | null {
  if (value === null || Array.isArray(value)) return value ?? [];
  const { results } = Object(value) as { results?: unknown };
  return Array.isArray(results) ? results : null;
}

function toText(value: unknown): string {
  return typeof value === 'string' || Number.isFinite(value) ? toVisible(String(value)) : '';
}

/** A finite number, or a text that contains one. */
function toNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return Number.isFinite(number) ? (number as number) : undefined;
}

/** 0 is false and any other number is true, also as text. */
function toFlag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const number = toNumber(value);
  if (number !== undefined) return number !== 0;
  const text = toText(value).toLowerCase();
  return text === 'true' || (text === 'false' ? false : undefined);
}
