import { beforeEach, describe, expect, test } from 'vitest';
import { expectProblems } from '#support/http/replies.ts';
import { useApi } from '#support/http/use-api.ts';
import { DEFAULT_ARTIST, fillCatalogue } from '#support/sounds/catalogue.ts';
import { ruleDatabases } from '#support/databases/databases.ts';
import { patchSound, readSound } from '#support/sounds/uploads.ts';

const ALL = {
  is_loopable: 'true',
  has_vocals: 'false',
  moods: ['scary', 'calm'],
  licence_uses: ['songs', 'venues'],
  content_id: 'registered',
};

describe.each(ruleDatabases)('facts of a sound on $name', ({ open }) => {
  const { database, api } = useApi(open);
  let artist: string;
  let id: string;

  beforeEach(async () => {
    const catalogue = await fillCatalogue(database, [{ key: 'rain', title: '雨' }]);
    artist = catalogue.artistIds.get(DEFAULT_ARTIST) ?? '';
    id = catalogue.idOf('rain');
  });

  const change = (texts: Parameters<typeof patchSound>[3]) => patchSound(api, artist, id, texts);
  const count = async (query: string) => (await api.json(`/api/sounds/?${query}`)).count as number;

  test('are unknown at first, are changed together, and can be taken back one by one', async () => {
    const sound = await api.json(`/api/sounds/${id}/`);
    expect(sound).toMatchObject({ is_loopable: false, moods: [], added_uses: [] });
    expect(Object.keys(sound)).not.toContain('has_vocals');
    expect(Object.keys(sound)).not.toContain('content_id');
    expect(await readSound(await change(ALL))).toMatchObject({
      is_loopable: true,
      has_vocals: false,
      // In the order of the list, whatever was sent.
      moods: ['calm', 'scary'],
      added_uses: ['venues', 'songs'],
      content_id: 'registered',
    });
    const taken: [texts: Record<string, string>, query: string][] = [
      [{ is_loopable: 'false' }, 'loopable=yes'],
      [{ has_vocals: '' }, 'vocals=no'],
      [{ moods: '' }, 'mood=calm&mood=scary'],
      [{ licence_uses: '' }, 'use=venues&use=songs'],
      [{ content_id: '' }, 'content_id=registered'],
    ];
    for (const [texts, query] of taken) {
      expect(await count(query), query).toBe(1);
      await readSound(await change(texts));
      expect(await count(query), query).toBe(0);
    }
    const changed = await api.json(`/api/sounds/${id}/`);
    expect({ ...changed, updated_at: sound.updated_at }).toEqual(sound);
  });

  test.each([
    [{ moods: ['bright', 'calm', 'sad', 'cute'] }, 'moods'],
    [{ moods: 'loud' }, 'moods'],
    [{ licence_uses: 'everything' }, 'licence_uses'],
    [{ has_vocals: 'maybe' }, 'has_vocals'],
    [{ content_id: 'yes' }, 'content_id'],
    [{ is_loopable: '' }, 'is_loopable'],
  ])('%o is refused by name', async (texts, name) => {
    await expectProblems(change(texts as Record<string, string>), 400, [name]);
  });
});
