import { createHash } from 'node:crypto';
import type { Notice } from '../../../contract/downloads/ads.ts';
import { INTENT_MS_MAX } from '../../../contract/downloads/downloads.ts';
import { toMinuteMs } from '../../../contract/operator/minutes.ts';
import { toNoticeKey } from '../../media/object-keys.ts';
import type { NoticesTable, Db } from './tables.ts';
import { CAPTIONS_ENDING, toMediaType } from './files.ts';

export type NoticeRow = NoticesTable;

/** The listed notices in their order. */
export function selectListed(db: Db): Promise<NoticeRow[]> {
  return db
    .selectFrom('notices')
    .selectAll()
    .where('state', '=', 'listed')
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** The listed notices in their order, and those that a visitor may still be watching. */
export function selectServed(db: Db, nowMs: number): Promise<NoticeRow[]> {
  return db
    .selectFrom('notices')
    .selectAll()
    .where((where) =>
      where.or([
        where('state', '=', 'listed'),
        where.and([where('state', '=', 'removed'), where('state_since', '>', nowMs - INTENT_MS_MAX)]),
      ]),
    )
    .orderBy('position')
    .orderBy('id')
    .execute();
}

/** Changes with every change of the list. */
export function toVersion(rows: readonly NoticeRow[]): string {
  return toHash(rows);
}

/** Changes with what is said about a notice. */
export function toNoticeVersion({ text, link, seconds, shown_from, shown_until }: NoticeRow): string {
  return toHash([text, link, seconds, shown_from, shown_until]);
}

function toHash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 24);
}

/** A notice as visitors get it. */
export function toNotice(row: NoticeRow): Notice {
  const { id, kind, text, link, seconds, captions_hash } = row;
  return {
    id,
    kind,
    url: toAddress(row.file_hash, row.file_ending),
    text,
    captions: captions_hash === null ? null : toAddress(captions_hash, CAPTIONS_ENDING),
    link,
    seconds,
  };
}

/** Derived from the content: a name that an operator gave could match the list of an ad blocker. */
function toAddress(hash: string, ending: string): string {
  return `/notice/${hash.slice(0, 24)}${ending}`;
}

/** When a notice is shown, in epoch ms; from the first until before the second. */
export function toPeriod({
  shown_from,
  shown_until,
}: Pick<NoticeRow, 'shown_from' | 'shown_until'>): readonly [number, number] {
  return [
    shown_from === '' ? -Infinity : toMinuteMs(shown_from),
    shown_until === '' ? Infinity : toMinuteMs(shown_until),
  ];
}

/** A stored file of a notice. */
interface StoredFile {
  readonly key: string;
  readonly path: string;
  readonly type: string;
  readonly size: number;
  readonly hash: string;
}

/** The stored files of a notice. */
export function listFiles({
  id,
  file_hash,
  file_ending,
  file_size,
  captions_hash,
  captions_size,
}: NoticeRow): StoredFile[] {
  const toFile = (hash: string, ending: string, size: number) => ({
    key: toNoticeKey(id, hash),
    path: toAddress(hash, ending),
    type: toMediaType(ending),
    size,
    hash,
  });
  const file = toFile(file_hash, file_ending, file_size);
  return captions_hash === null || captions_size === null
    ? [file]
    : [file, toFile(captions_hash, CAPTIONS_ENDING, captions_size)];
}
