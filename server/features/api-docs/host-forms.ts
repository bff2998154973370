import * as v from 'valibot';
import { NextPageSchema } from '../../../contract/paging.ts';
import { lastNumber, lastText } from '../../../contract/query-values.ts';
import {
  AssumedFlagSchema,
  CountSchema,
  ExtraFlagSchema,
  ExtraNumberSchema,
  FileUrlSchema,
  FlagSchema,
  IdSchema,
  TextSchema,
} from '../../../contract/wire.ts';

/** What a schema describes: the texts of a query, the JSON of a call, or the JSON of a reply. */
export type Purpose = 'query' | 'body' | 'reply';

/** A schema of valibot as this folder walks it. */
export interface Node extends v.GenericSchema, PipeItem {
  readonly kind: 'schema';
  readonly type: string;
  readonly pipe?: readonly PipeItem[];
  readonly entries?: Readonly<Record<string, Node>>;
  readonly item?: Node;
  readonly wrapped?: Node;
  readonly value?: Node;
  readonly options?: readonly Node[];
  readonly default?: unknown;
}

/** A schema or action of a pipe. */
export interface PipeItem {
  readonly kind: string;
  readonly type: string;
  readonly message?: unknown;
  readonly operation?: unknown;
  readonly requirement?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/**
 * What this host sends for the blocks of `contract/wire.ts`. The client reads them leniently with functions, which no
 * converter can read; decision 006 holds our own host to the strict form.
 */
const REPLY_FORMS: readonly Form[] = [
  [IdSchema, v.pipe(v.string(), v.nonEmpty())],
  [TextSchema, v.string()],
  [FileUrlSchema, v.nullable(v.string())],
  [FlagSchema, v.boolean()],
  [AssumedFlagSchema, v.boolean()],
  [ExtraFlagSchema, v.boolean()],
  [CountSchema, v.number()],
  [ExtraNumberSchema, v.number()],
  [NextPageSchema, v.nullable(v.string())],
];

/** A repeated parameter counts once, so a client sends it once. */
const QUERY_FORMS: readonly Form[] = [
  [lastText, v.string()],
  [lastNumber, v.number()],
];

type Form = readonly [block: v.GenericSchema<unknown, unknown>, form: v.GenericSchema];

const FORMS: Readonly<Record<Purpose, ReadonlyMap<object, Node>>> = {
  query: toMap(QUERY_FORMS),
  body: toMap([]),
  reply: toMap(REPLY_FORMS),
};

function toMap(forms: readonly Form[]): ReadonlyMap<object, Node> {
  return new Map(forms.map(([block, form]) => [toIdentity(block as Node), form as Node]));
}

/** What stands for a block of the contract that functions read; undefined for other schemas. */
export function findHostForm(node: Node, purpose: Purpose): Node | undefined {
  return FORMS[purpose].get(toIdentity(node));
}

/** `optional` and `fallback` copy or wrap a schema, and keep its pipe. */
function toIdentity(node: Node): object {
  if (node.pipe !== undefined) return node.pipe;
  return node.type === 'optional' && node.wrapped !== undefined ? toIdentity(node.wrapped) : node;
}
