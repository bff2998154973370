import type { NoticeFields } from '../../../contract/operator/notices.ts';
import { invalidateCache } from '../../platform/database/statements/cached.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { FormFile } from '../../platform/http/form.ts';
import { Busy } from '../../platform/limits/busy.ts';
import { findLastActor, recordAction, requireStaff } from '../staff/actions.ts';
import { findKind, listEndings, readNoticeFile } from './files.ts';
import type { FileKind, NoticeFile } from './files.ts';
import { selectListed, toNoticeVersion, toVersion } from './rows.ts';
import type { NoticeRow } from './rows.ts';
import { listNotice, storeNotice, toColumns } from './storing.ts';
import type { NoticeDeps } from './storing.ts';
import type { Handle } from '../../platform/database/handle.ts';
import { own } from './tables.ts';

const ACTION = 'change notices';
const SUBJECT = 'notices';
/** What else may be wrong with a file. */
const LIMITS: Readonly<Record<string, string>> = {
  file: 'または、壊れているか、大きすぎます（画像はJPEGとPNGなら2,500万画素、ほかの形式は400万画素、動画は縦横4,096画素、10分まで）。別のファイルを選んでください。',
  captions: 'または、WebVTTとして読み取れません。別のファイルを選んでください。',
};
/** The key of the list in `cached`. */
export const CACHE_KEY = 'notices';

type GivenFile = Pick<FormFile, 'filename' | 'path'>;

/** Adds a notice at the end. Throws `Problem` 400 that names the field, 403, 507. */
export async function addNotice(
  deps: NoticeDeps,
  staffId: string,
  fields: NoticeFields,
  files: { readonly file: GivenFile; readonly captions?: GivenFile | undefined },
): Promise<string> {
  const file = await checkFile('file', files.file, ['picture', 'video'], staffId);
  if (files.captions !== undefined && file.kind !== 'video')
    throw new Problem(400, { captions: '字幕は動画にだけ付けられます。' });
  const captions = files.captions && (await checkFile('captions', files.captions, ['captions'], staffId));
  requirePeriod(fields);
  return storeNotice(
    deps,
    { fields, file, captions },
    (transaction) => requireStaff(transaction, staffId),
    (id) =>
      changeList(deps, staffId, { note: `add ${fields.text}` }, (transaction, rows) =>
        listNotice(transaction, id, (rows.at(-1)?.position ?? 0) + 1, deps.clock.now()),
      ),
  );
}

/** Where a notice was seen. */
export interface NoticePlace {
  readonly version: string;
  readonly index: number;
}

/**
 * Changes what is said about a notice that is still at `version`; the others may have changed. Throws `Problem` 400, 403,
 * 409.
 */
export function changeNotice(
  deps: NoticeDeps,
  staffId: string,
  { id, version }: { readonly id: string; readonly version: string },
  fields: NoticeFields,
): Promise<string> {
  requirePeriod(fields);
  return changeList(deps, staffId, { note: `change ${fields.text}` }, async (transaction, rows) => {
    const row = rows.find((each) => each.id === id);
    if (row === undefined) throw new Problem(409, 'この広告は、先に削除されています。');
    if (toNoticeVersion(row) !== version) throw await toConflict(transaction, 'この広告');
    await own(transaction).updateTable('notices').set(toColumns(fields)).where('id', '=', id).execute();
  });
}

/** Moves a notice to another position. Throws `Problem` 403, 409. */
export function moveNotice(
  deps: NoticeDeps,
  staffId: string,
  { version, index }: NoticePlace,
  to: number,
): Promise<string> {
  const note = `move ${index + 1} to ${to + 1}`;
  return changeList(deps, staffId, { version, note }, async (transaction, rows) => {
    const moved = getRow(rows, index);
    getRow(rows, to);
    for (const [position, row] of rows.toSpliced(index, 1).toSpliced(to, 0, moved).entries()) {
      if (row.position === position) continue;
      await own(transaction).updateTable('notices').set({ position }).where('id', '=', row.id).execute();
    }
  });
}

/**
 * Removes a notice. Those who have begun to watch it may finish; then its files are deleted. Throws `Problem` 403, 409.
 */
export function removeNotice(
  deps: NoticeDeps,
  staffId: string,
  { version, index }: NoticePlace,
): Promise<string> {
  return changeList(deps, staffId, { version, note: `remove ${index + 1}` }, async (transaction, rows) => {
    await own(transaction)
      .updateTable('notices')
      .set({ state: 'removed', state_since: deps.clock.now() })
      .where('id', '=', getRow(rows, index).id)
      .execute();
  });
}

/**
 * Changes the list in one step and records it; a change that is based on another version than the present one is
 * refused. Returns the new version.
 */
async function changeList(
  { database, clock }: NoticeDeps,
  staffId: string,
  { version, note }: { readonly version?: string; readonly note: string },
  change: (transaction: Handle, rows: readonly NoticeRow[]) => Promise<void>,
): Promise<string> {
  const changed = await database.db.transaction().execute(async (transaction: Handle) => {
    await requireStaff(transaction, staffId);
    await database.takeLock(transaction, 'notices');
    const before = await selectListed(transaction);
    if (version !== undefined && version !== toVersion(before)) {
      throw await toConflict(transaction, '広告の一覧');
    }
    // Before the record: a refusal names who was first.
    await change(transaction, before);
    await recordAction(transaction, { staffId, action: ACTION, subject: SUBJECT, note }, clock.now());
    return toVersion(await selectListed(transaction));
  });
  invalidateCache(database, CACHE_KEY);
  return changed;
}

async function toConflict(transaction: Handle, what: string): Promise<Problem> {
  const last = await findLastActor(transaction, SUBJECT, [ACTION]);
  const name = last?.username ?? '別の担当者';
  return new Problem(409, `${what}は、先に変更されています（最後に変更した人：${name} さん）。`);
}

async function checkFile(
  part: string,
  file: GivenFile,
  kinds: readonly FileKind['kind'][],
  staffId: string,
): Promise<NoticeFile> {
  if (findKind(file.filename, kinds) === undefined)
    throw new Problem(400, { [part]: `${listEndings(kinds).join('、')} のファイルを選んでください。` });
  return readNoticeFile(file.path, kinds, file.filename, staffId).catch((error: unknown) => {
    if (error instanceof Busy) throw error;
    throw new Problem(400, { [part]: `ファイルの中身が、名前の種類と合いません。${LIMITS[part] ?? ''}` });
  });
}

function requirePeriod({ from, until }: NoticeFields): void {
  if (from !== '' && until !== '' && until <= from) {
    throw new Problem(400, { until: '終わりは、始まりよりあとの日時にしてください。' });
  }
}

function getRow(rows: readonly NoticeRow[], index: number): NoticeRow {
  const row = rows[index];
  if (row === undefined) throw new Problem(409, '広告の一覧は、先に変更されています。');
  return row;
}
