import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { Kysely, Transaction } from 'kysely';
import { INTENT_MS_MAX } from '../../../contract/downloads.ts';
import { NOTICES_BYTES_MAX, NOTICES_MAX } from '../../../contract/operator-notices.ts';
import type { NoticeFields } from '../../../contract/operator-notices.ts';
import { toNoticeKey } from '../../media/object-keys.ts';
import type { Schema } from '../../platform/database/database.ts';
import { Problem } from '../../platform/http/http.ts';
import type { Platform } from '../../platform/http/http.ts';
import { INCOMING_MS_MAX } from '../../platform/storage/storage.ts';
import type { NoticeFile } from './files.ts';
import { listFiles } from './rows.ts';
import type { NoticeRow } from './rows.ts';

export type NoticeDeps = Pick<Platform, 'database' | 'storage' | 'clock'>;

/** Identifies our lock among all advisory locks of a PostgreSQL database; the number is arbitrary. */
export const NOTICES_LOCK = 5_601_790;
/** Including those that were removed in the last hours. */
const ROWS_MAX = 5 * NOTICES_MAX;
const GIB = 1024 ** 3;

/** What becomes a notice: checked files on the local disk, and what is said about them. */
export interface NewNotice {
  readonly fields: NoticeFields;
  readonly file: NoticeFile;
  readonly captions: NoticeFile | undefined;
}

/** The columns of what the staff says about a notice. */
export function toColumns({ text, link, seconds, from, until }: NoticeFields) {
  return { text, link: link === '' ? null : link, seconds, shown_from: from, shown_until: until };
}

/**
 * Stores the files of notices and lets `list` put their rows into the list, with `listNotices`. The rows are there
 * first, so that a crash leaves no file that no row knows. Throws `Problem` 400 if there are too many.
 */
export async function storeNotices<Result>(
  deps: NoticeDeps,
  notices: readonly NewNotice[],
  check: (transaction: Transaction<Schema>) => Promise<void>,
  list: (ids: readonly string[]) => Promise<Result>,
): Promise<Result> {
  const { database, storage, clock } = deps;
  const rows = notices.map((notice) => toRow(notice, clock.now()));
  if (rows.length > 0) {
    await database.db.transaction().execute(async (transaction) => {
      await check(transaction);
      await database.takeLock(transaction, NOTICES_LOCK);
      await requireRoom(transaction, rows);
      await transaction.insertInto('notices').values(rows).execute();
    });
  }
  const ids = rows.map(({ id }) => id);
  try {
    for (const [index, { file, captions }] of notices.entries()) {
      for (const each of captions === undefined ? [file] : [file, captions])
        await storage.put(toNoticeKey(ids[index] ?? '', each.hash), Readable.from(readUnchanged(each)));
    }
    return await list(ids);
  } catch (error) {
    await giveUp(deps, ids).catch(() => undefined); // if this fails, they are deleted later
    throw error;
  }
}

/** The content of a file. Throws at its end if it is no longer the one that was checked. */
async function* readUnchanged({ content, hash }: NoticeFile): AsyncIterable<Buffer> {
  if (typeof content !== 'string') return yield content;
  const sum = createHash('sha256');
  for await (const piece of createReadStream(content)) {
    sum.update(piece as Buffer);
    yield piece as Buffer;
  }
  if (sum.digest('hex') !== hash) throw new Error(`${basename(content)} was changed while it was stored`);
}

function toRow({ fields, file, captions }: NewNotice, nowMs: number): NoticeRow {
  return {
    ...toColumns(fields),
    id: randomUUID(),
    state: 'incoming',
    state_since: nowMs,
    position: 0,
    kind: file.kind === 'video' ? 'video' : 'picture',
    file_hash: file.hash,
    file_ending: file.ending,
    file_size: file.size,
    captions_hash: captions?.hash ?? null,
    captions_size: captions?.size ?? null,
  };
}

async function requireRoom(db: Transaction<Schema>, added: readonly NoticeRow[]): Promise<void> {
  const lacking = findLack(await selectSizes(db), added);
  if (lacking === 'places')
    throw new Problem(400, `お知らせは${NOTICES_MAX}件までです。使わないものを削除してください。`);
  if (lacking === 'bytes') {
    throw new Problem(
      400,
      `お知らせのファイルは合計${NOTICES_BYTES_MAX / GIB}GBまでです。使わないものを削除してください。削除したファイルは、2時間以内に数えられなくなります。`,
    );
  }
}

/** The first of these notices, as many as there is room for. */
export async function takeFitting({ database, clock }: NoticeDeps, notices: readonly NewNotice[]) {
  const present = await selectSizes(database.db);
  const rows = notices.slice(0, NOTICES_MAX).map((notice) => toRow(notice, clock.now()));
  while (findLack(present, rows) !== undefined) rows.pop();
  return notices.slice(0, rows.length);
}

type Sizes = Pick<NoticeRow, 'state' | 'file_size' | 'captions_size'>;

function selectSizes(db: Kysely<Schema>): Promise<Sizes[]> {
  return db.selectFrom('notices').select(['state', 'file_size', 'captions_size']).limit(ROWS_MAX).execute();
}

/** What these notices would exceed; undefined if they fit. */
function findLack(present: readonly Sizes[], added: readonly Sizes[]): 'places' | 'bytes' | undefined {
  if (added.length === 0) return undefined;
  const all = [...present, ...added];
  if (all.filter(({ state }) => state !== 'removed').length > NOTICES_MAX) return 'places';
  const bytes = all.reduce((sum, { file_size, captions_size }) => sum + file_size + (captions_size ?? 0), 0);
  return all.length > ROWS_MAX || bytes > NOTICES_BYTES_MAX ? 'bytes' : undefined;
}

/** Puts stored notices at the end of the list. Throws for one that took too long and was given up. */
export async function listNotices(
  db: Transaction<Schema>,
  ids: readonly string[],
  lastPosition: number,
  nowMs: number,
): Promise<void> {
  for (const [index, id] of ids.entries()) {
    const { numUpdatedRows } = await db
      .updateTable('notices')
      .set({ state: 'listed', state_since: nowMs, position: lastPosition + 1 + index })
      .where('id', '=', id)
      .where('state', '=', 'incoming')
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw new Error('the notice took too long to store');
  }
}

/** Deletes notices whose files are stored, or not stored, for nothing. */
async function giveUp(deps: NoticeDeps, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await deps.database.db
    .updateTable('notices')
    .set({ state: 'removed', state_since: 0 })
    .where('id', 'in', ids)
    .where('state', '=', 'incoming')
    .execute();
  await deleteRemovedNotices(deps);
}

/**
 * Deletes the files and rows of notices that nobody can be watching any more, and of those that a crash has left half
 * stored. Several processes may do so at once.
 */
export async function deleteRemovedNotices({ database: { db }, storage, clock }: NoticeDeps): Promise<void> {
  const nowMs = clock.now();
  // From now on it can no longer be listed, so that its files can be deleted.
  await db
    .updateTable('notices')
    .set({ state: 'removed' })
    .where('state', '=', 'incoming')
    .where('state_since', '<=', nowMs - INCOMING_MS_MAX)
    .execute();
  const rows = await db
    .selectFrom('notices')
    .selectAll()
    .where('state', '=', 'removed')
    .where('state_since', '<=', nowMs - INTENT_MS_MAX)
    .limit(ROWS_MAX)
    .execute();
  for (const row of rows) {
    for (const { key } of listFiles(row)) await storage.delete(key);
    await db.deleteFrom('notices').where('id', '=', row.id).where('state', '=', 'removed').execute();
  }
}
