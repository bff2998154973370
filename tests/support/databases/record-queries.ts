import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import type { DialectName } from '#server/platform/database/migrations/migration.ts';
import { normaliseQuery } from './recorded-queries.ts';

/** Set by `npm run record-queries`: the folder for the queries that the server issues in this run. */
const folder = process.env['RECORD_QUERIES'] ?? '';

/** The code under test, without the drivers, which run the queries of tests as well. */
const SERVER = /(?<!tests)\/server\/(?!platform\/database\/(?:postgres|sqlite)[\w-]*\.ts)/;

const recorded = new Set<string>();

function record(dialect: DialectName, text: unknown): void {
  if (typeof text !== 'string' || !/^\s*(?:select|insert|update|delete|with)\b/i.test(text)) return;
  const line = `${JSON.stringify([dialect, normaliseQuery(text)])}\n`;
  if (recorded.has(line)) return;
  const { stack = '' } = new Error(text);
  if (stack.includes('/tests/') && !SERVER.test(stack)) return;
  recorded.add(line);
  appendFileSync(join(folder, `${process.pid}.jsonl`), line);
}

// Files of a worker share their modules: the drivers are wrapped once.
Error.stackTraceLimit = 100;
const { prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function (this: DatabaseSync, text, ...more) {
  record('sqlite', text);
  return prepare.call(this, text, ...more);
};
const { query } = Client.prototype;
Client.prototype.query = function (this: Client, ...args: unknown[]) {
  const [first] = args;
  record('postgres', typeof first === 'string' ? first : (first as { text?: string }).text);
  return (query as (...all: unknown[]) => unknown).apply(this, args);
} as typeof query;
