import { flushCompileCache } from 'node:module';
import { once } from 'node:events';
import { openDatabase } from '#server/schema/open.ts';
import type { DatabaseLocation } from '#server/platform/database/open.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { openTemporaryFiles } from '#server/platform/storage/temporary-files.ts';
import { createTestApi } from '#support/http/api.ts';
import { FORM_TYPE, toFormBytes } from '#support/http/forms.ts';
import { makeLongMp3 } from '#support/files/long-mp3.ts';

/**
 * A process that uploads sounds in sequence and deletes every third of them. It tells its
 * parent each one that is answered, and begins with the step that its parent names.
 */
// For the next process: this one is killed before Node would write the compile cache.
flushCompileCache();
const [place = '', folder = '', artistId = '', type = ''] = process.argv.slice(2);
const database = await openDatabase(JSON.parse(place) as DatabaseLocation);
const { app, logIn } = createTestApi(database, {
  storage: await openFolderStorage(`${folder}/files`),
  temporaryFiles: await openTemporaryFiles(`${folder}/temporary`),
});
const authorization = `Bearer ${await logIn(artistId)}`;
process.send?.(['ready']);
const [first] = (await once(process, 'message')) as [number];
for (let step = first; ; step += 1) {
  const body = toFormBytes([
    { name: 'types', content: type },
    { name: 'file', filename: `${step}.mp3`, content: makeLongMp3(200_000, step) },
  ]) as BodyInit;
  const headers = { authorization, 'content-type': FORM_TYPE };
  process.send?.(['begun', step]);
  const response = await app.request('/api/sounds/', { method: 'POST', headers, body });
  if (response.status !== 200) throw new Error(await response.text());
  const { sound } = (await response.json()) as { sound: { id: string } };
  process.send?.(['uploaded', sound.id]);
  if (step % 3 !== 0) continue;
  process.send?.(['deleting', sound.id]);
  await app.request(`/api/sounds/${sound.id}/`, { method: 'DELETE', headers: { authorization } });
  process.send?.(['deleted', sound.id]);
}
