import { ownerOf } from '../stored-files/owners.ts';
import type { FileOwner } from '../stored-files/owners.ts';
import { toPicture } from '../stored-files/pictures.ts';

/** Pictures that are about to be deleted. */
export const PICTURE_FILES: readonly FileOwner[] = [
  ownerOf('retired_pictures', {
    id: 'picture_key',
    complete: 'none',
    // Of any kind: the second segment of the keys is the same.
    columns: [toPicture('picture_key', 'thumbnail')],
  }),
];
