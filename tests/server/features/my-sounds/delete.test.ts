import { beforeEach, describe, expect, test } from 'vitest';
import { recordReward } from '#server/features/ledger/postings.ts';
import { collectUnclaimedFiles } from '#server/features/my-sounds/files.ts';
import { eraseDeletedSounds } from '#server/features/my-sounds/deletion.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { createSound } from '#server/features/catalogue/service.ts';
import { bothDatabases, listRows } from '#support/databases/databases.ts';
import { makePaper } from '#support/files/pictures.ts';
import { makeMp3 } from '#support/files/sound-fixtures.ts';
import { useUploadApi, patchSound, readSound, removeSound, sendSound } from '#support/sounds/uploads.ts';
import { toFile } from '#support/sounds/catalogue.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const mp3 = await makeMp3(0.3);

describe.each(bothDatabases)('deleting a sound on $name', ({ open, rule }) => {
  const { database, api, storage, useMember } = useUploadApi(open);
  const artist = useMember({ username: 'artist', is_verified: true });
  const fan = useMember({ username: 'fan', is_verified: true });
  let type: string;
  let id: string;

  beforeEach(async () => {
    type = String(await createSoundType(database, { name: 'BGM' }));
    id = (await readSound(await sendSound(api, artist, { content: mp3, type, name: '雨の庭.mp3' }))).id;
    await readSound(
      await patchSound(api, artist, id, { is_published: 'true' }, await makePaper(20, 20).png().toBuffer()),
    );
    await api.post(`/api/sounds/${id}/toggle-favorite`, undefined, fan);
  });

  const countRows = async (
    table: 'sounds' | 'favorites' | 'undecoded_sounds' | 'unclaimed_files' | 'sound_sub_genres',
  ) => (await everyTable(database.db).selectFrom(table).selectAll().execute()).length;

  /** What the host does a week after the deletions. */
  async function erase(): Promise<void> {
    api.clock.advance(7 * 86_400_000);
    await eraseDeletedSounds(api.deps);
  }

  test('drops cached pages, and a week later removes its row, favourites, search tokens and files', async () => {
    // Its measured waveform drops pages as well.
    await expect.poll(() => countRows('undecoded_sounds')).toBe(0);
    expect((await api.json('/api/sounds/?favorite=true', fan)).count).toBe(1);
    const changes = api.countChanges();
    expect((await removeSound(api, artist, id)).status).toBe(200);
    expect(api.countChanges()).toBe(changes + 1);
    await erase();
    for (const table of ['sounds', 'favorites', 'undecoded_sounds', 'unclaimed_files'] as const) {
      expect([table, await countRows(table)]).toEqual([table, 0]);
    }
    expect(storage.objects.size).toBe(0);
    expect((await api.json(`/api/sounds/?search=${encodeURIComponent('雨の庭')}`)).count).toBe(0);
    expect((await api.json('/api/sounds/?favorite=true', fan)).count).toBe(0);
    expect((await api.get(`/api/sounds/${id}/`, artist)).status).toBe(404);
  });

  rule('does not change the books of past downloads', async () => {
    const reward = { artistId: artist, yen: 30, downloads: 3, atMs: api.clock.now(), reference: id };
    await recordReward(database.db, { ...reward, idempotencyKey: 'once' });
    const before = await listRows(database, 'ledger_entries');
    await removeSound(api, artist, id);
    await erase();
    expect(await listRows(database, 'ledger_entries')).toEqual(before);
    expect(before).toHaveLength(1);
  });

  rule('succeeds once: the second call is answered 404', async () => {
    const replies = [await removeSound(api, artist, id), await removeSound(api, artist, id)];
    expect(replies.map(({ status }) => status)).toEqual([200, 404]);
  });

  test('concurrently, succeeds for one of the calls', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => removeSound(api, artist, id)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 404),
    ]);
    await erase();
    expect(storage.objects.size).toBe(0);
  });

  test('concurrently with changes leaves no file and no row', async () => {
    const picture = await makePaper(30, 30).png().toBuffer();
    const replies = await Promise.all([
      ...Array.from({ length: 4 }, () => patchSound(api, artist, id, { title: '間に合う' }, picture)),
      removeSound(api, artist, id),
    ]);
    expect(replies.at(-1)?.status).toBe(200);
    for (const { status } of replies) expect([200, 404]).toContain(status);
    await erase();
    expect(await countRows('sounds')).toBe(0);
    const retired = await listRows(database, 'retired_pictures', {}, ['picture_key']);
    const left = new Set([...storage.objects.keys()].map((key) => key.split('/')[1]));
    // Just replaced files are kept for pages that still refer to them.
    expect([...left].filter((key) => !retired.some(({ picture_key }) => picture_key === key))).toEqual([]);
  });

  rule('the same file can be uploaded again afterwards', async () => {
    await removeSound(api, artist, id);
    await readSound(await sendSound(api, artist, { content: mp3, type }));
    await erase();
    expect(storage.objects.size).toBe(1);
  });

  rule('keeps a file that another sound of the demo shares', async () => {
    const key = 'd'.repeat(64);
    await storage.put(`sounds/${key}`, mp3);
    const shared = { ...toFile('demo'), audio_key: key, type_id: Number(type), title: '共有' };
    const first = await createSound(database, { ...shared, artist_id: artist });
    const second = await createSound(database, { ...shared, artist_id: fan });
    await removeSound(api, artist, first.id);
    await erase();
    expect(storage.objects.has(`sounds/${key}`)).toBe(true);
    await removeSound(api, fan, second.id);
    await erase();
    expect(storage.objects.has(`sounds/${key}`)).toBe(false);
  });

  rule('is erased although storage fails, and the files are collected later', async () => {
    const failing = { ...storage, delete: () => Promise.reject(new Error('not now')) };
    expect((await removeSound(api, artist, id)).status).toBe(200);
    api.clock.advance(7 * 86_400_000);
    await eraseDeletedSounds({ ...api.deps, storage: failing });
    expect(api.logged).toContainEqual(
      expect.objectContaining({ msg: 'an unused file could not be deleted' }),
    );
    expect(await countRows('sounds')).toBe(0);
    expect(await countRows('unclaimed_files')).toBe(2);
    await collectUnclaimedFiles(api.deps);
    expect(storage.objects.size).toBe(0);
    expect(await countRows('unclaimed_files')).toBe(0);
  });
});
