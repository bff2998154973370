import { toPieceKey } from '../../media/object-keys.ts';
import { toSoundFile } from '../catalogue/stored-files.ts';
import { ownerOf } from '../stored-files/owners.ts';
import type { FileFolder, FileOwner } from '../stored-files/owners.ts';
import { toPicture } from '../stored-files/pictures.ts';

/** No reply has confirmed them as a sound. Clients send them again. */
const PIECES: FileFolder = { name: 'upload-pieces', backup: 'scratch' };

/** Files of uploads that have not become sounds, and of sounds that were deleted. */
export const UPLOAD_FILES: readonly FileOwner[] = [
  ownerOf('unclaimed_files', {
    id: 'file_key',
    complete: 'none',
    columns: [toSoundFile('file_key'), toPicture('file_key', 'thumbnail')],
  }),
  ownerOf('upload_pieces', {
    id: 'id',
    complete: 'none',
    columns: [{ column: 'id', folder: PIECES, toKeys: (id) => [toPieceKey(id)] }],
  }),
];
