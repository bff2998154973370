import { PICTURE_WIDTHS } from '../../../contract/site/pictures.ts';
import type { PictureKind } from '../../../contract/site/pictures.ts';
import { toPictureKey } from '../../media/object-keys.ts';
import type { FileColumn, FileFolder } from './owners.ts';

const PICTURES: FileFolder = { name: 'pictures', backup: 'data' };

/** A column with the key of a picture, which has a file for each width. */
export function toPicture<Column extends string>(column: Column, kind: PictureKind): FileColumn<Column> {
  const toKeys = (key: string) => PICTURE_WIDTHS[kind].map((width) => toPictureKey(key, width));
  return { column, folder: PICTURES, toKeys };
}
