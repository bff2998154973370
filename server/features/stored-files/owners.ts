import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';

/** A folder of the storage, declared once for all columns that name its files. */
export interface FileFolder {
  /** The first segment of the keys. */
  readonly name: string;
  /** What a backup does with it, see `FolderClass`. */
  readonly backup: 'data' | 'keys' | 'scratch';
}

/** A column whose values name stored files. */
export interface FileColumn<Column extends string = string> {
  /** Names the files of a row. Null: the row has none. */
  readonly column: Column;
  /** A complete row has its file even if the column is null. */
  readonly isRequired?: true;
  readonly folder: FileFolder;
  readonly toKeys: (value: string, id: string) => readonly string[];
  readonly size?: Column;
  /** The first of these that is a SHA-256 is that of the file. */
  readonly hash?: readonly Column[];
  /** The column, with an index, by which the row of a key is found; `column` unless given. */
  readonly foundBy?: Column;
  /** What that column holds for the second segment of a key; the segment itself unless given. */
  readonly toFound?: (segment: string) => string;
  /** Why neither the doctor's checks of files nor plain backups miss it. */
  readonly unchecked?: string;
}

/** A table whose rows own stored files. A file that no row of any of these owns is not used. */
export interface FileOwner<Table extends string = string, Column extends string = string> {
  readonly table: Table;
  /** Unique; rows are read in its order, beginning after `first`; after '' unless given. */
  readonly id: Column;
  readonly first?: number;
  /** For the operator: what a row is, and the column that names it. */
  readonly name?: readonly [noun: string, column?: Column];
  /** The rows whose files must exist. Files of other rows are being stored or deleted. */
  readonly complete: 'all' | 'none' | ((where: never) => Expression<SqlBool>);
  readonly columns: readonly FileColumn<Column>[];
}

/** Checks the columns of a declaration. */
export function ownerOf<Table extends keyof Schema>(
  table: Table,
  owner: Omit<FileOwner<Table, keyof Schema[Table] & string>, 'table' | 'complete'> & {
    readonly complete: 'all' | 'none' | ((where: ExpressionBuilder<Schema, Table>) => Expression<SqlBool>);
  },
): FileOwner {
  return { table, ...owner };
}
