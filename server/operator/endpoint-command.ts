import * as v from 'valibot';
import type { Endpoint } from '../../contract/calls/endpoint.ts';
import { PAGE_BODY_BYTES_MAX } from '../../contract/operator/pages.ts';
import { parseInput, Problem } from '../platform/http/problem.ts';
import { openApi } from './api.ts';
import type { Fields, OperatorApi } from './api.ts';
import type { Command } from './command.ts';
import type { CommandContext } from './context.ts';
import { readInput, readText, toDayNumber } from './inputs.ts';
import { getArtistId } from './members.ts';
import { UsageError } from './refusals.ts';
import { printReply } from './replies.ts';

export interface EndpointCommand<E extends Endpoint> {
  readonly about: string;
  /** The field that the word after the verb is for; by default the parameter of the path. */
  readonly field?: string;
  /** What this word is, for the help; by default the name of its field. */
  readonly target?: string;
  /** Resolves the word of the command line to an id. */
  readonly resolve?: (context: CommandContext, word: string) => Promise<string>;
  /** Fields that the command is about. */
  readonly fixed?: Fields;
  /** Values of fields that may be left out. */
  readonly defaults?: Fields;
  /** Fields that the contract leaves optional, because the endpoint has other uses. `reason` is left out unless needed. */
  readonly needs?: readonly string[];
  /** Reads the fields that the options do not give, so that these are optional. */
  readonly fill?: (call: OperatorApi['call'], word: string) => Promise<Fields>;
  /** The part of the reply that is printed; by default the results of a list, and otherwise all. */
  readonly show?: (reply: v.InferOutput<E['reply']>) => unknown;
  readonly hasFailed?: (reply: v.InferOutput<E['reply']>) => boolean;
}

type Schema = v.GenericSchema & {
  readonly wrapped?: Schema;
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly options?: readonly string[];
  readonly pipe?: readonly Schema[];
};

/** A field of the query, body or form, which a word or an option of the command gives. */
interface Input {
  readonly name: string;
  readonly option: string;
  /** What it takes, for the help. */
  readonly value: string;
  readonly isOptional: boolean;
  /** The value as it is sent. Throws `UsageError` for one that the contract refuses. */
  readonly read: Read;
}
type Read = (text: string, context: CommandContext) => unknown;

/** Fields that people write in another way than the API. */
const WRITTEN: Readonly<Record<string, { readonly value: string; readonly read: Read }>> = {
  artist: { value: 'NAME', read: (name, context) => getArtistId(context, name) },
  day: { value: 'YYYY-MM-DD', read: toDayNumber },
  body: { value: 'FILE', read: (path) => readText(path, PAGE_BODY_BYTES_MAX) },
};
/** Versions are filled in: a command acts on what is there now. */
const VERSIONS = new Set(['version', 'updated_at']);

/** The command of an endpoint. Its options are the fields of the query, body or form. */
export function toCommand<E extends Endpoint>(endpoint: E, given: EndpointCommand<E>): Command {
  const { about, resolve, fixed, defaults, fill, show = toPrintable, hasFailed } = given;
  const isRead = endpoint.method === 'GET';
  const field = given.field ?? endpoint.params[0];
  const all = listInputs(endpoint, given);
  const word = all.find(({ name }) => name === given.field);
  const inputs = all.filter((input) => input !== word);
  const target =
    given.target ?? (word?.value.includes('|') === true ? word.value : field && field.toUpperCase());
  const toOptions = (isOptional: boolean) =>
    Object.fromEntries(
      inputs.filter((input) => input.isOptional === isOptional).map(({ option, value }) => [option, value]),
    );
  const takes = toOptions(true);
  return {
    about,
    ...(target !== undefined && { target }),
    takes,
    needs: toOptions(false),
    takesJson: isRead,
    reads: isRead,
    async run(call) {
      const { context, target: text, options, isJson, requireStaff, print } = call;
      const changes = fill === undefined ? [] : Object.keys(takes);
      if (changes.length > 0 && changes.every((option) => options[option] === undefined))
        throw new UsageError(`nothing to change; use ${changes.map((option) => `--${option}`).join(', ')}`);
      const fields: Record<string, unknown> = {};
      if (word !== undefined) fields[word.name] = await word.read(text, context);
      for (const { name, option, read } of inputs) {
        const value = options[option];
        if (value !== undefined) fields[name] = await read(value, context);
      }
      const staff = isRead ? undefined : await requireStaff();
      const id = (await resolve?.(context, text)) ?? text;
      const api = openApi(context, staff);
      try {
        const filled = await fill?.(api.call, text);
        const sent = { ...defaults, ...filled, ...fixed, ...fields };
        const reply: v.InferOutput<E['reply']> = await api.call(endpoint, id, sent);
        printReply(call, show(reply));
        if (!isJson) printMore(reply as Partial<Page>, print);
        return hasFailed?.(reply) === true ? 1 : 0;
      } finally {
        await api.close();
      }
    },
  };
}

function listInputs<E extends Endpoint>(
  { query, body, form }: E,
  { field, fixed = {}, defaults = {}, needs = [], fill }: EndpointCommand<E>,
): Input[] {
  const { entries = {} } = (query ?? body ?? {}) as Partial<Schema>;
  const isLeftOut = (name: string) =>
    name in fixed || VERSIONS.has(name) || (name === 'reason' && !needs.includes(name));
  const fields = Object.entries(entries).filter(([name]) => !isLeftOut(name));
  return [
    ...fields.map(([name, schema]) => {
      const option = name.replaceAll('_', '-');
      const { value, read } = WRITTEN[name] ?? {
        value: toValue(schema),
        read: (text) => toInput(text, schema),
      };
      const label = name === field ? field.toUpperCase() : `--${option}`;
      const isOptional =
        !needs.includes(name) && (fill !== undefined || name in defaults || schema.type === 'optional');
      const readChecked: Read = async (text, context) => {
        const found = await read(text, context);
        check(label, schema, query === undefined ? found : [String(found)]);
        return found;
      };
      return { name, option, value, isOptional, read: readChecked };
    }),
    ...(form?.files ?? []).map((name) => {
      const read: Read = (path) => readInput(path, form?.fileBytesMax ?? 0);
      return { name, option: name, value: 'FILE', isOptional: false, read };
    }),
  ];
}

function check(label: string, schema: Schema, value: unknown): void {
  try {
    parseInput(v.object({ value: schema }), { value });
  } catch (error) {
    throw error instanceof Problem ? new UsageError(`${label}: ${error.message}`) : error;
  }
}

interface Page {
  readonly results: unknown;
  readonly next: string | null;
  readonly has_more: boolean;
}

function toPrintable(reply: unknown): unknown {
  return (reply as Partial<Page>).results ?? reply;
}

function printMore({ next, has_more }: Partial<Page>, print: (line: string) => void): void {
  if (next) print(`There are more: --cursor ${next}`);
  if (has_more === true) print('There are more: --page NUMBER');
}

/** What a field takes: some values alone, or the kind of value. */
function toValue(schema: Schema): string {
  const { type, options, pipe = [] } = schema.wrapped ?? schema;
  const choices = options ?? pipe.find((part) => part.options !== undefined)?.options;
  if (choices !== undefined) return choices.join('|');
  if (type === 'boolean') return 'on|off';
  return type === 'number' || pipe.some((part) => part.type === 'integer') ? 'NUMBER' : 'TEXT';
}

/** A text of the command line as the value of a field. The contract refuses an invalid one. */
function toInput(text: string, schema: Schema): unknown {
  const { type } = schema.wrapped ?? schema;
  if (type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (type === 'boolean') return text === 'on' ? true : text === 'off' ? false : text;
  return type === 'array' ? text.split(',') : text;
}
