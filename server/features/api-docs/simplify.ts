import * as v from 'valibot';
import { lastNumber, lastText } from '../../../contract/calls/query-values.ts';
import { findPortable } from './portable.ts';

/** The keyword that holds rules which JSON Schema cannot express, in the words of the error that they cause. */
const RULES_KEYWORD = 'x-rules';

/** Constraints with an equal in JSON Schema. */
const CONSTRAINTS: ReadonlySet<string> = new Set([
  'integer',
  'max_length',
  'max_value',
  'min_length',
  'min_value',
  'non_empty',
  'safe_integer',
  'starts_with',
]);

/** A repeated parameter counts once, so a client sends it once. */
const QUERY_FORMS: readonly (readonly [object, v.GenericSchema])[] = [
  [lastText, v.string()],
  [lastNumber, v.number()],
];

/** A schema of valibot, by the properties that the contract uses. */
interface Node extends v.GenericSchema {
  readonly pipe?: readonly PipeItem[];
  readonly entries?: Readonly<Record<string, Node>>;
  readonly item?: Node;
  readonly wrapped?: Node;
  readonly options?: readonly Node[];
  readonly default?: unknown;
}

/** A schema or action of a pipe. */
interface PipeItem {
  readonly kind: string;
  readonly type: string;
  readonly message?: unknown;
  readonly operation?: unknown;
  readonly requirement?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/**
 * Rewrites schemas of the contract to schemas that have an exact equal in JSON Schema. Constraints before the first
 * transformation are kept; all others become `x-rules`. Throws for a schema that allows anything, and for a rule without
 * a text. Metadata describes the raw check that follows. One schema is rewritten once, so that references keep their
 * identity.
 */
export function createSimplifier(): (schema: v.GenericSchema<unknown, unknown>) => v.GenericSchema {
  const forms = new Map<object, Node>(QUERY_FORMS);
  const known = new Map<object, Node>(forms);

  function simplify(node: Node): Node {
    const found = known.get(node);
    if (found !== undefined) return found;
    const made = node.pipe === undefined ? rewrite(node) : rewritePipe(flatten(node.pipe));
    known.set(node, made);
    return made;
  }

  function rewrite(node: Node): Node {
    const { type, entries, item, wrapped, options } = node;
    if (entries !== undefined) return { ...node, entries: mapEntries(entries, toEntry) } as Node;
    if (wrapped !== undefined && type === 'optional') return simplify(wrapped);
    if (wrapped !== undefined) return { ...node, wrapped: simplify(wrapped) };
    if (item !== undefined) return { ...node, item: simplify(item) };
    if (type === 'union' || type === 'variant') return { ...node, options: options?.map(simplify) ?? [] };
    if (type === 'unknown' || type === 'any' || type === 'custom') {
      throw new Error(`a schema of the type ${type} has no description`);
    }
    return node;
  }

  /** Whether a field may be absent is a matter of the object, not of the field's schema. */
  function toEntry(entry: Node): Node {
    const simple = simplify(entry);
    if (entry.type !== 'optional' || !v.is(entry, undefined)) return simple;
    // '' only stands for an absent field.
    const start = entry.default === '' ? undefined : entry.default;
    return v.optional(start === undefined ? simple : v.pipe(simple, v.metadata({ default: start })));
  }

  function rewritePipe([first, ...rest]: readonly PipeItem[]): Node {
    if (first === undefined || !isSchema(first)) throw new Error('a pipe starts with a schema');
    let base = simplify(first);
    let kept: PipeItem[] = [];
    let isExact = true;
    const rules: string[] = [];
    for (const [index, item] of rest.entries()) {
      if (isExact && item.operation === Number) {
        base = v.pipe(v.number(), v.integer());
        kept = [];
      } else if (isExact && isSchema(item)) {
        base = simplify(item);
        kept = [];
      } else if (item.kind === 'transformation') isExact = false;
      else if (isExact && (item.kind === 'metadata' || isConstraint(item, kept))) kept.push(toPlain(item));
      else if (item.type === 'raw_check' && rest[index - 1]?.kind === 'metadata') continue;
      else if (item.kind === 'validation') rules.push(toRule(item));
      else if (item.kind === 'schema') throw new Error(`a ${item.type} after a transformation has no text`);
    }
    const notes = rules.length === 0 ? [] : [v.metadata({ [RULES_KEYWORD]: [...new Set(rules)] })];
    const actions = [...kept, ...notes];
    return actions.length === 0 ? base : v.pipe(base, ...(actions as []));
  }

  /** The items of a pipe and of the pipes in it, without what concerns other hosts. */
  function flatten(pipe: readonly PipeItem[]): PipeItem[] {
    return pipe.flatMap((item) => {
      if (item.metadata !== undefined && 'absent' in item.metadata) return [];
      return isSchema(item) && item.pipe !== undefined && !forms.has(item) ? flatten(item.pipe) : [item];
    });
  }

  return (schema) => simplify(schema as Node);
}

function isSchema(item: PipeItem): item is PipeItem & Node {
  return item.kind === 'schema';
}

function mapEntries(entries: Readonly<Record<string, Node>>, map: (entry: Node) => Node) {
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, map(entry)]));
}

/** JSON Schema has one pattern; the Unicode flag is its default. Others are rules. */
function isConstraint(item: PipeItem, kept: readonly PipeItem[]): boolean {
  if (item.type !== 'regex') return CONSTRAINTS.has(item.type);
  const { flags, source } = item.requirement as RegExp;
  return (
    /^u?$/.test(flags) &&
    findPortable(source) !== undefined &&
    !kept.some(({ type }) => type === 'regex' || type === 'starts_with')
  );
}

/** The converter refuses flags, also the one that is the default of JSON Schema. */
function toPlain(item: PipeItem): PipeItem {
  return item.type === 'regex' ? v.regex(new RegExp((item.requirement as RegExp).source)) : item;
}

function toRule({ type, message }: PipeItem): string {
  if (typeof message === 'string') return message;
  throw new Error(`a rule of the type ${type} has no text`);
}
