import { toDate } from '../../contract/values/months.ts';
import { toColumns, toFacts, toTime } from './columns.ts';
import type { CommandCall } from './command.ts';

type Row = Readonly<Record<string, unknown>>;

/** Prints a reply of the API, or rows like it: as JSON, or for people. */
export function printReply(
  { context, isJson, print }: Pick<CommandCall, 'context' | 'isJson' | 'print'>,
  reply: unknown,
): void {
  print(isJson ? JSON.stringify(reply, null, 2) : toReplyText(reply, context.localUrl));
}

/** Its facts, then its lists. Columns are named after the fields. */
function toReplyText(reply: unknown, localUrl: string): string {
  if (typeof reply === 'string') return reply;
  if (Array.isArray(reply)) return toTable(reply, localUrl);
  const entries = Object.entries(reply as Row).flatMap(([name, value]) =>
    isRow(value)
      ? Object.entries(value).map(([part, each]) => [`${name} ${part}`, each] as const)
      : [[name, value] as const],
  );
  const facts = entries.filter(([, value]) => !isTable(value));
  const tables = entries.filter(([, value]) => isTable(value)) as [string, Row[]][];
  return [
    toFacts(Object.fromEntries(facts.map(([name, value]) => [toTitle(name), toCell(name, value, localUrl)]))),
    ...tables.map(([name, rows]) => `\n${toTitle(name)}:\n${toTable(rows, localUrl)}`),
  ].join('\n');
}

/** Fields of rows that are objects themselves are in the JSON only. */
function toTable(rows: readonly Row[], localUrl: string): string {
  const [first] = rows;
  if (first === undefined) return 'None.';
  const names = Object.keys(first).filter((name) => !rows.some((row) => isRow(row[name])));
  return toColumns(
    names.map((name) => toTitle(name).toUpperCase()),
    rows.map((row) => names.map((name) => toCell(name, row[name], localUrl))),
  );
}

function toCell(name: string, value: unknown, localUrl: string): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.map((each) => toCell('', each, localUrl)).join(', ');
  if (isRow(value))
    return Object.values(value)
      .map((each) => toCell('', each, localUrl))
      .join(' ');
  if (typeof value === 'number' && /(?:^|_)at$|At$/.test(name)) return toTime(value);
  if (typeof value === 'number' && name === 'day') return toDate(value);
  // Addresses of files work on this machine, while the server runs.
  return name === 'url' && String(value).startsWith('/') ? `${localUrl}${String(value)}` : String(value);
}

const toTitle = (name: string) =>
  name.replaceAll('_', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTable(value: unknown): value is Row[] {
  return Array.isArray(value) && value.some(isRow);
}
