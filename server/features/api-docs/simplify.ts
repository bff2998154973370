import * as v from 'valibot';
import { findHostForm } from './host-forms.ts';
import type { Node, PipeItem, Purpose } from './host-forms.ts';
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

const OPTIONAL: ReadonlySet<string> = new Set(['exact_optional', 'nullish', 'optional']);

/**
 * Rewrites schemas of the contract to schemas that have an exact equal in JSON Schema. Constraints before the first
 * transformation are kept; all others become `x-rules`. Throws for a schema that allows anything and has no host form,
 * and for a rule without a text. Metadata describes the raw check that follows. One schema is rewritten once, so that references keep their identity.
 */
export function createSimplifier(purpose: Purpose): (schema: v.GenericSchema) => v.GenericSchema {
  const known = new Map<Node, Node>();

  function simplify(node: Node): Node {
    const found = known.get(node) ?? findHostForm(node, purpose);
    if (found !== undefined) return found;
    const made = node.pipe === undefined ? rewrite(node) : rewritePipe(node.pipe);
    known.set(node, made);
    return made;
  }

  function rewrite(node: Node): Node {
    const { entries, item, wrapped, value, options } = node;
    if (entries !== undefined) {
      return { ...node, entries: mapEntries(entries, toEntry), ...(options && { options: [] }) } as Node;
    }
    if (OPTIONAL.has(node.type) && wrapped !== undefined) return simplify(wrapped);
    if (wrapped !== undefined) return { ...node, wrapped: simplify(wrapped), default: undefined } as Node;
    if (item !== undefined) return { ...node, item: simplify(item) };
    if (value !== undefined) return { ...node, value: simplify(value) };
    if (node.type === 'union' || node.type === 'variant') {
      return { ...node, options: options?.map(simplify) ?? [] };
    }
    if (node.type === 'unknown' || node.type === 'any' || node.type === 'custom') {
      throw new Error(`a schema of the type ${node.type} has no description`);
    }
    return node;
  }

  /** Whether a field may be absent is a matter of the object, not of the field's schema. */
  function toEntry(entry: Node): Node {
    const simple = simplify(entry);
    if (isRequired(entry)) return simple;
    const start = purpose === 'reply' ? undefined : findDefault(entry);
    const described = start === undefined ? simple : (v.pipe(simple, v.metadata({ default: start })) as Node);
    return v.optional(described) as Node;
  }

  /** A default in a reply replaces what other hosts omit: ours sends the field. */
  function isRequired(entry: Node): boolean {
    if (!OPTIONAL.has(entry.type)) return true;
    return purpose === 'reply' ? entry.default !== undefined : !v.safeParse(entry, undefined).success;
  }

  function rewritePipe(pipe: readonly PipeItem[]): Node {
    const [first, ...rest] = flatten(pipe);
    const listed = rest.find(({ metadata }) => metadata?.['item'] !== undefined)?.metadata?.['item'];
    if (listed !== undefined) return v.array(simplify(listed as Node)) as Node;
    if (first === undefined || !isSchema(first)) throw new Error('a pipe starts with a schema');
    let base = simplify(first);
    let kept: PipeItem[] = [];
    let isExact = true;
    const rules: string[] = [];
    for (const [index, item] of rest.entries()) {
      const isNumber = item.operation === Number && purpose === 'query';
      if (isExact && isNumber) {
        base = v.pipe(v.number(), v.integer()) as Node;
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
    return v.pipe(base, ...([...kept, ...notes] as unknown as [v.GenericMetadata])) as Node;
  }

  /** The items of a pipe and of the pipes in it, except those of a block that has a form. */
  function flatten(pipe: readonly PipeItem[]): PipeItem[] {
    return pipe.flatMap((item) => {
      const isPipe = isSchema(item) && item.pipe !== undefined && !findHostForm(item, purpose);
      return isPipe ? flatten(item.pipe) : [item];
    });
  }

  return (schema) => simplify(schema as Node);
}

function isSchema(item: PipeItem): item is Node {
  return item.kind === 'schema';
}

function mapEntries(entries: Readonly<Record<string, Node>>, map: (entry: Node) => Node) {
  return Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, map(entry)]));
}

/** JSON Schema has one pattern; the Unicode flag is its default. Others are rules. */
function isConstraint(item: PipeItem, kept: readonly PipeItem[]): boolean {
  if (item.type !== 'regex') return CONSTRAINTS.has(item.type);
  return (
    /^u?$/.test((item.requirement as RegExp).flags) &&
    findPortable((item.requirement as RegExp).source) !== undefined &&
    !kept.some(({ type }) => type === 'regex' || type === 'starts_with')
  );
}

/** The converter refuses flags, also the one that is the default of JSON Schema. */
function toPlain(item: PipeItem): PipeItem {
  return item.type === 'regex'
    ? (v.regex(new RegExp((item.requirement as RegExp).source)) as PipeItem)
    : item;
}

function toRule({ type, message }: PipeItem): string {
  if (typeof message === 'string') return message;
  throw new Error(`a rule of the type ${type} has no text`);
}

/** '' only stands for an absent field. */
function findDefault(entry: Node): unknown {
  return entry.default === '' ? undefined : entry.default;
}
