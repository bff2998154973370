import { beforeEach, describe, expect, test } from 'vitest';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { bothDatabases, updateRows } from '#support/databases/databases.ts';
import { makeMp3 } from '#support/files/sound-fixtures.ts';
import {
  addUploader,
  useUploadApi,
  patchSound,
  readSound,
  removeSound,
  sendSound,
} from '#support/sounds/uploads.ts';

type Who = 'visitor' | 'other' | 'unverified' | 'blocked' | 'owner';

describe.each(bothDatabases)('own sounds on $name', ({ open, rule }) => {
  const { database, api } = useUploadApi(open);
  let type: string;
  let effects: string;
  const members = new Map<Who, string>();
  let made = 0;

  beforeEach(async () => {
    members.clear();
    type = String(await createSoundType(database, { name: 'BGM' }));
    effects = String(await createSoundType(database, { name: '効果音' }));
    members.set('other', await addUploader(database, 'other'));
    members.set('owner', await addUploader(database, 'owner'));
    members.set('unverified', await addUploader(database, 'unverified', { is_verified: false }));
    members.set('blocked', await addUploader(database, 'blocked', { is_blocked: true }));
  });

  const idOf = (who: Who) => members.get(who) ?? null;
  async function makeSound(who: Who = 'owner', soundType = type): Promise<string> {
    made += 1;
    const content = await makeMp3(0.1 + made / 100);
    const userId = idOf(who);
    const response = await sendSound(api, userId, { content, type: soundType, name: `${made}.mp3` });
    return (await readSound(response)).id;
  }

  test('a member who is blocked after uploading cannot edit, sees that, and can still delete', async () => {
    const artist = await addUploader(database, 'later');
    members.set('visitor', artist);
    const id = await makeSound('visitor');
    members.delete('visitor');
    await updateRows(database, 'users', { is_blocked: 1 }, { id: artist });
    expect((await patchSound(api, artist, id, { title: '変更' })).status).toBe(403);
    expect(await api.json(`/api/sounds/${id}/`, artist)).toMatchObject({ is_editable: false });
    expect((await removeSound(api, artist, id)).status).toBe(200);
  });

  rule('the owner lists private sounds by type, editable; others see only public ones', async () => {
    const owner = await addUploader(database, 'lister');
    members.set('visitor', owner);
    const hidden = await makeSound('visitor');
    const shown = await makeSound('visitor');
    const effect = await makeSound('visitor', effects);
    members.delete('visitor');
    await readSound(await patchSound(api, owner, shown, { is_published: 'true' }));

    async function list(path: string, userId?: string) {
      const { results } = await api.json(`/api/sounds/?user=lister&include_private=true${path}`, userId);
      return (results as { id: string; is_editable: boolean }[]).map((sound) => [
        sound.id,
        sound.is_editable,
      ]);
    }
    expect(await list(`&type=${type}&page_size=100`, owner)).toEqual([
      [shown, true],
      [hidden, true],
    ]);
    expect(await list(`&type=${effects}&page_size=100`, owner)).toEqual([[effect, true]]);
    for (const stranger of [undefined, ...members.values()]) {
      expect(await list('&page_size=100', stranger)).toEqual([[shown, false]]);
    }
  });

  test('A3: ids are too long to guess and share no prefix', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, () => makeSound()));
    for (const id of ids) expect(id).toMatch(/^[0-9A-Za-z]{16}$/);
    expect(new Set(ids.map((id) => id.slice(0, 4))).size).toBe(5);
  });
});
