import { toFolderPath } from '../../platform/storage/folder.ts';
import { listFileRows } from '../stored-files/rows.ts';
import type { FileOwner } from '../stored-files/owners.ts';
import type { Handle } from '../../platform/database/handle.ts';

const WINDOW_ROWS = 5_000;

/** The files that must exist according to the rows, as paths below the data folder; some more than once. */
export async function* listReferencedFiles(db: Handle, owners: readonly FileOwner[]): AsyncGenerator<string> {
  for await (const rows of listFileRows(db, owners, WINDOW_ROWS))
    for (const { files } of rows) for (const { key } of files) yield `files/${toFolderPath(key)}`;
}
