import * as v from 'valibot';
import { NextPageSchema } from '../../contract/calls/paging.ts';
import { toVisible } from '../../contract/values/texts.ts';
import { parseUrl } from '../../contract/values/urls.ts';
import {
  FileUrlSchema,
  type Foreign,
  IdSchema,
  type Read,
  AudioUrlSchema,
  TextSchema,
} from '../../contract/calls/wire.ts';

/** Called with the issue for each list entry that was dropped, and without one for a value that is not a list. */
export type OnDropped = (issue: v.BaseIssue<unknown> | undefined) => void;

/** What schemas of replies consist of. */
interface Node extends v.GenericSchema<unknown, unknown> {
  readonly pipe?: readonly [Node, ...Action[]];
  readonly entries?: Readonly<Record<string, Node>>;
  readonly item?: Node;
  readonly wrapped?: Node;
}
type Action = v.PipeItem<unknown, unknown, v.BaseIssue<unknown>> & { readonly metadata?: Foreign };

/**
 * The schema of a reply as any host may send it: ids and texts may be numbers, numbers may be text, flags may be 1 or
 * "true", and a list may be a page of `results`. A field that cannot be read counts as absent, and an entry of a list is
 * dropped.
 */
/* @__NO_SIDE_EFFECTS__ */
export function lenient<Reply extends v.GenericSchema<unknown, unknown>>(
  reply: Reply,
  onDropped?: OnDropped,
): v.GenericSchema<unknown, Read<Reply>> {
  return loosen(reply as Node, onDropped) as v.GenericSchema<unknown, Read<Reply>>;
}

function loosen(node: Node, onDropped: OnDropped | undefined): Node {
  const toLenient = (inner: Node) => loosen(inner, onDropped);
  const block: object = node;
  if (block === TextSchema) return readAs(toText, null);
  if (block === FileUrlSchema || block === AudioUrlSchema) return readAs(toFileUrl, null);
  if (block === IdSchema) return readFirst(toId, node);
  if (block === NextPageSchema) return orElse(readFirst(toId, node), null);
  const { type, pipe, entries, item, wrapped } = node;
  if (pipe) {
    const [value, ...actions] = pipe;
    const foreign = actions[0]?.metadata;
    if (!foreign) return v.pipe(toLenient(value), ...(actions as []));
    return value.item && Array.isArray(foreign.absent)
      ? readAs(toEntries(toLenient(value.item), onDropped), null)
      : orElse(toLenient(value), foreign.absent);
  }
  if (entries) {
    return v.object(
      Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, toLenient(entry)])),
    );
  }
  if (item) return v.array(toLenient(item));
  if (wrapped) return type === 'nullable' ? v.nullable(toLenient(wrapped)) : orElse(toLenient(wrapped));
  if (type === 'number') return readFirst(toNumber, node);
  return type === 'boolean' ? readFirst(toFlag, node) : node;
}

/** Reads what `read` makes of a value; of `absent` if there is none. */
function readAs(read: (value: unknown) => unknown, absent: unknown): Node {
  return v.optional(v.pipe(v.unknown(), v.transform(read)), absent);
}

function readFirst(read: (value: unknown) => unknown, node: Node): Node {
  return v.pipe(v.unknown(), v.transform(read), node);
}

function orElse(node: Node, absent?: unknown): Node {
  return readAs((value) => {
    const { success, output } = v.safeParse(node, value);
    return success ? output : absent;
  }, absent);
}

function toEntries(item: Node, onDropped: OnDropped | undefined): (value: unknown) => unknown[] {
  return (value) => {
    const list = findList(value);
    if (!list) onDropped?.(undefined);
    return (list ?? []).flatMap((entry) => {
      const { success, output, issues } = v.safeParse(item, entry);
      if (success) return [output];
      onDropped?.(issues[0]);
      return [];
    });
  };
}

/** null: the value is not a list. */
function findList(value: unknown): readonly unknown[] | null {
  if (value === null || Array.isArray(value)) return value ?? [];
  const { results } = Object(value) as { results?: unknown };
  return Array.isArray(results) ? results : null;
}

// Values that these functions cannot read stay as they are, and are rejected then.

function toId(value: unknown): unknown {
  return typeof value === 'number' ? String(value) : value;
}

/** A text that contains a number is that number. */
function toNumber(value: unknown): unknown {
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
}

/** 0 is false and any other number is true, also as text. */
function toFlag(value: unknown): unknown {
  const number = toNumber(value);
  if (Number.isFinite(number)) return number !== 0;
  const text = typeof value === 'string' ? value.toLowerCase() : value;
  return text === 'true' || (text === 'false' ? false : value);
}

/** '' for a value of another type, and for a text of which nothing is visible. */
function toText(value: unknown): string {
  return typeof value === 'string' || Number.isFinite(value) ? toVisible(String(value)) : '';
}

/** Paths that need no URL parser, which removes tabs and reads `//` and a backslash as the start of a host. */
const PLAIN_PATH = /^\/[\w-][\w./-]*$/;

/** The address of a file; null if a page cannot load it. */
function toFileUrl(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  if (PLAIN_PATH.test(value)) return value;
  return /^https?:$/.test(parseUrl(value, 'http://host')?.protocol ?? '') ? value : null;
}

/** The value of a reply's body; its text if it is not JSON, such as that of a proxy. */
export function readJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
