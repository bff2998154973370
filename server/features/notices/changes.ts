import { randomUUID } from 'node:crypto';
import { access, constants, copyFile, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { NOTICES_MAX } from '../../../contract/operator-notices.ts';
import type { NoticeFields } from '../../../contract/operator-notices.ts';
import { randomId } from '../../platform/database/database.ts';
import { Problem } from '../../platform/http/http.ts';
import type { FormFile, Platform } from '../../platform/http/http.ts';
import { createDiskSpace } from '../../platform/storage/storage.ts';
import { findLastActor, recordAction, requireStaff } from '../staff/staff.ts';
import { LIST_NAME, findKind, listEndings, parseEntry, readEntries, toEnding, toVersion } from './entries.ts';
import type { FileKind } from './entries.ts';
import { readNoticeFile } from './list.ts';

export type NoticeDeps = Pick<Platform, 'database' | 'clock'> & { readonly folder: string };

const NOTICES_LOCK = 5_601_790;
const ACTION = 'change notices';
const SUBJECT = 'notices';
/** Files that the console has put into the folder; others belong to the operator and are left alone. */
const UPLOADED = /^notice-[0-9A-Za-z]{16}\.[a-z0-9]+$/;
/** A list that is being written. It begins with a dot, so that no entry can name it. */
const DRAFT = /^\.notices\.json\.[0-9a-f-]{36}$/;
/** Another process may be between a file and its entry; only a crash leaves one this long. */
const LEFTOVER_AGE_MS = 60 * 60 * 1000;
const UNWRITABLE: ReadonlySet<unknown> = new Set(['EROFS', 'EACCES', 'EPERM', 'ENOTDIR', 'EEXIST']);

/** Throws `Problem` 503 if the folder cannot be created or written. */
export async function requireWritable(folder: string): Promise<void> {
  await orUnwritable(async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
  });
}

async function orUnwritable<Result>(work: () => Promise<Result>): Promise<Result> {
  return work().catch((error: unknown) => {
    if (!UNWRITABLE.has((error as NodeJS.ErrnoException).code)) throw error;
    throw new Problem(
      503,
      'お知らせのフォルダー（notices）に書き込めません。フォルダーの権限と、読み取り専用になっていないかを確かめてください。',
    );
  });
}

/**
 * Adds a notice at the end. The files are in the folder before the list names them. Throws `Problem` 400 that names the
 * field, 403, 409 for a list that cannot be read, 503.
 */
export async function addNotice(
  deps: NoticeDeps,
  staffId: string,
  fields: NoticeFields,
  { file, captions }: { readonly file: FormFile; readonly captions?: FormFile | undefined },
): Promise<string> {
  const kind = await checkFile('file', file, ['picture', 'video']);
  if (captions !== undefined) {
    if (kind !== 'video') throw new Problem(400, { captions: '字幕は動画にだけ付けられます。' });
    await checkFile('captions', captions, ['captions']);
  }
  requirePeriod(fields);
  await requireWritable(deps.folder);
  const stored: string[] = [];
  try {
    for (const each of [file, ...(captions === undefined ? [] : [captions])]) {
      const name = `notice-${randomId()}${toEnding(each.filename)}`;
      stored.push(name);
      await orUnwritable(() => store(each, deps.folder, name));
    }
    const [name, captionsName] = stored;
    const entry = { file: name, ...(captionsName !== undefined && { captions: captionsName }) };
    return await changeList(deps, staffId, { note: `add ${fields.text}` }, (entries) => {
      if (entries.length >= NOTICES_MAX) {
        throw new Problem(400, `お知らせは${NOTICES_MAX}件までです。使わないものを削除してください。`);
      }
      return [...entries, withFields(entry, fields)];
    });
  } catch (error) {
    for (const name of stored) await rm(join(deps.folder, name), { force: true });
    throw error;
  }
}

/** Where a notice was seen. */
export interface NoticePlace {
  readonly version: string;
  readonly index: number;
}

/** Changes what is said about a notice. Throws `Problem` 400, 403, 409, 503. */
export function changeNotice(
  deps: NoticeDeps,
  staffId: string,
  { version, index }: NoticePlace,
  fields: NoticeFields,
): Promise<string> {
  requirePeriod(fields);
  return changeList(deps, staffId, { version, note: `change ${fields.text}` }, (entries) =>
    entries.with(requireIndex(entries, index), withFields(entries[index], fields)),
  );
}

/** Moves a notice to another place. Throws `Problem` 403, 409, 503. */
export function moveNotice(
  deps: NoticeDeps,
  staffId: string,
  { version, index }: NoticePlace,
  to: number,
): Promise<string> {
  return changeList(deps, staffId, { version, note: `move ${index + 1} to ${to + 1}` }, (entries) => {
    const moved = entries[requireIndex(entries, index)];
    return entries.toSpliced(index, 1).toSpliced(requireIndex(entries, to), 0, moved);
  });
}

/** Removes a notice, and its files if the console has stored them. Throws `Problem` 403, 409, 503. */
export async function removeNotice(
  deps: NoticeDeps,
  staffId: string,
  { version, index }: NoticePlace,
): Promise<string> {
  let names: string[] = [];
  const changed = await changeList(deps, staffId, { version, note: `remove ${index + 1}` }, (entries) => {
    names = listFiles([entries[requireIndex(entries, index)]]);
    const left = entries.toSpliced(index, 1);
    const used = new Set(listFiles(left));
    names = names.filter((name) => UPLOADED.test(name) && !used.has(name));
    return left;
  });
  for (const name of names) await rm(join(deps.folder, name), { force: true });
  return changed;
}

/**
 * Changes the list in one step and records it; a change that is based on another version than the present one is
 * refused. Returns the new version.
 */
async function changeList(
  { database, clock, folder }: NoticeDeps,
  staffId: string,
  { version, note }: { readonly version?: string; readonly note: string },
  change: (entries: readonly unknown[]) => readonly unknown[],
): Promise<string> {
  await requireWritable(folder);
  return database.db.transaction().execute(async (transaction) => {
    await requireStaff(transaction, staffId);
    await database.takeLock(transaction, NOTICES_LOCK);
    const last = await findLastActor(transaction, SUBJECT, [ACTION]);
    await recordAction(transaction, { staffId, action: ACTION, subject: SUBJECT, note }, clock.now());
    const before = await readEntries(folder).catch((error: unknown) => {
      throw new Problem(409, `notices.json を読み取れません（${(error as Error).message}）。`);
    });
    if (version !== undefined && version !== before.version) {
      const name = last?.username ?? '別の担当者';
      throw new Problem(409, `お知らせの一覧は、先に変更されています（最後に変更した人：${name} さん）。`);
    }
    const entries = change(before.entries);
    const text = `${JSON.stringify(entries, null, 2)}\n`;
    // Last, so that a failure of the database leaves the list as it is.
    await orUnwritable(() => writeList(folder, text));
    await deleteLeftovers(folder, new Set(listFiles(entries)));
    return toVersion(text);
  });
}

async function checkFile(
  part: string,
  file: FormFile,
  kinds: readonly FileKind['kind'][],
): Promise<FileKind['kind']> {
  const kind = findKind(file.filename, kinds);
  const endings = listEndings(kinds).join('、');
  if (kind === undefined) throw new Problem(400, { [part]: `${endings} のファイルを選んでください。` });
  await readNoticeFile(file.path, file.filename, kinds).catch(() => {
    throw new Problem(400, {
      [part]: 'ファイルの中身が、名前の種類と合いません。別のファイルを選んでください。',
    });
  });
  return kind.kind;
}

function requirePeriod({ from, until }: NoticeFields): void {
  if (from !== '' && until !== '' && until <= from) {
    throw new Problem(400, { until: '終わりは、始まりよりあとの日時にしてください。' });
  }
}

function requireIndex(entries: readonly unknown[], index: number): number {
  if (index < entries.length) return index;
  throw new Problem(409, 'お知らせの一覧は、先に変更されています。');
}

/** Keeps the files of an entry. Throws `Problem` 400 for one that was written by hand and is broken. */
function withFields(before: unknown, { text, link, seconds, from, until }: NoticeFields): unknown {
  const { file, captions } = Object(before) as Readonly<Record<string, unknown>>;
  const entry = {
    file,
    text,
    ...(captions !== undefined && { captions }),
    ...(link !== '' && { link }),
    seconds,
    ...(from !== '' && { from }),
    ...(until !== '' && { until }),
  };
  try {
    return parseEntry(entry);
  } catch (error) {
    throw new Problem(400, `この項目は使えません（${(error as Error).message}）。`);
  }
}

function listFiles(entries: readonly unknown[]): string[] {
  return entries.flatMap((entry) => {
    const { file, captions } = Object(entry) as Readonly<Record<string, unknown>>;
    return [file, captions].filter((name) => typeof name === 'string');
  });
}

/** Moves a received file into the folder, also from another disk. It is on the disk when this returns. */
async function store(file: FormFile, folder: string, name: string): Promise<void> {
  const path = join(folder, name);
  try {
    await rename(file.path, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    await createDiskSpace().requireFree(folder, file.sizeBytes);
    await copyFile(file.path, path, constants.COPYFILE_EXCL);
  }
  await sync(path);
}

async function writeList(folder: string, text: string): Promise<void> {
  const draft = join(folder, `.${LIST_NAME}.${randomUUID()}`);
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, join(folder, LIST_NAME));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  await sync(folder);
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Deletes what a crash has left: files without an entry, and unfinished lists. */
async function deleteLeftovers(folder: string, used: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder)) {
    if (used.has(name) || !(UPLOADED.test(name) || DRAFT.test(name))) continue;
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > LEFTOVER_AGE_MS) await rm(join(folder, name), { force: true });
  }
}
