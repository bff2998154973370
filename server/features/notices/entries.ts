import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import * as v from 'valibot';
import { NOTICE_SECONDS_MAX, NOTICE_SECONDS_MIN } from '../../../contract/ads.ts';
import type { Notice } from '../../../contract/ads.ts';
import { NOTICE_TEXT_LENGTH_MAX, NOTICE_TIME, toNoticeTimeMs } from '../../../contract/operator-notices.ts';

/** The operator's list of notices, in the folder of the files. */
export const LIST_NAME = 'notices.json';

export interface FileKind {
  readonly kind: Notice['kind'] | 'captions';
  readonly type: string;
  /** The first bytes of such a file, as Latin-1. */
  readonly begins: RegExp;
}

const KINDS: Readonly<Record<string, FileKind>> = {
  '.avif': { kind: 'picture', type: 'image/avif', begins: /^.{4}ftypavi/s },
  '.gif': { kind: 'picture', type: 'image/gif', begins: /^GIF8/ },
  '.jpeg': { kind: 'picture', type: 'image/jpeg', begins: /^\xff\xd8\xff/ },
  '.jpg': { kind: 'picture', type: 'image/jpeg', begins: /^\xff\xd8\xff/ },
  '.png': { kind: 'picture', type: 'image/png', begins: /^\x89PNG/ },
  '.webp': { kind: 'picture', type: 'image/webp', begins: /^RIFF.{4}WEBP/s },
  '.mp4': { kind: 'video', type: 'video/mp4', begins: /^.{4}ftyp/s },
  '.webm': { kind: 'video', type: 'video/webm', begins: /^\x1aE\xdf\xa3/ },
  '.vtt': { kind: 'captions', type: 'text/vtt; charset=utf-8', begins: /^(?:\xef\xbb\xbf)?WEBVTT/ },
};

/** The bytes of a file by which `findKind` recognises it. */
export const BEGINNING_BYTES = 16;

/** The ending of a file name, in lower case. */
export function toEnding(name: string): string {
  return extname(name).toLowerCase();
}

/** The type of a file by the ending of its name, if it is one of these kinds. */
export function findKind(name: string, kinds: readonly FileKind['kind'][]): FileKind | undefined {
  const known = KINDS[toEnding(name)];
  return known && kinds.includes(known.kind) ? known : undefined;
}

export function listEndings(kinds: readonly FileKind['kind'][]): string[] {
  return Object.keys(KINDS).filter((ending) => findKind(ending.replace('.', 'a.'), kinds));
}

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
      v.trim(),
      v.nonEmpty('must say what is to be seen'),
      v.maxLength(NOTICE_TEXT_LENGTH_MAX, `must have at most ${NOTICE_TEXT_LENGTH_MAX} characters`),
    ),
    captions: v.optional(FileNameSchema),
    link: v.optional(
      v.pipe(
        v.string('must be an https:// address'),
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

export interface EntryList {
  readonly entries: readonly unknown[];
  /** Changes with every change of the file. */
  readonly version: string;
}

/** Reads the list; [] when there is none, as on most sites. Throws a description of what is wrong with it. */
export async function readEntries(folder: string): Promise<EntryList> {
  const text = await readFile(join(folder, LIST_NAME), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '[]';
    throw new Error(`cannot be read (${error.code})`);
  });
  let entries: unknown;
  try {
    entries = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new Error(`is not valid JSON: ${(error as Error).message}`, { cause: error });
  }
  if (!Array.isArray(entries)) throw new Error('must be a JSON array');
  return { entries, version: toVersion(text) };
}

/** The version of a list with this text. */
export function toVersion(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
