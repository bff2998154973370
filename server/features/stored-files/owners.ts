import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import { PICTURE_WIDTHS } from '../../../contract/pictures.ts';
import type { PictureKind } from '../../../contract/pictures.ts';
import * as keys from '../../media/object-keys.ts';
import type { Schema } from '../../platform/database/schema.ts';

/** A column whose values name stored files. */
export interface FileColumn<Column extends string = string> {
  /** Names the files of a row. Null: the row has none. */
  readonly column: Column;
  /** A complete row has its file even if the column is null. */
  readonly isRequired?: true;
  /** The first segment of the keys. */
  readonly folder: string;
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

/** A table whose rows own stored files. */
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

/** Every table with files in the storage. A file that no row of these owns is not used. */
export const OWNERS: readonly FileOwner[] = [
  ownerOf('site_config', {
    id: 'id',
    first: 0,
    name: ['site configuration'],
    complete: 'all',
    columns: [
      toPicture('navbar_logo', 'logo'),
      toPicture('navbar_sp_logo', 'logo'),
      toPicture('footer_logo', 'logo'),
      toPicture('footer_banner', 'banner'),
    ],
  }),
  ownerOf('notices', {
    id: 'id',
    name: ['notice', 'id'],
    complete: (where) => where('state', '=', 'listed'),
    columns: [toNoticeFile('file_hash', 'file_size'), toNoticeFile('captions_hash', 'captions_size')],
  }),
  ownerOf('users', {
    id: 'id',
    name: ['member', 'username'],
    complete: 'all',
    columns: [toPicture('picture_key', 'avatar'), toPicture('background_key', 'background')],
  }),
  ownerOf('personal_info_submissions', {
    id: 'id',
    name: ['ID', 'id'],
    complete: (where) => where('state', '=', 'pending'),
    // Both files are read by the id; the column says whether they may exist.
    columns: [
      {
        column: 'object_key',
        isRequired: true,
        folder: 'personal-info',
        toKeys: (_, id) => [keys.toImageKey(id)],
        foundBy: 'id',
      },
      {
        column: 'object_key',
        folder: 'personal-info-keys',
        toKeys: (_, id) => [keys.toDataKeyKey(id)],
        foundBy: 'id',
        unchecked: 'a plain backup has no keys, and the doctor opens the image with them',
      },
    ],
  }),
  ownerOf('quality_check_files', {
    id: 'object_key',
    name: ['quality check', 'quality_check_id'],
    complete: (where) =>
      where('quality_check_id', 'in', (query) =>
        query.selectFrom('quality_checks').select('quality_checks.id').where('state', '=', 'pending'),
      ),
    columns: [
      {
        column: 'object_key',
        folder: 'quality-check',
        toKeys: (key) => [key],
        size: 'size_bytes',
        hash: ['sha256'],
        foundBy: 'quality_check_id',
        toFound: (segment) => segment.replace(/-\d+$/, ''),
      },
    ],
  }),
  ownerOf('sounds', {
    id: 'seq',
    first: 0,
    name: ['sound', 'id'],
    complete: 'all',
    columns: [
      // The file of a sound that was not uploaded is stored under its hash.
      { ...toSoundFile('audio_key'), size: 'audio_size', hash: ['content_hash', 'audio_key'] },
      toPicture('thumbnail_key', 'thumbnail'),
    ],
  }),
  ownerOf('unclaimed_files', {
    id: 'file_key',
    complete: 'none',
    columns: [toSoundFile('file_key'), toPicture('file_key', 'thumbnail')],
  }),
  ownerOf('retired_pictures', {
    id: 'picture_key',
    complete: 'none',
    // Of any kind: the second segment of the keys is the same.
    columns: [toPicture('picture_key', 'thumbnail')],
  }),
  ownerOf('upload_pieces', {
    id: 'id',
    complete: 'none',
    columns: [{ column: 'id', folder: 'upload-pieces', toKeys: (id) => [keys.toPieceKey(id)] }],
  }),
];

function ownerOf<Table extends keyof Schema>(
  table: Table,
  owner: Omit<FileOwner<Table, keyof Schema[Table] & string>, 'table' | 'complete'> & {
    readonly complete: 'all' | 'none' | ((where: ExpressionBuilder<Schema, Table>) => Expression<SqlBool>);
  },
): FileOwner {
  return { table, ...owner };
}

function toSoundFile<Column extends string>(column: Column): FileColumn<Column> {
  return { column, folder: 'sounds', toKeys: (key) => [keys.toSoundKey(key)] };
}

function toPicture<Column extends string>(column: Column, kind: PictureKind): FileColumn<Column> {
  const toKeys = (key: string) => PICTURE_WIDTHS[kind].map((width) => keys.toPictureKey(key, width));
  return { column, folder: 'pictures', toKeys };
}

function toNoticeFile<Column extends string>(column: Column, size: Column): FileColumn<Column | 'id'> {
  const toKeys = (hash: string, id: string) => [keys.toNoticeKey(id, hash)];
  return { column, folder: 'notices', toKeys, size, hash: [column], foundBy: 'id' };
}
