import { toNoticeKey } from '../../media/object-keys.ts';
import { ownerOf } from '../stored-files/owners.ts';
import type { FileColumn, FileFolder, FileOwner } from '../stored-files/owners.ts';

const NOTICES: FileFolder = { name: 'notices', backup: 'data' };

/** Films, sounds and captions of notices. */
export const NOTICE_FILES: readonly FileOwner[] = [
  ownerOf('notices', {
    id: 'id',
    name: ['notice', 'id'],
    complete: (where) => where('state', '=', 'listed'),
    columns: [toNoticeFile('file_hash', 'file_size'), toNoticeFile('captions_hash', 'captions_size')],
  }),
];

function toNoticeFile<Column extends string>(column: Column, size: Column): FileColumn<Column | 'id'> {
  const toKeys = (hash: string, id: string) => [toNoticeKey(id, hash)];
  return { column, folder: NOTICES, toKeys, size, hash: [column], foundBy: 'id' };
}
