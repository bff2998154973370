import { flushCompileCache } from 'node:module';
import { openDatabase } from '#server/schema/open.ts';
import type { DatabaseLocation } from '#server/platform/database/open.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { openTemporaryFiles } from '#server/platform/storage/temporary-files.ts';
import { createTestApi } from '#support/http/api.ts';
import { makeLongMp3 } from '#support/files/long-mp3.ts';
import {
  UPLOADS_PATH,
  createUpload,
  makeSound,
  readOffset,
  sendPiece,
  tus,
} from '#support/sounds/resumable-uploads.ts';

/** Each second one is stored together with its predecessor. */
const PIECE_BYTES = 200_000;

/**
 * A process that sends files in sequence, in pieces, and creates a sound of each. It resumes what
 * the previous process left unfinished and tells its parent what is answered. With `hang` it
 * stops forever between the commit of a sound and its answer.
 */
// For the next process: this one is killed before Node would write the compile cache.
flushCompileCache();
const [place = '', folder = '', artistId = '', type = '', first = '', left = '', end = ''] =
  process.argv.slice(2);
const database = await openDatabase(JSON.parse(place) as DatabaseLocation);
const storage = await openFolderStorage(`${folder}/files`);
let hasStoredSound = false;
function hang(): Promise<never> {
  process.send?.(['committed', {}]);
  setInterval(() => undefined, 1_000); // keeps the process running
  return new Promise(() => undefined);
}
const api = createTestApi(database, {
  storage: {
    ...storage,
    put(key, content) {
      hasStoredSound ||= key.startsWith('sounds/');
      return storage.put(key, content);
    },
    // The first that is deleted after a sound is stored is a piece of the upload that became the sound.
    delete: (key) => (end === 'hang' && hasStoredSound ? hang() : storage.delete(key)),
  },
  temporaryFiles: await openTemporaryFiles(`${folder}/temporary`),
});

let address = left;
for (let step = Number(first); ; step += 1) {
  const content = makeLongMp3(1_000_000, step);
  if (address === '') {
    address = await createUpload(api, artistId, content.byteLength);
    process.send?.(['created', { step, address }]);
  }
  let offset = await readOffset(api, artistId, address);
  process.send?.(['continued', { address, offset }]);
  while (offset < content.byteLength) {
    const piece = content.subarray(offset, offset + PIECE_BYTES);
    const response = await sendPiece(api, artistId, address, offset, piece);
    if (response.status !== 204) throw new Error(await response.text());
    offset += piece.byteLength;
    process.send?.(['arrived', { address, offset }]);
  }
  const response = await makeSound(api, artistId, address.slice(UPLOADS_PATH.length), type);
  if (response.status !== 200) throw new Error(await response.text());
  const { sound } = (await response.json()) as { sound: { id: string } };
  process.send?.(['made', { address, id: sound.id }]);
  address = '';
  // One in four is aborted before it starts, unless a deleted piece indicates a created sound.
  const given = step % 4 === 0 && end !== 'hang' ? await createUpload(api, artistId, 5) : '';
  if (given !== '') await tus(api, 'DELETE', given, { userId: artistId });
}
