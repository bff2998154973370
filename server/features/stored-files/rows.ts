import type { Kysely } from 'kysely';
import type { Handle } from '../../platform/database/handle.ts';
import { inWindows } from '../../platform/database/statements/windows.ts';
import type { FileColumn, FileOwner } from './owners.ts';

/** A stored file that a row refers to. */
export interface OwnedFile {
  readonly key: string;
  /** Undefined where rows do not have it. */
  readonly sizeBytes?: number;
  /** Hexadecimal; undefined where rows do not have it. */
  readonly sha256?: string;
}

/** A row with the files that must exist. */
export interface FileRow {
  readonly owner: FileOwner;
  readonly id: string | number;
  /** For the operator: what is affected. */
  readonly name: string;
  readonly files: readonly OwnedFile[];
}

const SHA256 = /^[0-9a-f]{64}$/;

type Row = Readonly<Record<string, string | number | null>>;

/** The rows of these tables whose files must exist, in windows of at most `limit`. */
export async function* listFileRows(
  db: Handle,
  owners: readonly FileOwner[],
  limit: number,
): AsyncGenerator<readonly FileRow[]> {
  for (const owner of owners) {
    if (owner.complete === 'none') continue;
    yield* inWindows(
      owner.first ?? '',
      (after) => selectRows(db, owner, '>', after, limit),
      ({ id }) => id,
    );
  }
}

/** The files that must exist according to the row as it is now. */
export async function readFilesAgain(
  db: Handle,
  { owner, id }: Pick<FileRow, 'owner' | 'id'>,
): Promise<readonly OwnedFile[]> {
  const [row] = await selectRows(db, owner, '=', id, 1);
  return row?.files ?? [];
}

async function selectRows(
  db: Handle,
  owner: FileOwner,
  operator: '>' | '=',
  id: string | number,
  limit: number,
): Promise<FileRow[]> {
  const { table, name: [noun, named] = [table], complete, columns } = owner;
  const needed = columns.flatMap(({ column, size, hash = [] }) => [column, size, ...hash]);
  let query = selectColumns(db, owner, [named, ...needed])
    .where(owner.id, operator, id)
    .orderBy(owner.id)
    .limit(limit);
  if (typeof complete === 'function') query = query.where((where) => complete(where as never));
  return (await query.execute()).map((row) => ({
    owner,
    id: row[owner.id] ?? '',
    name: named === undefined ? noun : `${noun} ${row[named]}`,
    files: columns.flatMap((file) => (file.unchecked === undefined ? toFiles(owner, file, row, true) : [])),
  }));
}

/** The files that a column of a row names. */
export function toFiles(
  owner: FileOwner,
  { column, isRequired, toKeys, size, hash = [] }: FileColumn,
  row: Row,
  isComplete = false,
): OwnedFile[] {
  const value = row[column] ?? (isRequired && isComplete ? '' : null);
  if (value === null) return [];
  const sizeBytes = size === undefined ? null : row[size];
  const sha256 = hash.map((each) => String(row[each])).find((text) => SHA256.test(text));
  return toKeys(String(value), String(row[owner.id])).map((key) => ({
    key,
    ...(typeof sizeBytes === 'number' && { sizeBytes }),
    ...(sha256 !== undefined && { sha256 }),
  }));
}

/** Selects the id and further columns of a table with files. */
export function selectColumns(
  db: Handle,
  { table, id }: FileOwner,
  columns: readonly (string | undefined)[],
) {
  // Kysely cannot check the columns of a table that varies; `ownerOf` has checked them.
  const anyTable = db as unknown as Kysely<Record<string, Row>>;
  return anyTable
    .selectFrom(table)
    .select([...new Set([id, ...columns.filter((each) => each !== undefined)])]);
}
