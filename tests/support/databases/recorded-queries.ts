import { readFileSync, readdirSync } from 'node:fs';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import type { DialectName } from '#server/platform/database/migrations/migration.ts';

/** What a release did with its database. */
export interface RecordedRelease {
  readonly version: string;
  /** The names of its migrations. */
  readonly migrations: readonly string[];
  /** The distinct queries that its server issued in the API tests. */
  readonly queries: Readonly<Record<DialectName, readonly string[]>>;
}

const FOLDER = new URL('../../fixtures/releases/', import.meta.url);

/** The recorded releases; a rolling upgrade from each of them must work. */
export function readReleases(): readonly RecordedRelease[] {
  return readdirSync(FOLDER).map((name) => {
    const text = brotliDecompressSync(readFileSync(new URL(name, FOLDER))).toString();
    return JSON.parse(text) as RecordedRelease;
  });
}

export function toReleaseFile(version: string): URL {
  return new URL(`${version}.json.br`, FOLDER);
}

export function compressRelease(release: RecordedRelease): Buffer {
  return brotliCompressSync(JSON.stringify(release, null, 1), {
    params: { [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
}

const VALUE = String.raw`(?:\?|\$\d+)`;
const IN_LIST = new RegExp(String.raw`\bin \(${VALUE}(?:, ${VALUE})+\)`, 'gi');
const ROW = String.raw`\(${VALUE}(?:, ${VALUE})*\)`;
const ROWS = new RegExp(String.raw`(${ROW})(?:, ${ROW})+`, 'g');

/** The same text for queries that differ in white space, or in the number of listed values or rows. */
export function normaliseQuery(text: string): string {
  const short = text
    .trim()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(IN_LIST, (list) => `${list.slice(0, list.search(/[,]/))})`)
    .replaceAll(ROWS, '$1');
  const numbers = new Map<string, number>();
  return short.replaceAll(/\$\d+/g, (name) => {
    const number = numbers.get(name) ?? numbers.size + 1;
    numbers.set(name, number);
    return `$${number}`;
  });
}
