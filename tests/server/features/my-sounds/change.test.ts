import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { PICTURE_WIDTHS } from '#contract/site/pictures.ts';
import {
  DESCRIPTION_LENGTH_MAX,
  SOUND_SUB_GENRES_MAX,
  TITLE_LENGTH_MAX,
} from '#contract/sounds/my-sounds.ts';
import { LICENCE_USES, MOODS, SOUND_MOODS_MAX } from '#contract/sounds/sound-facts.ts';
import { createGenre } from '#server/features/catalogue/genres/service.ts';
import { deleteRetiredPictures } from '#server/features/pictures/retired.ts';
import { expectProblems } from '#support/http/replies.ts';
import { useApi } from '#support/http/use-api.ts';
import { createTestApi } from '#support/http/api.ts';
import { type TestCatalogue, DEFAULT_ARTIST, fillCatalogue } from '#support/sounds/catalogue.ts';
import { bothDatabases, getRow, listRows, updateRows } from '#support/databases/databases.ts';
import { CANARY, makePaper, makePngBomb, makeTellingJpeg } from '#support/files/pictures.ts';
import { patchSound, readSound, sendForm } from '#support/sounds/uploads.ts';
import { everyTable } from '#server/platform/database/schema.ts';

/** As many values of each as a form can have. */
const FACTS = {
  is_loopable: 'true',
  has_vocals: 'false',
  moods: MOODS.slice(0, SOUND_MOODS_MAX),
  licence_uses: [...LICENCE_USES],
  content_id: 'none',
};

describe.each(bothDatabases)('changes of a sound on $name', ({ open, rule }) => {
  const { database, api, storage } = useApi(open);
  let catalogue: TestCatalogue;
  let artist: string;
  let id: string;

  beforeEach(async () => {
    catalogue = await fillCatalogue(database, [
      { key: 'rain', title: '雨の庭', description: '静かな雨', subGenres: ['雨'], isPublished: false },
      { key: 'foreign', title: '他人の音', artist: '別の人', isPublished: true },
    ]);
    artist = catalogue.artistIds.get(DEFAULT_ARTIST) ?? '';
    id = catalogue.idOf('rain');
    await api.logIn(artist);
  });

  const change = (texts: Parameters<typeof patchSound>[3], thumbnail?: Uint8Array) =>
    patchSound(api, artist, id, texts, thumbnail);
  const row = () => getRow(database, 'sounds', { id });
  const found = async (search: string, user?: string) =>
    (await api.json(`/api/sounds/?search=${encodeURIComponent(`"${search}"`)}`, user)).results.map(
      (sound: { id: string }) => catalogue.keys.get(sound.id),
    );

  rule('each field can be changed alone', async () => {
    const ghost = String(catalogue.subGenre('ホラー'));
    const changes: [Record<string, string | string[]>, Record<string, unknown>][] = [
      [{ title: '嵐の庭' }, { title: '嵐の庭' }],
      [{ description: '一行目\n二行目' }, { description: '一行目\n二行目' }],
      [{ filename: '嵐.mp3' }, { filename: '嵐.mp3' }],
      [{ is_ai_generated: 'true' }, { is_ai_generated: true }],
      [{ sub_genres: [ghost] }, { sub_genres: [ghost] }],
      [{ is_published: 'true' }, { is_published: true }],
    ];
    // Only the call for one sound names the picture of links to it.
    const read = async () => {
      const { share_picture_url: _, ...sound } = await api.json(`/api/sounds/${id}/`, artist);
      return sound;
    };
    let before = await read();
    for (const [texts, expected] of changes) {
      const sound = await readSound(await change(texts));
      const { file_url: _, updated_at: __, ...rest } = { ...before, ...expected };
      expect(sound).toMatchObject(rest);
      before = await read();
      expect(before).toEqual(sound);
    }
  });

  rule('all fields change together; the title is one line in NFC, and values can be empty', async () => {
    await readSound(
      await change({ title: ' か\u3099\n ら ', description: '', is_published: 'true', filename: 'a.mp3' }),
    );
    expect(await row()).toMatchObject({
      title: 'が ら',
      description: '',
      is_published: 1,
      filename: 'a.mp3',
    });
    await readSound(await change({ title: '' }));
    expect((await row()).title).toBe('');
  });

  rule('every field with the maximum number of sub-genres fits into one form', async () => {
    const { subGenreIds } = await createGenre(database, {
      name: 'たくさん',
      subGenres: Array.from({ length: SOUND_SUB_GENRES_MAX }, (_, index) => `種${index}`),
    });
    const texts = {
      title: '題',
      description: '説明',
      filename: 'a.mp3',
      is_published: 'true',
      is_ai_generated: 'true',
      ...FACTS,
    };
    const ids = [...subGenreIds.values()].map(String);
    const picture = await makePaper(20, 20).png().toBuffer();
    const sound = await readSound(await change({ ...texts, sub_genres: ids }, picture));
    expect(sound['sub_genres']).toEqual(ids);
  });

  rule('an empty form changes nothing', async () => {
    const before = await row();
    await readSound(await sendForm(api, 'PATCH', `/api/sounds/${id}/`, [], artist));
    expect({ ...(await row()), updated_at: 0 }).toEqual({ ...before, updated_at: 0 });
  });

  test('publishing shows a sound at once in lists, search and genres, and drops cached pages', async () => {
    expect(await found('雨の庭')).toEqual([]);
    await readSound(await change({ is_published: 'true', sub_genres: [String(catalogue.subGenre('風'))] }));
    expect(await found('雨の庭')).toEqual(['rain']);
    expect(await found('風')).toEqual(['rain']);
    expect((await api.json('/api/sounds/')).count).toBe(2);
    expect(api.countChanges()).toBe(1);
    await readSound(await change({ title: '嵐の庭' }));
    expect([await found('雨の庭'), await found('嵐の庭')]).toEqual([[], ['rain']]);
    expect(api.countChanges()).toBe(2);
  });

  test('A4: unpublishing hides it at once, from lists, search, its own address and its plain file', async () => {
    await readSound(await change({ is_published: 'true' }));
    const sound = await readSound(await change({ is_published: 'false' }));
    expect(sound['file_url']).toBe(`/audio/${id}?signed`);
    expect(await found('雨の庭')).toEqual([]);
    expect((await api.get(`/api/sounds/${id}/`)).status).toBe(404);
    expect((await api.json('/api/sounds/')).count).toBe(1);
    expect(api.countChanges()).toBe(2);
  });

  test('a change that is not public does not drop cached pages', async () => {
    await readSound(await change({ title: 'まだ秘密' }));
    expect(api.countChanges()).toBe(0);
  });

  rule('sub-genres are replaced as a whole, and one empty value removes them', async () => {
    const ids = ['海', '風'].map((name) => String(catalogue.subGenre(name)));
    expect((await readSound(await change({ sub_genres: [...ids, ...ids] })))['sub_genres']).toEqual(
      ids.toSorted(),
    );
    expect((await readSound(await change({ sub_genres: '' })))['sub_genres']).toEqual([]);
  });

  rule.each<[name: string, value: string | string[]]>([
    ['title', 'あ'.repeat(TITLE_LENGTH_MAX + 1)],
    ['description', 'あ'.repeat(DESCRIPTION_LENGTH_MAX + 1)],
    ['filename', ''],
    ['filename', '\u202e'],
    ['is_published', 'yes'],
    ['is_published', ['true', 'false']],
    ['is_ai_generated', '1'],
    ['sub_genres', '999999'],
    ['sub_genres', 'x y'],
    ['sub_genres', Array.from({ length: SOUND_SUB_GENRES_MAX + 1 }, (_, index) => String(index))],
    ['title', ['一', '二']],
  ])('%s that is wrong is refused by name, and the rest with it (%#)', async (name, value) => {
    const before = await row();
    const others = name === 'description' ? { title: '新' } : { description: '新しい' };
    const response = await change({ ...others, [name]: value });
    const reasons = (await response.json()) as Record<string, string>;
    expect([response.status, Object.keys(reasons)]).toEqual([400, [name]]);
    expect(reasons[name]).toMatch(/[ぁ-ん]/);
    expect(await row()).toEqual(before);
  });

  rule('A2: no other field can be written under any name', async () => {
    const before = await row();
    const known = new Set([
      'title',
      'description',
      'filename',
      'is_published',
      'is_ai_generated',
      'sub_genres',
      ...Object.keys(FACTS),
    ]);
    const columns = Object.keys(before).filter((column) => !known.has(column));
    const names = fc.constantFrom(
      ...columns,
      '__proto__',
      'constructor',
      'is_editable',
      'types',
      'file',
      'toString',
    );
    await fc.assert(
      fc.asyncProperty(names, fc.string({ maxLength: 20 }), async (name, value) => {
        const response = await change({ title: '書き換え', ...Object.fromEntries([[name, value]]) });
        expect(response.status).toBe(400);
        expect(await row()).toEqual(before);
      }),
      { numRuns: 60 },
    );
  });

  test('a thumbnail is stored in its sizes without metadata, and the old one remains for cached pages', async () => {
    const first = await readSound(await change({}, await makeTellingJpeg()));
    const { thumbnail_key: old } = await row();
    expect(first['thumbnail_url']).toBe(`/pictures/thumbnail/${old}/1.webp`);
    for (const object of storage.objects.values()) expect(object.includes(CANARY)).toBe(false);
    await readSound(await change({ title: '絵も' }, await makePaper(60, 60).png().toBuffer()));
    const { thumbnail_key: now } = await row();
    expect(now).not.toBe(old);
    const toObjects = (key: string | null) =>
      PICTURE_WIDTHS.thumbnail.map((width) => `pictures/${key}/${width}.webp`);
    expect([...storage.objects.keys()].toSorted()).toEqual([...toObjects(old), ...toObjects(now)].toSorted());
    api.clock.advance(3_600_001);
    await deleteRetiredPictures(api.deps);
    expect([...storage.objects.keys()].toSorted()).toEqual(toObjects(now).toSorted());
    expect(await listRows(database, 'unclaimed_files')).toEqual([]);
  });

  rule('a replaced thumbnail that another sound shares is not deleted', async () => {
    await readSound(await change({}, await makePaper(60, 60).png().toBuffer()));
    const { thumbnail_key: shared } = await row();
    const other = await everyTable(database.db)
      .selectFrom('sounds')
      .select('id')
      .where('id', '!=', id)
      .executeTakeFirstOrThrow();
    await updateRows(database, 'sounds', { thumbnail_key: shared }, { id: other.id });
    await readSound(await change({}, await makePaper(50, 60).png().toBuffer()));
    api.clock.advance(3_600_001);
    await deleteRetiredPictures(api.deps);
    expect(await storage.find(`pictures/${shared}/${PICTURE_WIDTHS.thumbnail[0]}.webp`)).toBeDefined();
    expect(await listRows(database, 'retired_pictures')).toEqual([]);
  });

  rule('no text contains characters that reverse its direction', async () => {
    const sound = await readSound(await change({ title: '\u202e3pm.雨\u2066', description: 'あ\u200fい' }));
    expect([sound['title'], sound['description']]).toEqual(['3pm.雨', 'あい']);
  });

  rule.each<[what: string, make: () => Buffer | Promise<Buffer>]>([
    ['U2: HTML', () => Buffer.from('<script>alert(1)</script>')],
    ['U5: a bomb', makePngBomb],
    ['nothing', () => Buffer.alloc(0)],
  ])('%s for a thumbnail is refused by name, nothing is stored and nothing changed', async (_, make) => {
    const before = await row();
    await expectProblems(change({ title: '新' }, await make()), 400, ['thumbnail']);
    expect([await row(), storage.objects.size]).toEqual([before, 0]);
    expect(await listRows(database, 'unclaimed_files')).toEqual([]);
  });

  rule('a thumbnail sent with an invalid text is not stored', async () => {
    const picture = await makePaper(20, 20).png().toBuffer();
    expect((await change({ sub_genres: '999999' }, picture)).status).toBe(400);
    expect(storage.objects.size).toBe(0);
    expect(await listRows(database, 'unclaimed_files')).toEqual([]);
  });

  rule('U15: a thumbnail that does not fit on the disk is answered 507, and nothing changes', async () => {
    const before = await row();
    const full = createTestApi(database, {
      storage: {
        ...storage,
        put: () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' })),
      },
    });
    const picture = await makePaper(20, 20).png().toBuffer();
    expect((await patchSound(full, artist, id, { title: '新' }, picture)).status).toBe(507);
    expect(await row()).toEqual(before);
  });

  test('concurrent changes run one after the other, and index and rows agree', async () => {
    const titles = Array.from({ length: 12 }, (_, index) => `題${index}番`);
    const replies = await Promise.all(titles.map((title) => change({ title, is_published: 'true' })));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const { title } = await row();
    for (const other of titles) expect(await found(other)).toEqual(other === title ? ['rain'] : []);
  });
});
