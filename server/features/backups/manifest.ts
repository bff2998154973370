import * as v from 'valibot';

/** Grows when a program of today could not read the format any more. In 1, a folder has its database uncompressed. */
export const FORMAT = 2;

export const MANIFEST_ENTRY = 'manifest.json';
/** What was found while the files were copied; the last entry but one. */
export const SUMMARY_ENTRY = 'summary.json';
/** The hash of every other entry, as `sha256sum` writes it; the last entry, so that a backup with it is complete. */
export const SUMS_ENTRY = 'SHA256SUMS';
export const DATABASE_FOLDER = 'database/';
/** Followed by a path below the data folder. */
export const DATA_FOLDER = 'data/';

const ManifestSchema = v.object({
  format: v.picklist(
    [1, FORMAT],
    `the backup has another format than ${FORMAT}; use the program that made it`,
  ),
  /** Random. */
  id: v.pipe(v.string(), v.regex(/^[0-9a-f-]{36}$/)),
  siteName: v.string(),
  /** The version of the program. */
  version: v.string(),
  dialect: v.picklist(['sqlite', 'postgres']),
  /** The applied migrations, oldest first. */
  migrations: v.array(v.string()),
  /** The rows of each table. */
  counts: v.record(v.string(), v.number()),
  /** When the snapshot of the database was taken, epoch ms. */
  takenAtMs: v.number(),
  withKeys: v.boolean(),
});
export type Manifest = v.InferOutput<typeof ManifestSchema>;

const SummarySchema = v.object({
  files: v.number(),
  bytes: v.number(),
  /** Files that the database refers to, and that were not there. */
  missing: v.array(v.string()),
  /** Files whose rows were deleted while the backup was being made. */
  deletedMeanwhile: v.array(v.string()),
});
export type Summary = v.InferOutput<typeof SummarySchema>;

/** Throws an error with a readable message for anything else. */
export function parseManifest(text: string): Manifest {
  return parse(ManifestSchema, text, 'the manifest cannot be read');
}

export function parseSummary(text: string): Summary {
  return parse(SummarySchema, text, 'the summary cannot be read');
}

function parse<Schema extends v.GenericSchema>(schema: Schema, text: string, problem: string) {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(problem);
  }
  const parsed = v.safeParse(schema, value);
  if (!parsed.success) throw new Error(`${problem}: ${v.summarize(parsed.issues).split('\n', 1)[0]}`);
  return parsed.output;
}

/** `name → hash` of `SHA256SUMS`. Throws for anything else. */
export function parseSums(text: string): Map<string, string> {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [, hash = '', name = ''] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
      if (name === '') throw new Error(`${SUMS_ENTRY} has an unreadable line`);
      return [name, hash];
    }),
  );
}

export function toSumsLine(name: string, hash: string): string {
  return `${hash}  ${name}\n`;
}

/** Whether an entry's name stays below the folder that it is written to. */
export function isSafeName(name: string): boolean {
  return (
    name.length <= 1_000 &&
    name.split('/').every((part) => /^[^\\\p{Cc}]{1,200}$/u.test(part) && part !== '.' && part !== '..')
  );
}
