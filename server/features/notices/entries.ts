import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { NOTICE_SECONDS_MAX, NOTICE_SECONDS_MIN } from '../../../contract/ads.ts';
import { NOTICE_TEXT_LENGTH_MAX, NOTICE_TIME, toNoticeTimeMs } from '../../../contract/operator-notices.ts';

import { cleanLine, countCharacters } from '../../../contract/texts.ts';
/** A list of notices to import, in the folder of its files. */
export const LIST_NAME = 'notices.json';

/** The name of a file directly in the folder. */
const FileNameSchema = v.pipe(
  v.string('must name a file'),
  v.regex(/^[^/\\.\0][^/\\\0]*$/, 'must be the name of a file in the same folder'),
);
const TIME = 'must be a minute in Japan, such as 2026-12-24T18:00';
const TimeSchema = v.pipe(
  v.string(TIME),
  v.regex(NOTICE_TIME, TIME),
  v.check((time) => !Number.isNaN(toNoticeTimeMs(time)), TIME),
);
const EntrySchema = v.pipe(
  v.strictObject({
    file: FileNameSchema,
    text: v.pipe(
      v.string('must say what is to be seen'),
      v.transform(cleanLine),
      v.nonEmpty('must say what is to be seen'),
      v.check(
        (text) => countCharacters(text) <= NOTICE_TEXT_LENGTH_MAX,
        `must have at most ${NOTICE_TEXT_LENGTH_MAX} characters`,
      ),
    ),
    captions: v.optional(FileNameSchema),
    link: v.optional(
      v.pipe(
        v.string('must be an https:// address'),
        v.transform(cleanLine),
        v.url('must be an https:// address'),
        v.startsWith('https://', 'must be an https:// address'),
      ),
    ),
    seconds: v.pipe(
      v.number(`must be a number from ${NOTICE_SECONDS_MIN} to ${NOTICE_SECONDS_MAX}`),
      v.minValue(NOTICE_SECONDS_MIN, `must be at least ${NOTICE_SECONDS_MIN}`),
      v.maxValue(NOTICE_SECONDS_MAX, `must be at most ${NOTICE_SECONDS_MAX}`),
    ),
    /** Shown from this minute on, and until this one. */
    from: v.optional(TimeSchema),
    until: v.optional(TimeSchema),
  }),
  v.forward(
    v.partialCheck(
      [['from'], ['until']],
      ({ from = '', until }) => !until || from < until,
      'must be after from',
    ),
    ['until'],
  ),
);
export type Entry = v.InferOutput<typeof EntrySchema>;

/** An entry of the list. Throws a description of what is wrong with it. */
export function parseEntry(value: unknown): Entry {
  const parsed = v.safeParse(EntrySchema, value);
  if (parsed.success) return parsed.output;
  const issue = parsed.issues[0];
  const key = v.getDotPath(issue);
  const unknown = issue.type === 'strict_object' && key !== null && issue.expected === 'never';
  throw new Error(unknown ? `${key} is not known` : `${key ?? 'it'} ${toWanted(issue)}`);
}

function toWanted(issue: v.BaseIssue<unknown>): string {
  if (issue.kind === 'schema' && issue.received === 'undefined') return 'is missing';
  return issue.message;
}

/**
 * Reads the list of a folder; undefined when there is none. Throws a description of what is wrong with it.
 */
export async function readEntries(folder: string): Promise<readonly unknown[] | undefined> {
  const text = await readFile(join(folder, LIST_NAME), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw new Error(`cannot be read (${error.code})`);
  });
  if (text === undefined) return undefined;
  let entries: unknown;
  try {
    entries = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Error(`is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
  if (!Array.isArray(entries)) throw new Error('must be a JSON array');
  return entries;
}
