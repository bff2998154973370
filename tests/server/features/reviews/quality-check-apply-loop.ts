import { flushCompileCache } from 'node:module';
import { createTestApi } from '#support/http/api.ts';
import { apply, makeSongs, toFileParts } from '#support/members/quality-checks.ts';
import { openDatabase } from '#server/schema/open.ts';
import type { DatabaseLocation } from '#server/platform/database/open.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { openTemporaryFiles } from '#server/platform/storage/temporary-files.ts';

/** A process in which members apply in turn. It tells its parent whose application is accepted. */
// For the next process: this one is killed before Node would write the compile cache.
flushCompileCache();
const [place = '', files = '', temporary = '', typeId = '', ...members] = process.argv.slice(2);
const database = await openDatabase(JSON.parse(place) as DatabaseLocation);
const api = createTestApi(database, {
  storage: await openFolderStorage(files),
  temporaryFiles: await openTemporaryFiles(temporary),
});
const songs = toFileParts(await makeSongs());
for (const member of members) {
  const texts = [
    { name: 'user_id', content: member },
    { name: 'types', content: typeId },
  ];
  const { status } = await apply(api, member, [...songs, ...texts]);
  // Accepted, possibly before the previous process was killed.
  if (status !== 200 && status !== 409) throw new Error(`answered ${status}`);
  process.send?.(member);
}
await database.close();
process.disconnect();
