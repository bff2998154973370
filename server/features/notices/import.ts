import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { LIST_NAME, parseEntry, readEntries } from './entries.ts';
import { changeList } from './changes.ts';
import { readNoticeFile } from './files.ts';
import type { NoticeFile } from './files.ts';
import { selectListed } from './rows.ts';
import type { NoticeRow } from './rows.ts';
import { listNotices, storeNotices, takeFitting, toColumns } from './storing.ts';
import type { NewNotice, NoticeDeps } from './storing.ts';

/** A list in a folder: its usable entries, and one line for each part that cannot be used. */
export interface NoticeFolder {
  readonly notices: readonly NewNotice[];
  readonly problems: readonly string[];
}

/** Reads `notices.json` and checks every file that it names. Undefined if there is no such list. Never writes. */
export async function readNoticeFolder(folder: string): Promise<NoticeFolder | undefined> {
  let entries: readonly unknown[] | undefined;
  try {
    entries = await readEntries(folder);
  } catch (error) {
    return { notices: [], problems: [`${LIST_NAME} ${(error as Error).message}`] };
  }
  if (entries === undefined) return undefined;
  const notices: NewNotice[] = [];
  const problems: string[] = [];
  for (const [index, value] of entries.entries()) {
    try {
      notices.push(await readEntry(folder, value));
    } catch (error) {
      problems.push(`${LIST_NAME}, entry ${index + 1}: ${(error as Error).message}`);
    }
  }
  return { notices, problems };
}

async function readEntry(folder: string, value: unknown): Promise<NewNotice> {
  const {
    file: name,
    captions: captionsName,
    text,
    link = '',
    seconds,
    from = '',
    until = '',
  } = parseEntry(value);
  const file = await readNoticeFile(join(folder, name), ['picture', 'video']);
  if (file.kind === 'picture' && captionsName !== undefined) throw new Error('captions are for videos');
  const captions =
    captionsName === undefined ? undefined : await readNoticeFile(join(folder, captionsName), ['captions']);
  return { fields: { text, link, seconds, from, until }, file, captions };
}

/**
 * Adds notices at the end of the list, except those that it has already, and returns their number. With a `source`, the
 * notices of that source are added once, whichever process is first. `staffId` is null for the server. Throws `Problem`
 * 400 if there are too many.
 */
export async function importNotices(
  deps: NoticeDeps,
  notices: readonly NewNotice[],
  staffId: string | null,
  source?: string,
): Promise<number> {
  const listed = await selectListed(deps.database.db);
  const missing = notices.filter((notice) => !listed.some((row) => isSame(row, notice)));
  if (missing.length === 0 && source === undefined) return 0;
  let added = 0;
  await storeNotices(
    deps,
    missing,
    () => Promise.resolve(),
    (ids) =>
      changeList(deps, staffId, { note: `import ${missing.length}` }, async (transaction, rows) => {
        if (source !== undefined) {
          if (await isImported(transaction, source)) throw new AlreadyImported();
          const record = { source, imported_at: deps.clock.now() };
          await transaction.insertInto('notice_imports').values(record).execute();
        }
        // Another import may have added some meanwhile. What is not listed is deleted by the job.
        const wanted = ids.filter((_, index) => !rows.some((row) => isSame(row, missing[index])));
        await listNotices(transaction, wanted, rows.at(-1)?.position ?? 0, deps.clock.now());
        added = wanted.length;
      }),
  );
  return added;
}

/** Another process has imported the same source meanwhile; nothing was changed. */
class AlreadyImported extends Error {}

async function isImported(db: Kysely<Schema>, source: string): Promise<boolean> {
  const row = await db
    .selectFrom('notice_imports')
    .select('source')
    .where('source', '=', source)
    .executeTakeFirst();
  return row !== undefined;
}

function isSame(row: NoticeRow, notice: NewNotice | undefined): boolean {
  if (notice === undefined) return false;
  const { fields, file, captions } = notice;
  const columns = Object.entries(toColumns(fields)) as [keyof NoticeRow, unknown][];
  return (
    isOf(row.file_hash, file) &&
    isOf(row.captions_hash, captions) &&
    columns.every(([name, value]) => row[name] === value)
  );
}

/** Earlier versions stored files as they were given. */
function isOf(hash: string | null, file: NoticeFile | undefined): boolean {
  return hash === (file?.hash ?? null) || (file !== undefined && hash === file.sourceHash);
}

const DATA_FOLDER = 'data folder';

/**
 * Imports the list that earlier versions kept in the data folder, once, and as much of it as there is room for. The
 * folder is left as it is.
 */
export async function importDataFolder(
  deps: NoticeDeps & { readonly logger: Log },
  folder: string,
): Promise<void> {
  if (await isImported(deps.database.db, DATA_FOLDER)) return;
  const found = await readNoticeFolder(folder);
  if (found === undefined) return;
  for (const problem of found.problems) deps.logger.warn({ folder }, `${problem}; it is not imported`);
  const fitting = await takeFitting(deps, found.notices);
  let added: number;
  try {
    added = await importNotices(deps, fitting, null, DATA_FOLDER);
  } catch (error) {
    if (error instanceof AlreadyImported) return;
    throw error;
  }
  const left = found.notices.length - fitting.length;
  if (left > 0)
    deps.logger.warn({ folder, left }, 'the last notices of the folder were not imported: there is no room');
  deps.logger.info(
    { folder, added },
    'the notices of the folder were imported into the database; the folder is no longer read and can be deleted',
  );
}
