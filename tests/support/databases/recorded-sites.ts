import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** A small site as a release has left it: docs/recipes.md says how it is recorded. */
export interface RecordedSite {
  /** Such as `1.3.0`. */
  readonly name: string;
  /** The data folder with SQLite, and the private key beside it, by path; in base64. */
  readonly files: Readonly<Record<string, string>>;
  /** The statements that make the same tables and rows in PostgreSQL. */
  readonly postgres: string;
}

const FOLDER = new URL('../../fixtures/sites/', import.meta.url);
/** So that many of them fit into the repository. */
const BYTES_MAX = 200 * 1024;

/** The password of each member of a recorded site. */
export const PASSWORD = 'correct horse battery';

export function readSites(): readonly RecordedSite[] {
  return readdirSync(FOLDER).map((file) => {
    const text = brotliDecompressSync(readFileSync(new URL(file, FOLDER))).toString();
    return JSON.parse(text) as RecordedSite;
  });
}

/** Writes the files of a site into a folder, and returns its data folder. */
export function unpackSite({ files }: RecordedSite, folder: string): string {
  for (const [path, content] of Object.entries(files)) {
    const place = join(folder, path);
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    writeFileSync(place, Buffer.from(content, 'base64'), { mode: 0o600 });
  }
  return join(folder, 'data');
}

/** Records the files of `folder`, which holds `data` and `data-keys`. Returns the size of the record. */
export function recordSite(name: string, folder: string, postgres: string): number {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const files = Object.fromEntries(
    paths.map((path) => [relative(folder, path), readFileSync(path).toString('base64')]),
  );
  const bytes = brotliCompressSync(JSON.stringify({ name, files, postgres } satisfies RecordedSite), {
    params: { [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
  if (bytes.byteLength > BYTES_MAX) throw new Error(`${bytes.byteLength} bytes are too many`);
  writeFileSync(new URL(`${name}.json.br`, FOLDER), bytes);
  return bytes.byteLength;
}
