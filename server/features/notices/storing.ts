import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { INTENT_MS_MAX } from '../../../contract/downloads/downloads.ts';
import { NOTICES_BYTES_MAX, NOTICES_MAX } from '../../../contract/operator/notices.ts';
import type { NoticeFields } from '../../../contract/operator/notices.ts';
import { toNoticeKey } from '../../media/object-keys.ts';
import { changesRows } from '../../platform/database/statements/outcomes.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/http/context.ts';
import { INCOMING_MS_MAX } from '../../platform/storage/port.ts';
import type { NoticeFile } from './files.ts';
import { listFiles } from './rows.ts';
import type { NoticeRow } from './rows.ts';
import type { Handle } from '../../platform/database/handle.ts';
import type { Db } from './tables.ts';
import { own } from './tables.ts';

export type NoticeDeps = Pick<Platform, 'database' | 'storage' | 'clock'>;

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
 * Stores the files of a notice and lets `list` put its row into the list, with `listNotice`. The row is there first, so
 * that a crash leaves no file that no row knows. Throws `Problem` 400 if there are too many.
 */
export async function storeNotice<Result>(
  deps: NoticeDeps,
  notice: NewNotice,
  check: (transaction: Handle) => Promise<void>,
  list: (id: string) => Promise<Result>,
): Promise<Result> {
  const { database, storage, clock } = deps;
  const row = toRow(notice, clock.now());
  await database.db.transaction().execute(async (transaction: Handle) => {
    await check(transaction);
    await database.takeLock(transaction, 'notices');
    await requireRoom(transaction, row);
    await own(transaction).insertInto('notices').values(row).execute();
  });
  try {
    const { file, captions } = notice;
    for (const each of captions === undefined ? [file] : [file, captions])
      await storage.put(toNoticeKey(row.id, each.hash), Readable.from(readUnchanged(each)));
    return await list(row.id);
  } catch (error) {
    await giveUp(deps, row.id).catch(() => undefined); // if this fails, it is deleted later
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

async function requireRoom(db: Db, added: NoticeRow): Promise<void> {
  const present = await db
    .selectFrom('notices')
    .select(['state', 'file_size', 'captions_size'])
    .limit(ROWS_MAX)
    .execute();
  const all = [...present, added];
  if (all.filter(({ state }) => state !== 'removed').length > NOTICES_MAX)
    throw new Problem(400, `広告は${NOTICES_MAX}件までです。使わないものを削除してください。`);
  const bytes = all.reduce((sum, { file_size, captions_size }) => sum + file_size + (captions_size ?? 0), 0);
  if (all.length > ROWS_MAX || bytes > NOTICES_BYTES_MAX) {
    throw new Problem(
      400,
      `広告のファイルは合計${NOTICES_BYTES_MAX / GIB}GBまでです。使わないものを削除してください。削除したファイルは、2時間以内に数えられなくなります。`,
    );
  }
}

/** Puts a stored notice into the list. Throws for one that took too long and was given up. */
export async function listNotice(db: Db, id: string, position: number, nowMs: number): Promise<void> {
  const incoming = db
    .updateTable('notices')
    .set({ state: 'listed', state_since: nowMs, position })
    .where('id', '=', id)
    .where('state', '=', 'incoming');
  if (!(await changesRows(incoming))) throw new Error('the notice took too long to store');
}

/** Deletes a notice whose files are stored, or not stored, for nothing. */
async function giveUp(deps: NoticeDeps, id: string): Promise<void> {
  await own(deps.database.db)
    .updateTable('notices')
    .set({ state: 'removed', state_since: 0 })
    .where('id', '=', id)
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
  await own(db)
    .updateTable('notices')
    .set({ state: 'removed' })
    .where('state', '=', 'incoming')
    .where('state_since', '<=', nowMs - INCOMING_MS_MAX)
    .execute();
  const rows = await own(db)
    .selectFrom('notices')
    .selectAll()
    .where('state', '=', 'removed')
    .where('state_since', '<=', nowMs - INTENT_MS_MAX)
    .limit(ROWS_MAX)
    .execute();
  for (const row of rows) {
    for (const { key } of listFiles(row)) await storage.delete(key);
    await own(db).deleteFrom('notices').where('id', '=', row.id).where('state', '=', 'removed').execute();
  }
}
