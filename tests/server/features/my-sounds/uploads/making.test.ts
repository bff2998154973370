import type { KyselyPlugin } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { RESUMABLE_AGE_MS_MAX } from '#contract/sounds/resumable-uploads.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { SOUND_BYTES_TOTAL_MAX } from '#server/features/my-sounds/limits.ts';
import { deleteExpiredUploads } from '#server/features/my-sounds/uploads/leftovers.ts';
import { type Storage, INCOMING_MS_MAX } from '#server/platform/storage/port.ts';
import { bothDatabases, insertMany, listRows, updateRows } from '#support/databases/databases.ts';
import { resolve } from '#support/delegate.ts';
import { FORM_TYPE, toFormBytes } from '#support/http/forms.ts';
import {
  UPLOADS_PATH,
  createResumableApi,
  useResumableApi,
  createUpload,
  makeSound,
  readOffset,
  sendPiece,
  sendUpload,
  toProblem,
  tus,
} from '#support/sounds/resumable-uploads.ts';
import { makeMp3 } from '#support/files/sound-fixtures.ts';
import {
  addUploader,
  eraseDeleted,
  patchSound,
  readSound,
  removeSound,
  sendForm,
} from '#support/sounds/uploads.ts';

const mp3 = await makeMp3(0.5);
const other = await makeMp3(0.7);

/** `found` resolves when so many look-ups of uploads have been answered. */
function watchUploads(lookUps: number) {
  const { promise: found, resolve: end } = Promise.withResolvers<void>();
  const asked = new WeakSet<object>();
  let left = lookUps;
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      if (node.kind === 'SelectQueryNode' && JSON.stringify(node).includes('"resumable_uploads"'))
        asked.add(queryId);
      return node;
    },
    transformResult({ queryId, result }) {
      if (asked.has(queryId) && (left -= 1) === 0) end();
      return Promise.resolve(result);
    },
  };
  return { plugin, found };
}

const toAnswer = async (response: Response) => `${response.status} ${await response.text()}`;

describe.each(bothDatabases)('sounds of uploads on $name', ({ open, rule }) => {
  const { database, api, storage, listPieces, useMember } = useResumableApi(open);
  const artist = useMember({ username: 'artist', is_verified: true });
  let type: string;

  beforeEach(async () => {
    type = String(await createSoundType(database, { name: 'BGM' }));
    await api.logIn(artist);
  });

  const sounds = () => listRows(database, 'sounds');
  const sweep = () => deleteExpiredUploads(api.deps);
  const pieces = () => listRows(database, 'upload_pieces');
  const notes = () => listRows(database, 'resumable_uploads');

  rule('an upload becomes a private sound like a file, and its bytes are removed', async () => {
    const upload = await sendUpload(api, artist, mp3);
    const sound = await readSound(await makeSound(api, artist, upload, type, '../../../夜の雨.mp3'));
    expect(sound).toMatchObject({
      title: '夜の雨',
      filename: '夜の雨.mp3',
      is_published: false,
      type,
      size_bytes: mp3.byteLength,
      file_url: `/audio/${sound.id}?signed`,
    });
    expect(storage.objects.size).toBe(1);
    expect(await listPieces()).toEqual([]);
    const undecoded = () => listRows(database, 'undecoded_sounds');
    await expect.poll(undecoded, { timeout: 10_000 }).toEqual([]);
    expect(api.logged).toEqual([]);
  });

  rule('U14: a repeated call returns the same sound as it is now, even without room', async () => {
    const upload = await sendUpload(api, artist, mp3);
    const { id } = await readSound(await makeSound(api, artist, upload, type));
    await patchSound(api, artist, id, { title: '新しい名前' });
    expect(await readSound(await makeSound(api, artist, upload, '999'))).toMatchObject({
      id,
      title: '新しい名前',
    });
    await updateRows(database, 'sounds', { audio_size: SOUND_BYTES_TOTAL_MAX + 1 });
    const body = toFormBytes([
      { name: 'types', content: type },
      { name: 'upload', content: upload },
    ]);
    const authorization = `Bearer ${await api.logIn(artist)}`;
    const headers = { authorization, 'content-type': FORM_TYPE, 'content-length': String(body.byteLength) };
    const init = { method: 'POST', headers, body: body as BodyInit };
    expect(await readSound(await api.app.request('/api/sounds/', init))).toMatchObject({ id });
    expect(await sounds()).toHaveLength(1);
  });

  rule('a used upload counts as received, takes no more bytes; its sound survives its end', async () => {
    const upload = await sendUpload(api, artist, mp3);
    const { id } = await readSound(await makeSound(api, artist, upload, type));
    const address = `${UPLOADS_PATH}${upload}`;
    expect(await readOffset(api, artist, address)).toBe(mp3.byteLength);
    expect((await sendPiece(api, artist, address, 0, mp3)).status).toBe(409);
    expect((await sendPiece(api, artist, address, mp3.byteLength, mp3)).status).toBe(413);
    expect(await listPieces()).toEqual([]);
    expect((await tus(api, 'DELETE', address, { userId: artist })).status).toBe(404);
    expect(await readSound(await makeSound(api, artist, upload, type))).toMatchObject({ id });
  });

  rule('after the sound is deleted, or a day has passed, the upload is answered 404', async () => {
    const first = await sendUpload(api, artist, mp3);
    const { id } = await readSound(await makeSound(api, artist, first, type));
    await removeSound(api, artist, id);
    expect((await makeSound(api, artist, first, type)).status).toBe(404);
    const second = await sendUpload(api, artist, other);
    api.clock.advance(RESUMABLE_AGE_MS_MAX);
    expect((await makeSound(api, artist, second, type)).status).toBe(404);
    api.clock.advance(INCOMING_MS_MAX);
    await sweep();
    await eraseDeleted(api, storage);
    expect([await notes(), await listPieces(), await sounds()]).toEqual([[], [], []]);
  });

  rule('an incomplete upload creates nothing, and can continue', async () => {
    const address = await createUpload(api, artist, mp3.byteLength);
    const upload = address.slice(UPLOADS_PATH.length);
    expect(await toProblem(await makeSound(api, artist, upload, type))).toEqual([409, ['upload']]);
    await sendPiece(api, artist, address, 0, mp3.subarray(0, -1));
    expect(await toProblem(await makeSound(api, artist, upload, type))).toEqual([409, ['upload']]);
    await sendPiece(api, artist, address, mp3.byteLength - 1, mp3.subarray(-1));
    await readSound(await makeSound(api, artist, upload, type));
  });

  rule('A1: another member’s upload, or a missing one, creates nothing', async () => {
    const upload = await sendUpload(api, artist, mp3);
    const thief = await addUploader(database, 'thief');
    const answers = [];
    for (const id of [upload, 'x'.repeat(16), '../../etc/passwd', '\u0000', 'あ'.repeat(500)]) {
      const response = await makeSound(api, thief, id, type);
      answers.push([response.status, await response.text()]);
    }
    expect(answers[0]?.[0]).toBe(404);
    expect(new Set(answers.map(String)).size).toBe(1);
    expect(await sounds()).toEqual([]);
    await readSound(await makeSound(api, artist, upload, type));
  });

  rule('a form with both a file and an upload, or with neither, is refused and names the field', async () => {
    const upload = { name: 'upload', content: await sendUpload(api, artist, mp3) };
    const file = { name: 'file', filename: 'a.mp3', content: mp3 };
    const types = { name: 'types', content: type };
    const send = async (parts: Parameters<typeof sendForm>[3]) =>
      toProblem(await sendForm(api, 'POST', '/api/sounds/', parts, artist));
    expect(await send([types, upload, file])).toEqual([400, ['upload']]);
    expect(await send([types, upload, upload])).toEqual([400, ['upload']]);
    expect(await send([types])).toEqual([400, ['file']]);
    expect(await send([types, { name: 'upload', content: '' }])).toEqual([400, ['file']]);
    expect(await sounds()).toEqual([]);
    expect(await listPieces()).toHaveLength(1);
  });

  rule('a file that is not a sound, or a duplicate, is refused with the reason and removed', async () => {
    const broken = await sendUpload(api, artist, Buffer.from('MZ'.repeat(500)));
    expect(await toProblem(await makeSound(api, artist, broken, type))).toEqual([400, ['file']]);
    await readSound(await makeSound(api, artist, await sendUpload(api, artist, mp3), type));
    const twin = await sendUpload(api, artist, mp3);
    const refused = await makeSound(api, artist, twin, type);
    expect([refused.status, JSON.stringify(await refused.json())]).toEqual([
      400,
      expect.stringContaining('雨'),
    ]);
    expect(await listPieces()).toEqual([]);
    expect((await notes()).filter((row) => row.sound_id === null)).toEqual([]);
    expect((await makeSound(api, artist, twin, type)).status).toBe(404);
    expect(api.logged).toEqual([]);
  });

  rule('a refusal for another reason keeps the file', async () => {
    const upload = await sendUpload(api, artist, mp3);
    expect(await toProblem(await makeSound(api, artist, upload, '999'))).toEqual([400, ['types']]);
    await updateRows(database, 'users', { is_blocked: 1 }, { id: artist });
    expect((await makeSound(api, artist, upload, type)).status).toBe(403);
    await updateRows(database, 'users', { is_blocked: 0 }, { id: artist });
    await readSound(await makeSound(api, artist, upload, type));
  });

  test('U21: of many concurrent calls for an upload, each gets the same sound or the same refusal', async () => {
    const callAll = async (upload: string) => {
      // The bytes are read when each of the twelve calls has found the upload, and the first one again under the lock:
      // a call that comes after a refusal finds none.
      const asked = watchUploads(13);
      const read: Storage['open'] = async (...object) => {
        await asked.found;
        return storage.open(...object);
      };
      const { api: held } = await createResumableApi(
        { ...resolve(database), db: database.db.withPlugin(asked.plugin) },
        { storage: { ...storage, open: read } },
      );
      await held.logIn(artist);
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => makeSound(held, artist, upload, type).then(toAnswer)),
      );
      expect(held.logged).toEqual([]);
      return new Set(answers);
    };
    const made = [...(await callAll(await sendUpload(api, artist, mp3)))];
    expect(made).toEqual([expect.stringMatching(/^200 .*"title":"雨"/)]);
    expect([(await sounds()).length, storage.objects.size]).toEqual([1, 1]);
    const refused = [...(await callAll(await sendUpload(api, artist, Buffer.from('MZ'.repeat(500)))))];
    expect(refused).toEqual([expect.stringMatching(/^400 .*"file":.*壊れています/)]);
    expect(await listPieces()).toEqual([]);
  });

  test('U21: of many concurrent calls with different names, each gets the sound, or hears that it is in use', async () => {
    const upload = await sendUpload(api, artist, mp3);
    const names = Array.from({ length: 12 }, (_, index) => `${index}.mp3`);
    const answers = await Promise.all(
      names.map((name) => makeSound(api, artist, upload, type, name).then(toAnswer)),
    );
    const [{ id } = { id: '' }, ...more] = await sounds();
    expect(more).toEqual([]);
    const others = answers.filter((answer) => !answer.includes(`"id":"${id}"`));
    for (const answer of others) expect(answer).toMatch(/^409 .*別の通信で処理しています/);
    expect(others.length).toBeLessThan(8);
    expect(await readSound(await makeSound(api, artist, upload, type))).toMatchObject({ id });
  });

  test('U21: while a sound is being made, four calls with other names wait, and further ones hear that it is in use', async () => {
    const upload = await sendUpload(api, artist, mp3);
    const refused = Promise.withResolvers<void>();
    const put: Storage['put'] = async (...object) => {
      await refused.promise;
      return storage.put(...object);
    };
    const { api: slow } = await createResumableApi(database, { storage: { ...storage, put } });
    await slow.logIn(artist);
    let refusals = 0;
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, index) => {
        const response = await makeSound(slow, artist, upload, type, `${index}.mp3`);
        if (response.status === 409) refusals += 1;
        if (refusals === 7) refused.resolve();
        return response.status;
      }),
    );
    expect(answers.toSorted()).toEqual([...Array<number>(5).fill(200), ...Array<number>(7).fill(409)]);
    expect(await sounds()).toHaveLength(1);
  });

  test('U21: of many concurrent last pieces one is taken, and the others are refused with 409', async () => {
    const address = await createUpload(api, artist, mp3.byteLength);
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async () => (await sendPiece(api, artist, address, 0, mp3)).status),
    );
    expect(statuses.toSorted()).toEqual([204, ...Array.from({ length: 11 }, () => 409)]);
    await readSound(await makeSound(api, artist, address.slice(UPLOADS_PATH.length), type));
  });

  test('two independent processes create one sound', async () => {
    const { api: second } = await createResumableApi(database, { storage });
    await second.logIn(artist);
    for (let round = 0; round < 5; round += 1) {
      const upload = await sendUpload(api, artist, await makeMp3(1 + round / 10));
      const answers = await Promise.all([api, second].map((host) => makeSound(host, artist, upload, type)));
      const [first, other] = await Promise.all(answers.map(readSound));
      expect(first?.id).toBe(other?.id);
      expect([(await sounds()).length, storage.objects.size]).toEqual([round + 1, round + 1]);
    }
    expect(await listPieces()).toEqual([]);
  });

  rule('U15: a full storage is answered 507, the upload stays, and a later call succeeds', async () => {
    const upload = await sendUpload(api, artist, mp3);
    const put: Storage['put'] = () => Promise.reject(Object.assign(new Error('no room'), { code: 'ENOSPC' }));
    const { api: full } = await createResumableApi(database, { storage: { ...storage, put } });
    expect((await makeSound(full, artist, upload, type)).status).toBe(507);
    expect(await sounds()).toEqual([]);
    await readSound(await makeSound(api, artist, upload, type));
  });

  rule('bytes that could not be removed are swept later, and the sound exists', async () => {
    const upload = await sendUpload(api, artist, mp3);
    const { api: failing } = await createResumableApi(database, {
      storage: { ...storage, delete: () => Promise.reject(new Error('not now')) },
    });
    const { id } = await readSound(await makeSound(failing, artist, upload, type));
    expect(await listPieces()).toHaveLength(1);
    await sweep();
    expect([await listPieces(), await pieces()]).toEqual([[], []]);
    expect(await readSound(await makeSound(api, artist, upload, type))).toMatchObject({ id });
  });

  rule('U14: an upload whose pieces are lost ends with 404, and its client can begin again', async () => {
    const upload = await sendUpload(api, artist, mp3);
    for (const id of await listPieces()) await storage.delete(`upload-pieces/${id}`);
    expect((await makeSound(api, artist, upload, type)).status).toBe(404);
    expect((await tus(api, 'HEAD', `${UPLOADS_PATH}${upload}`, { userId: artist })).status).toBe(404);
    expect([await notes(), await pieces(), await sounds()]).toEqual([[], [], []]);
    expect(api.logged).toEqual([]);
  });

  rule('U14: pieces that a crash left are swept, but none that may still be in progress', async () => {
    const upload_id = (await createUpload(api, artist, 5)).slice(UPLOADS_PATH.length);
    const row = { upload_id, start_byte: 0, size_bytes: null, state_since: api.clock.now() };
    await insertMany(database, 'upload_pieces', [
      { ...row, id: 'crashed', state: 'incoming', state_since: api.clock.now() - INCOMING_MS_MAX - 1 },
      { ...row, id: 'arriving', state: 'incoming' },
      { ...row, id: 'arriving-for-an-ended-upload', upload_id: 'ended', state: 'incoming' },
      { ...row, id: 'received-by-an-ended-upload', upload_id: 'ended', size_bytes: 1, state: 'received' },
    ]);
    for (const { id } of await pieces()) await storage.put(`upload-pieces/${id}`, mp3);
    await sweep();
    expect(await listPieces()).toEqual(['arriving', 'arriving-for-an-ended-upload']);
    expect((await pieces()).map(({ id }) => id).toSorted()).toEqual(await listPieces());
    expect(await notes()).toHaveLength(1);
    expect(api.logged).toEqual([]);
  });

  rule('a file that could not be read into this process is no reason to end the upload', async () => {
    const upload = await sendUpload(api, artist, mp3);
    const open = async (key: string) => storage.open(key, { start: 0, end: 99 });
    const { api: cut } = await createResumableApi(database, { storage: { ...storage, open } });
    expect((await makeSound(cut, artist, upload, type)).status).toBe(500);
    expect(await sounds()).toEqual([]);
    await readSound(await makeSound(api, artist, upload, type));
  });
});
