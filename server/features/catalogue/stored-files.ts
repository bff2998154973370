import { toSoundKey } from '../../media/object-keys.ts';
import { ownerOf } from '../stored-files/owners.ts';
import type { FileColumn, FileFolder, FileOwner } from '../stored-files/owners.ts';
import { toPicture } from '../stored-files/pictures.ts';

const SOUNDS: FileFolder = { name: 'sounds', backup: 'data' };

/** The files and thumbnails of sounds. */
export const SOUND_FILES: readonly FileOwner[] = [
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
];

/** A column with the key of a sound. */
export function toSoundFile<Column extends string>(column: Column): FileColumn<Column> {
  return { column, folder: SOUNDS, toKeys: (key) => [toSoundKey(key)] };
}
