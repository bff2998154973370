import * as v from 'valibot';
import { NextPageSchema } from '../../../contract/paging.ts';
import { SiteConfigSchema } from '../../../contract/site.ts';
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

/** A schema of valibot as this folder walks it. */
export interface Node extends v.GenericSchema {
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
const FORMS: readonly (readonly [v.GenericSchema<unknown, unknown>, v.GenericSchema])[] = [
  [IdSchema, v.pipe(v.string(), v.nonEmpty())],
  [TextSchema, v.string()],
  [FileUrlSchema, v.nullable(v.string())],
  [FlagSchema, v.boolean()],
  [AssumedFlagSchema, v.boolean()],
  [ExtraFlagSchema, v.boolean()],
  [CountSchema, v.number()],
  [ExtraNumberSchema, v.number()],
  [NextPageSchema, v.nullable(v.string())],
  [SiteConfigSchema.entries.capabilities, v.array(v.string())],
];

const HOST_FORMS = new Map(FORMS.map(([schema, form]) => [toIdentity(schema as Node), form as Node]));

/** The strict form of a block of the contract; undefined for other schemas. */
export function findHostForm(node: Node): Node | undefined {
  return HOST_FORMS.get(toIdentity(node));
}

/** `optional` and `fallback` copy or wrap a schema, and keep its pipe. */
function toIdentity(node: Node): object {
  if (node.pipe !== undefined) return node.pipe;
  return node.type === 'optional' && node.wrapped !== undefined ? toIdentity(node.wrapped) : node;
}
