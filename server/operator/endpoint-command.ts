import * as v from 'valibot';
import type { Endpoint } from '../../contract/endpoint.ts';
import { PAGE_BODY_BYTES_MAX } from '../../contract/operator-pages.ts';
import { parseInput, Problem } from '../platform/http/http.ts';
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
  /** The id that the word stands for. */
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

/** Fields that people write in another way than the API. */
const INPUTS: Readonly<
  Record<string, { value: string; read(text: string, context: CommandContext): Promise<unknown> | unknown }>
> = {
  artist: { value: 'NAME', read: (name, context) => getArtistId(context, name) },
  day: { value: 'YYYY-MM-DD', read: toDayNumber },
  body: { value: 'FILE', read: (path) => readText(path, PAGE_BODY_BYTES_MAX) },
};
/** Versions are filled in: a command acts on what is there now. */
const VERSIONS = new Set(['version', 'updated_at']);

/** The command of an endpoint. Its options are the fields of the query, body or form. */
export function toCommand<E extends Endpoint>(endpoint: E, given: EndpointCommand<E>): Command {
  const { about, fixed = {}, defaults = {}, needs = [], fill } = given;
  const isRead = endpoint.method === 'GET';
  const field = given.field ?? endpoint.params[0];
  const { entries = {} } = (endpoint.query ?? endpoint.body ?? {}) as Partial<Schema>;
  const target = given.target ?? (field && (listChoices(entries[field]) ?? field.toUpperCase()));
  const fields = Object.keys(entries).filter(
    (name) =>
      name !== field &&
      !(name in fixed) &&
      !VERSIONS.has(name) &&
      (name !== 'reason' || needs.includes(name)),
  );
  const isOptional = (name: string) =>
    !needs.includes(name) && (fill !== undefined || name in defaults || entries[name]?.type === 'optional');
  const toOptions = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [toOption(name), INPUTS[name]?.value ?? toValue(entries[name])]));
  const takes = toOptions(fields.filter(isOptional));
  const files = endpoint.form?.files ?? [];

  async function readFields(
    context: CommandContext,
    word: string,
    options: Readonly<Partial<Record<string, string>>>,
  ): Promise<Fields> {
    const read: Record<string, unknown> = {};
    if (field !== undefined && field in entries)
      read[field] = check(target ?? '', entries[field], toInput(word, entries[field]));
    for (const name of fields) {
      const text = options[toOption(name)];
      if (text === undefined) continue;
      const schema = entries[name];
      const value = INPUTS[name] ? await INPUTS[name].read(text, context) : toInput(text, schema);
      read[name] = check(`--${toOption(name)}`, schema, value);
    }
    for (const name of files)
      read[name] = await readInput(options[name] ?? '', endpoint.form?.fileBytesMax ?? 0);
    return read;
  }

  /** The value as it is sent. Throws `UsageError` for one that the contract refuses. */
  function check(name: string, schema: Schema | undefined, value: unknown): unknown {
    if (schema === undefined) return value;
    try {
      parseInput(v.object({ value: schema }), { value: endpoint.query ? [String(value)] : value });
      return value;
    } catch (error) {
      throw error instanceof Problem ? new UsageError(`${name}: ${error.message}`) : error;
    }
  }

  return {
    about,
    ...(target !== undefined && { target }),
    takes,
    needs: {
      ...toOptions(fields.filter((name) => !isOptional(name))),
      ...Object.fromEntries(files.map((name) => [name, 'FILE'])),
    },
    takesJson: isRead,
    reads: isRead,
    async run(call) {
      const { context, target: word, options, isJson, requireStaff, print } = call;
      const changes = fill === undefined ? [] : Object.keys(takes);
      if (changes.length > 0 && changes.every((name) => options[name] === undefined)) {
        throw new UsageError(`nothing to change; use ${changes.map((name) => `--${name}`).join(', ')}`);
      }
      const read = await readFields(context, word, options);
      const staff = isRead ? undefined : await requireStaff();
      const id = (await given.resolve?.(context, word)) ?? word;
      const api = openApi(context, staff);
      try {
        const filled = await fill?.(api.call, word);
        const reply: v.InferOutput<E['reply']> = await api.call(endpoint, id, {
          ...defaults,
          ...filled,
          ...fixed,
          ...read,
        });
        const shown = (given.show ?? toShown)(reply);
        printReply(call, shown);
        if (!isJson) printMore(reply as Partial<Page>, print);
        return given.hasFailed?.(reply) === true ? 1 : 0;
      } finally {
        await api.close();
      }
    },
  };
}

interface Page {
  readonly results: unknown;
  readonly next: string | null;
  readonly has_more: boolean;
}

function toShown(reply: unknown): unknown {
  return (reply as Partial<Page>).results ?? reply;
}

function printMore({ next, has_more }: Partial<Page>, print: (line: string) => void): void {
  if (next) print(`There are more: --cursor ${next}`);
  if (has_more === true) print('There are more: --page NUMBER');
}

const toOption = (name: string) => name.replaceAll('_', '-');

const unwrap = (schema: Schema | undefined): Schema | undefined => schema?.wrapped ?? schema;

/** The values of a field, if it has some alone. */
function listChoices(schema: Schema | undefined): string | undefined {
  const { options, pipe = [] } = unwrap(schema) ?? {};
  return (options ?? pipe.find((part) => part.options !== undefined)?.options)?.join('|');
}

/** What an option takes, for the help. */
function toValue(schema: Schema | undefined): string {
  const { type, pipe = [] } = unwrap(schema) ?? {};
  if (type === 'boolean') return 'on|off';
  const isNumber = type === 'number' || pipe.some((part) => part.type === 'integer');
  return listChoices(schema) ?? (isNumber ? 'NUMBER' : 'TEXT');
}

/** A text of the command line as the value of a field. The contract refuses what it is not. */
function toInput(text: string, schema: Schema | undefined): unknown {
  const type = unwrap(schema)?.type;
  if (type === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (type === 'boolean') return text === 'on' ? true : text === 'off' ? false : text;
  return type === 'array' ? text.split(',') : text;
}
