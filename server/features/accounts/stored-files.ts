import { ownerOf } from '../stored-files/owners.ts';
import type { FileOwner } from '../stored-files/owners.ts';
import { toPicture } from '../stored-files/pictures.ts';

/** The pictures of members. */
export const ACCOUNT_FILES: readonly FileOwner[] = [
  ownerOf('users', {
    id: 'id',
    name: ['member', 'username'],
    complete: 'all',
    columns: [toPicture('picture_key', 'avatar'), toPicture('background_key', 'background')],
  }),
];
