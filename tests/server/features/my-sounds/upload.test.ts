import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { AUDIO_BYTES_MAX, AUDIO_PROBLEM, AUDIO_TOO_SHORT } from '#contract/sounds/audio-files.ts';
import { TITLE_LENGTH_MAX } from '#contract/sounds/my-sounds.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { SOUNDS_MAX, SOUND_BYTES_TOTAL_MAX } from '#server/features/my-sounds/limits.ts';
import { decodeWaiting } from '#server/features/my-sounds/decoding.ts';
import { collectUnclaimedFiles } from '#server/features/my-sounds/files.ts';
import { createSound } from '#server/features/catalogue/service.ts';
import { FLAT_PEAKS } from '#contract/sounds/peaks.ts';
import type { Storage } from '#server/platform/storage/port.ts';
import { expectReply } from '#support/http/replies.ts';
import {
  SCRIPT,
  makeApe,
  makeId3,
  makeItunesTags,
  makeTaggedM4a,
  toId3Text,
} from '#support/files/audio-files.ts';
import { makeLongMp3 } from '#support/files/long-mp3.ts';
import { toFile } from '#support/sounds/catalogue.ts';
import { bothDatabases, insertMany, insertRow, listRows, updateRows } from '#support/databases/databases.ts';
import { makeM4a, makeMp3 } from '#support/files/sound-fixtures.ts';
import {
  addUploader,
  createUploadApi,
  useUploadApi,
  eraseDeleted,
  readSound,
  removeSound,
  sendForm,
  sendSound,
} from '#support/sounds/uploads.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const HOUR_MS = 3_600_000;
const mp3 = await makeMp3(0.5);
const other = await makeMp3(0.7);
const diskFull = Object.assign(new Error('no space'), { code: 'ENOSPC' });

describe.each(bothDatabases)('uploads on $name', ({ open, rule }) => {
  const { database, api, storage, forms, useMember } = useUploadApi(open);
  const artist = useMember({ username: 'artist', is_verified: true });
  let type: string;

  beforeEach(async () => {
    type = String(await createSoundType(database, { name: 'BGM' }));
    await api.logIn(artist);
  });

  const send = (content: Uint8Array, more: object = {}, userId: string | null = artist) =>
    sendSound(api, userId, { content, type, ...more });
  const rows = () => everyTable(database.db).selectFrom('sounds').selectAll().orderBy('seq').execute();
  const notes = () => listRows(database, 'unclaimed_files');
  const readErrors = async (response: Response) => [
    response.status,
    Object.keys((await response.json()) as object),
  ];
  /** Expects that nothing is listed, stored, noted or left on disk. */
  async function expectNothing(): Promise<void> {
    expect(await rows()).toEqual([]);
    expect(storage.objects.size).toBe(0);
    expect(await notes()).toEqual([]);
    expect(await readdir(forms.folder)).toEqual([]);
  }

  rule('a new sound is private, with the facts of its file and its title from the tags', async () => {
    const tagged = Buffer.concat([makeId3([['TIT2', toId3Text('雨の音')]]), mp3]);
    const sound = await readSound(await send(tagged, { name: '01 rain.mp3' }));
    expect(sound).toMatchObject({
      title: '雨の音',
      filename: '01 rain.mp3',
      description: '',
      is_published: false,
      is_editable: true,
      is_ai_generated: false,
      artist_name: 'artist',
      type,
      mime_type: 'audio/mpeg',
      size_bytes: mp3.byteLength,
      sample_rate_hz: 44_100,
      bit_rate_kbps: 96,
      file_url: `/audio/${sound.id}?signed`,
      thumbnail_url: null,
      sub_genres: [],
    });
    expect(sound['duration_ms']).toBeGreaterThan(490);
    expect(await api.json(`/api/sounds/${sound.id}/`, artist)).toMatchObject({ id: sound.id });
    expect((await api.get(`/api/sounds/${sound.id}/`)).status).toBe(404);
    expect(api.countChanges()).toBe(0);
  });

  rule('the reply does not wait for the waveform, which follows', async () => {
    const { promise: replied, resolve } = Promise.withResolvers<void>();
    const { api: waiting, folder: own } = await createUploadApi(database, {
      storage: { ...storage, open: async (key) => (await replied, storage.open(key)) },
    });
    const sound = await readSound(await sendSound(waiting, artist, { content: mp3, type }));
    expect(sound['peaks']).toBe(FLAT_PEAKS);
    resolve();
    await expect.poll(async () => (await rows())[0]?.peaks, { timeout: 10_000 }).not.toBe(FLAT_PEAKS);
    expect(await listRows(database, 'undecoded_sounds')).toEqual([]);
    await expect.poll(() => readdir(own)).toEqual([]);
  });

  rule('an interrupted waveform is read later, and a missing file does not delay others', async () => {
    for (const [index, key] of ['missing', 'kept'].entries()) {
      await createSound(database, {
        ...toFile(key),
        peaks: FLAT_PEAKS,
        artist_id: artist,
        type_id: Number(type),
        title: key,
        audio_key: key.padEnd(64, '0'),
        created_at: index,
        is_fresh: true,
      });
    }
    await storage.put(`sounds/${'kept'.padEnd(64, '0')}`, mp3);
    await decodeWaiting(api.deps);
    const [missing, kept] = await rows();
    expect(missing?.peaks).toBe(FLAT_PEAKS);
    expect(kept?.peaks).not.toBe(FLAT_PEAKS);
    const notes = await listRows(database, 'undecoded_sounds', {}, ['sound_seq', 'state']);
    expect(notes).toEqual([{ sound_seq: missing?.seq, state: 'failed' }]);
  });

  rule.each<[what: string, given: object, title: string, filename: string]>([
    ['the tags are empty', { name: '風.mp3' }, '風', '風.mp3'],
    ['U4: the name is a path', { name: '../../../etc/passwd' }, 'passwd', 'passwd'],
    ['U4: the name turns around', { name: 'a\u202e3pm.mp3' }, 'a3pm', 'a3pm.mp3'],
    ['the text names it', { name: 'a.mp3', filename: '森.mp3' }, '森', '森.mp3'],
    ['the name has its accent apart', { name: 'か\u3099.mp3' }, 'が', 'が.mp3'],
    ['there is no name', { name: '..', filename: '..' }, 'sound', 'sound'],
  ])('is named when %s', async (_, given, title, filename) => {
    expect(await readSound(await send(mp3, given))).toMatchObject({ title, filename });
  });

  describe('a title that another sound of the artist has', () => {
    const sounds = [mp3, other, makeM4a(20), makeM4a(30)].map((content) => Buffer.from(content));
    const tag = (content: Uint8Array, title: string) =>
      Buffer.concat([makeId3([['TIT2', toId3Text(title)]]), content]);
    const titlesOf = async () => (await rows()).map(({ title }) => title).toSorted();

    rule('is replaced by the file name, and that by a number', async () => {
      const [one = mp3, two = mp3, three = mp3, four = mp3] = sounds;
      await send(tag(one, 'アルバム'), { name: '01 雨.mp3' });
      const second = await readSound(await send(tag(two, 'アルバム'), { name: '02 風.mp3' }));
      expect(second['title']).toBe('02 風');
      expect((await readSound(await send(three, { name: 'アルバム.m4a' })))['title']).toBe('アルバム (2)');
      expect((await readSound(await send(four, { name: 'アルバム.m4a' })))['title']).toBe('アルバム (3)');
    });

    rule('is checked per artist, and free again once its sound is deleted', async () => {
      const [one = mp3, two = mp3] = sounds;
      const { id } = await readSound(await send(tag(one, '雨の音'), { name: 'a.mp3' }));
      const stranger = await addUploader(database, 'stranger');
      const theirs = await send(tag(two, '雨の音'), { name: 'b.mp3' }, stranger);
      expect((await readSound(theirs))['title']).toBe('雨の音');
      await removeSound(api, artist, id);
      expect((await readSound(await send(tag(two, '雨の音'), { name: 'b.mp3' })))['title']).toBe('雨の音');
    });

    rule('stays within the maximum length when it is numbered', async () => {
      const [one = mp3, two = mp3] = sounds;
      const long = '雨'.repeat(TITLE_LENGTH_MAX);
      await send(tag(one, long), { name: `${long}.mp3` });
      const { title } = await readSound(await send(tag(two, long), { name: `${long}.mp3` }));
      expect(title).toBe(`${'雨'.repeat(TITLE_LENGTH_MAX - 4)} (2)`);
    });

    test('is numbered when the files are sent concurrently', async () => {
      const answers = await Promise.all(
        [mp3, other].map((content, index) => send(tag(content, 'Untitled'), { name: `take ${index}.mp3` })),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const titles = await titlesOf();
      expect(titles).toContain('Untitled');
      expect(new Set(titles).size).toBe(2);
    });
  });

  rule('U4: any file name is made safe to show, and none decides where a file is stored', async () => {
    const names = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 });
    await fc.assert(
      fc.asyncProperty(names, async (name) => {
        const sound = await readSound(
          await sendForm(
            api,
            'POST',
            '/api/sounds/',
            [
              { name: 'types', content: type },
              { name: 'filename', content: name },
              { name: 'file', filename: 'a.mp3', content: mp3 },
            ],
            artist,
          ),
        );
        for (const text of [sound['title'], sound['filename']] as string[]) {
          expect([...text].length).toBeLessThanOrEqual(200);
          expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
          expect(text.normalize('NFC')).toBe(text);
        }
        for (const key of storage.objects.keys()) expect(key).toMatch(/^sounds\/[0-9a-f]{64}$/);
        await removeSound(api, artist, sound.id);
      }),
      { numRuns: 25 },
    );
  });

  rule('U1: only the audio is stored: no tags, no cover, no executable content', async () => {
    const script = Buffer.from(SCRIPT);
    const dirty = Buffer.concat([
      makeId3([
        ['APIC', script],
        ['TXXX', script],
      ]),
      mp3,
      makeApe(SCRIPT),
    ]);
    const first = await readSound(await send(dirty));
    const second = await readSound(
      await send(makeTaggedM4a([makeItunesTags(SCRIPT)]), { name: 'a.m4a', mime: 'audio/x-m4a' }),
    );
    expect([first['mime_type'], second['mime_type']]).toEqual(['audio/mpeg', 'audio/mp4']);
    expect(storage.objects.size).toBe(2);
    for (const object of storage.objects.values()) expect(object.includes('script')).toBe(false);
    for (const row of await rows()) {
      const object = storage.objects.get(`sounds/${row.audio_key}`);
      expect(object?.byteLength).toBe(row.audio_size);
      expect(
        createHash('sha256')
          .update(object ?? '')
          .digest('hex'),
      ).toBe(row.content_hash);
    }
  });

  const bodies: [what: string, content: Uint8Array][] = [
    ['HTML', Buffer.from(SCRIPT)],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['JavaScript', Buffer.from('alert(1)')],
    ['a program', Buffer.concat([Buffer.from('MZ\x90\0'), Buffer.alloc(60_000, 'x')])],
    ['an ID3 tag and HTML', Buffer.concat([makeId3([['TIT2', toId3Text('題')]]), Buffer.from(SCRIPT)])],
    ['U8: an M4A without moov', makeM4a().subarray(0, 32)],
  ];
  rule.each(bodies)('U2, U3: %s is refused under any name, and nothing is stored', async (_, content) => {
    for (const [name, mime] of [
      ['a.mp3', 'audio/mpeg'],
      ['a.m4a', 'audio/x-m4a'],
      ['a.mp3.html', 'text/html'],
      ['a.html%00.mp3', 'application/octet-stream'],
    ] as const) {
      const response = await send(content, { name, mime });
      expect(response.status).toBe(400);
      const { file } = (await response.json()) as { file: string };
      expect(file).toContain(AUDIO_PROBLEM);
      expect(file).toMatch(/[ぁ-ん]/);
    }
    await expectNothing();
  });

  rule('U3: is recognised by its content: an MP3 named and typed as HTML is accepted', async () => {
    const sound = await readSound(await send(mp3, { name: 'a.html', mime: 'text/html' }));
    expect(sound['mime_type']).toBe('audio/mpeg');
  });

  rule.each([['audio/mp4'], ['audio/m4a'], ['']])('U3: an M4A typed as %j is accepted', async (mime) => {
    const sound = await readSound(await send(makeM4a(), { name: 'a.m4a', mime }));
    expect(sound['mime_type']).toBe('audio/mp4');
  });

  rule('a sound of one frame, which no browser plays, is refused as too short', async () => {
    const oneFrame = makeLongMp3(1_100, 1);
    for (const content of [oneFrame, makeM4a(1)]) {
      await expectReply(send(content), 400, { file: `${AUDIO_PROBLEM} ${AUDIO_TOO_SHORT}` });
    }
    await expectNothing();
  });

  rule('Apple Lossless in an M4A is refused as an unsupported format', async () => {
    const content = readFileSync(new URL('../../../fixtures/audio/alac.m4a', import.meta.url));
    await expectReply(send(content, { name: 'a.m4a', mime: 'audio/x-m4a' }), 400, {
      file: `${AUDIO_PROBLEM} 「Apple Lossless（ALAC）」の形式には対応していません。MP3か、AACのM4Aに書き出してください。`,
    });
    await expectNothing();
  });

  rule('an empty or missing file and a missing or unknown type are refused and named', async () => {
    expect(await readErrors(await send(Buffer.alloc(0)))).toEqual([400, ['file']]);
    const types = { name: 'types', content: type };
    const file = { name: 'file', filename: 'a.mp3', content: mp3 };
    for (const [parts, name] of [
      [[types], 'file'],
      [[file], 'types'],
      [[{ ...types, content: '99999' }, file], 'types'],
      [[{ ...types, content: 'x' }, file], 'types'],
      [[types, types, file], 'types'],
      [[types, file, { name: 'is_published', content: 'true' }], 'is_published'],
    ] as const) {
      expect(await readErrors(await sendForm(api, 'POST', '/api/sounds/', parts, artist))).toEqual([
        400,
        [name],
      ]);
    }
    await expectNothing();
  });

  rule('U9: a sound of more than an hour is refused', async () => {
    const frame = Buffer.alloc(72);
    frame.set([0xff, 0xe3, 0x18, 0xc0]); // 72 ms
    const response = await send(Buffer.concat(Array.from({ length: 51_000 }, () => frame)));
    expect(await response.json()).toEqual({ file: '長さは60分までです。' });
    await expectNothing();
  });

  rule('U10: more than 100 MB is refused, and nothing is stored', { timeout: 30_000 }, async () => {
    expect((await send(Buffer.alloc(AUDIO_BYTES_MAX + 1))).status).toBe(413);
    await expectNothing();
  });

  rule('a duplicate file is refused, whatever its tags, and the reply names the existing sound', async () => {
    await readSound(await send(mp3, { name: '最初.mp3' }));
    const again = Buffer.concat([makeId3([['TIT2', toId3Text('別の題')]]), mp3, makeApe('x')]);
    const response = await send(again, { name: '次.mp3' });
    expect(response.status).toBe(400);
    expect(((await response.json()) as { file: string }).file).toContain('「最初」');
    expect(await rows()).toHaveLength(1);
    expect(storage.objects.size).toBe(1);
  });

  test('of one file sent ten times concurrently, one is accepted and nothing of the others is stored', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, () => send(mp3)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 400),
    ]);
    expect(await rows()).toHaveLength(1);
    expect(storage.objects.size).toBe(1);
    expect(await notes()).toEqual([]);
  });

  rule('U13: another artist’s file is accepted and noted, and each can delete their own', async () => {
    const first = await readSound(await send(mp3));
    const thief = await addUploader(database, 'another');
    const second = await readSound(await send(mp3, {}, thief));
    expect(await listRows(database, 'sound_copies')).toMatchObject([
      { sound_id: second.id, artist_id: thief, original_id: first.id, original_artist_id: artist },
    ]);
    expect(
      api.logged.some(({ msg }) => msg === "upload has the same content as another artist's sound"),
    ).toBe(true);
    expect((await removeSound(api, artist, first.id)).status).toBe(200);
    await eraseDeleted(api, storage);
    expect(storage.objects.size).toBe(1);
    const [left] = await rows();
    expect([...storage.objects.keys()]).toEqual([`sounds/${left?.audio_key}`]);
  });

  rule('U12: an artist has room for 2,000 sounds and 20 GB', async () => {
    const row = { ...toFile('big'), artist_id: artist, type_id: Number(type), title: '大' };
    await createSound(database, { ...row, audio_size: SOUND_BYTES_TOTAL_MAX - 100 });
    expect(await readErrors(await send(mp3))).toEqual([409, ['file']]);
    expect(storage.objects.size).toBe(0);
    await updateRows(database, 'sounds', { audio_size: 1 });
    await readSound(await send(mp3));
    const [{ seq: _, id: __, ...copy } = (await rows())[0]!] = await rows();
    const many = Array.from({ length: SOUNDS_MAX - 2 }, (_value, index) => ({
      ...copy,
      id: `many${index}`,
      content_hash: null,
    }));
    await insertMany(database, 'sounds', many);
    expect(await readErrors(await send(other))).toEqual([409, ['file']]);
  });

  rule.each(['put', 'half'])(
    'U15: when storage is full (%s) the answer is 507, nothing is stored, and a later upload works',
    async (how) => {
      const full: Storage = {
        ...storage,
        async put(key, content) {
          if (how === 'half') for await (const _ of content as AsyncIterable<unknown>) break;
          throw Object.assign(new Error(`no room for ${key}`), diskFull, { code: 'ENOSPC' });
        },
      };
      const { api: failing } = await createUploadApi(database, { storage: full });
      expect((await sendSound(failing, artist, { content: mp3, type })).status).toBe(507);
      await expectNothing();
      await readSound(await send(mp3));
    },
  );

  rule('U15: when the disk for forms is full the answer is 507', async () => {
    const { api: failing } = await createUploadApi(database, {
      temporaryFiles: { make: () => Promise.reject(diskFull) },
    });
    expect((await sendSound(failing, artist, { content: mp3, type })).status).toBe(507);
    await expectNothing();
  });

  rule('U14: stored files never committed are collected after an hour, and not before', async () => {
    const key = 'a'.repeat(64);
    await insertRow(database, 'unclaimed_files', {
      file_key: key,
      kind: 'sound',
      state: 'incoming',
      state_since: api.clock.now(),
    });
    await storage.put(`sounds/${key}`, mp3);
    api.clock.advance(HOUR_MS - 1);
    await collectUnclaimedFiles(api.deps);
    expect(storage.objects.size).toBe(1);
    api.clock.advance(2);
    await collectUnclaimedFiles(api.deps);
    await expectNothing();
  });

  test('U14: an upload that was collected while it was being stored is not listed', async () => {
    const slow: Storage = {
      ...storage,
      async put(key, content) {
        await storage.put(key, content);
        slowApi.clock.advance(HOUR_MS + 1);
        await collectUnclaimedFiles({ ...slowApi.deps, storage });
      },
    };
    const { api: slowApi } = await createUploadApi(database, { storage: slow });
    expect((await sendSound(slowApi, artist, { content: mp3, type })).status).toBe(409);
    await expectNothing();
  });

  rule('a file that cannot be deleted is collected later', async () => {
    let isBroken = true;
    const { api: failing, storage: kept } = await createUploadApi(database);
    const breaking: Storage = {
      ...kept,
      put: () => Promise.reject(diskFull),
      delete: (key) => (isBroken ? Promise.reject(new Error('not now')) : kept.delete(key)),
    };
    const { api: broken } = await createUploadApi(database, { storage: breaking });
    expect((await sendSound(broken, artist, { content: mp3, type })).status).toBe(507);
    expect(await notes()).toMatchObject([{ state: 'removed' }]);
    isBroken = false;
    await collectUnclaimedFiles({ ...failing.deps, storage: breaking });
    expect(await notes()).toEqual([]);
  });
});
