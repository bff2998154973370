import { decodeJwt } from 'jose';
import { beforeEach, describe, expect, test } from 'vitest';
import { compareSearchIndex } from '#server/features/catalogue/search/comparing.ts';
import { createGenre, createSoundType } from '#server/features/catalogue/genres/service.ts';
import { createSound } from '#server/features/catalogue/service.ts';
import { deleteFormerValues } from '#server/features/my-sounds/change-queries.ts';
import {
  CHANGES_PER_ARTIST,
  CHANGES_PER_SOUND,
  FORMER_VALUES_MS,
  FREE_WORSENINGS,
  SOUNDS_MAIL_MS,
} from '#server/features/my-sounds/limits.ts';
import { lockOwner, recordChanges } from '#server/features/my-sounds/recording.ts';
import { hideSound } from '#server/features/takedowns/sounds.ts';
import { PASSWORD, isAccepted, readMails, toTestHash } from '#support/members/accounts.ts';
import { bothDatabases, insertMany, listRows, updateRows } from '#support/databases/databases.ts';
import { expectReply } from '#support/http/replies.ts';
import { useApi } from '#support/http/use-api.ts';
import { toFile } from '#support/sounds/catalogue.ts';
import { createVisitor } from '#support/sounds/downloads.ts';
import { createArtistSession, createMailSender } from './support.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EMAIL = 'artist@example.test';
const WORDS = ['雨音', '波音', '風鈴', '時計', '足音', '鳥の声', '川の音'];
/** What a thief makes of a sound. */
const SPOILT = { title: '盗', description: '', is_published: 'false', moods: [], sub_genres: [] };
const WIDENED = { licence_uses: ['venues', 'songs'], content_id: 'none' };

describe.each(bothDatabases)('a changed sound on $name', ({ open, rule }) => {
  const { database, api, useMember } = useApi(open);
  const credentials = { email: EMAIL, password_hash: toTestHash(PASSWORD) };
  const artist = useMember({ username: 'artist', is_verified: true, ...credentials });
  const staff = useMember({ username: 'staff', is_staff: true });
  let type: number;
  let genres: number[];
  let ids: string[];
  const session = createArtistSession(api, database, EMAIL);
  const { authorization, pass, enterPassword, undoMails, readToken, undo, keep, describeLink } = session;

  beforeEach(async () => {
    type = await createSoundType(database, { name: 'BGM' });
    const genre = await createGenre(database, { name: 'ムード', subGenres: ['明るい', '切ない'] });
    genres = [...genre.subGenreIds.values()];
    ids = [];
    for (const word of WORDS) ids.push(await add(word));
    await session.logIn();
  });

  async function add(title: string, more: object = {}): Promise<string> {
    const { id } = await createSound(database, {
      ...toFile(title),
      artist_id: artist,
      type_id: type,
      title,
      description: `${title}の説明`,
      is_published: true,
      sub_genre_ids: genres,
      moods: ['calm', 'sad'],
      content_id: 'registered',
      created_at: api.clock.now() - 30 * DAY_MS,
      ...more,
    });
    return id;
  }
  const id = (index = 0) => ids[index] ?? '';
  const send = (sounds: readonly object[]) => api.post('/api/sounds/changes/', { sounds }, authorization());
  const spoil = (soundIds: readonly string[]) => send(soundIds.map((each) => ({ id: each, ...SPOILT })));
  async function patch(soundId: string, texts: Readonly<Record<string, string>>) {
    const form = new FormData();
    for (const [name, value] of Object.entries(texts)) form.append(name, value);
    const init = { method: 'PATCH', headers: authorization(), body: form };
    return api.app.request(`/api/sounds/${soundId}/`, init);
  }
  /** The session of a thief: renewed, but the password was given long ago. */
  async function growOld(): Promise<void> {
    await pass(HOUR_MS);
    await pass(HOUR_MS);
  }
  const readHistory = async (soundId: string, userId = artist) =>
    (await api.json(`/api/sounds/${soundId}/changes/`, userId)).changes as Record<string, unknown>[];
  const selectSeqs = async () =>
    (await listRows(database, 'sounds')).map(({ seq }) => seq).toSorted((a, b) => a - b);
  const countRows = async () => (await listRows(database, 'sound_changes')).length;
  /** Everything of the sounds that an artist can change, without the times of the changes. */
  async function readRows() {
    const sounds = await listRows(database, 'sounds');
    const features = await listRows(database, 'sound_features', {}, ['sound_seq', 'bpm', 'music_key']);
    const tables = [
      sounds.map((sound) => ({ ...sound, updated_at: 0 })),
      await listRows(database, 'sound_sub_genres'),
      features.filter(({ bpm, music_key }) => bpm !== null || music_key !== null),
    ];
    return JSON.stringify(tables.map((rows) => rows.map((row) => JSON.stringify(row)).toSorted()));
  }
  async function expectRefused(response: Response): Promise<void> {
    await expectReply(response, 403, { detail: expect.any(String) as string, code: 'recent_login_required' });
  }

  rule('S21: a call for seven sounds asks an old session for the password, and changes nothing', async () => {
    await growOld();
    const before = await readRows();
    await expectRefused(await spoil(ids));
    expect(await readRows()).toBe(before);
    expect(await countRows()).toBe(0);
    expect(await undoMails()).toEqual([]);
    expect((await enterPassword()).status).toBe(200);
    expect((await spoil(ids)).status).toBe(200);
  });

  rule('S21: the fourth sound of a day asks for the password, whichever call changes it', async () => {
    await growOld();
    expect((await patch(id(0), { title: '一' })).status).toBe(200);
    expect((await spoil([id(1)])).status).toBe(200);
    expect((await patch(id(2), { is_published: 'false' })).status).toBe(200);
    // The same sounds again are no further ones.
    for (const index of [0, 1, 2]) expect((await patch(id(index), { description: '二' })).status).toBe(200);
    await expectRefused(await patch(id(3), { title: '三' }));
    await expectRefused(await spoil([id(0), id(3)]));
    expect((await spoil([id(0), id(1)])).status).toBe(200);
    expect(await undoMails()).toEqual([]);
    await pass(DAY_MS + 1);
    expect((await patch(id(3), { title: '三' })).status).toBe(200);
  });

  test('S21: lets three of many concurrent changes through', async () => {
    await growOld();
    const replies = await Promise.all(ids.map((each) => patch(each, { title: '盗' })));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 403, 403, 403, 403]);
  });

  rule.each([
    ['another use', { licence_uses: 'venues' }],
    ['no Content ID', { content_id: 'none' }],
    ['no word of Content ID', { content_id: '' }],
  ])('S21: allowing %s asks for the password, once for many sounds, and is mailed', async (_, texts) => {
    await growOld();
    const before = await readRows();
    await expectRefused(await patch(id(), texts));
    await expectRefused(await send([{ id: id(), ...WIDENED }]));
    expect(await readRows()).toBe(before);
    await enterPassword();
    expect((await patch(id(), texts)).status).toBe(200);
    expect((await send(ids.map((each) => ({ id: each, ...WIDENED })))).status).toBe(200);
    expect(await undoMails()).toHaveLength(1);
  });

  rule('additions, first answers and drafts are free, and so is publishing', async () => {
    const drafts = [];
    for (let index = 0; index < 5; index += 1) {
      const draft = { is_published: false, content_id: null, created_at: api.clock.now() };
      drafts.push(await add(`下書き${index}`, draft));
    }
    await growOld();
    const named = { title: '曲', description: '説明', ...WIDENED };
    expect((await send(drafts.map((each) => ({ id: each, ...named })))).status).toBe(200);
    expect((await send(drafts.map((each) => ({ id: each, is_published: 'true' })))).status).toBe(200);
    const added = { moods: ['calm', 'sad', 'bright'], has_vocals: 'false', bpm: '120' };
    expect((await send(ids.map((each) => ({ id: each, ...added })))).status).toBe(200);
    expect(await undoMails()).toEqual([]);
    // Once it was public, it is no draft any more.
    expect((await patch(drafts[0] ?? '', { is_published: 'false', licence_uses: '' })).status).toBe(200);
    await expectRefused(await patch(drafts[0] ?? '', { licence_uses: 'venues' }));
  });

  rule('S21: the link of the mail restores every row to the byte, and keeps the password', async () => {
    await patch(id(1), { bpm: '92.5', key: 'F#m', has_vocals: 'true', is_loopable: 'true' });
    const before = await readRows();
    await growOld();
    for (const index of [0, 1, 2]) await spoil([id(index)]);
    await enterPassword();
    const other = { ...SPOILT, ...WIDENED, bpm: '60', key: '', is_loopable: 'false' };
    const all = ids.map((each) => ({ id: each, ...other }));
    expect((await send(all)).status).toBe(200);
    expect(await readRows()).not.toBe(before);
    const [mail, ...others] = await undoMails();
    expect(others).toEqual([]);
    expect(mail?.subject).toContain('サウンドを変更しました');
    for (const word of WORDS) expect(mail?.text).toContain(`「${word}」`);
    const token = await readToken();
    expect(await describeLink(token)).toMatchObject({
      changes: ['サウンドの変更（7件）'],
      can_keep_password: true,
      sounds: [],
      changed_count: 7,
      changed_sounds: expect.arrayContaining([expect.stringContaining('「雨音」（タイトル、')]) as string[],
      widened_downloads: 0,
    });
    const both = await Promise.all([keep(token), keep(token)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(await readRows()).toBe(before);
    expect(await isAccepted(api, session.access())).toBe(true);
    expect(await Array.fromAsync(compareSearchIndex(database))).toEqual([]);
    // What came back does not count against the password.
    await growOld();
    expect((await patch(id(6), { title: '題' })).status).toBe(200);
  });

  rule('S21: an owner who did not do it undoes everything since, and the thief is logged out', async () => {
    const before = await readRows();
    await send([{ id: id(0), licence_uses: ['venues'] }]);
    const token = await readToken();
    await pass(HOUR_MS);
    await patch(id(0), { title: '盗' });
    await patch(id(1), { title: '盗' });
    expect((await session.remove(id(2))).status).toBe(200);
    expect((await describeLink(token)).changes).toEqual(['サウンドの削除（1件）', 'サウンドの変更（2件）']);
    expect((await undo(token)).status).toBe(200);
    expect(await readRows()).toBe(before);
    expect(await isAccepted(api, session.access())).toBe(false);
    expect((await undo(token)).status).toBe(400);
  });

  rule('keeps what was changed again since, when it was a mistake', async () => {
    await send([
      { id: id(0), title: '誤り', description: '誤り', content_id: 'none' },
      { id: id(1), content_id: 'none' },
    ]);
    const token = await readToken();
    await pass(HOUR_MS);
    await patch(id(0), { title: '決めた題' });
    expect((await keep(token)).status).toBe(200);
    expect(await api.json(`/api/sounds/${id(0)}/`, artist)).toMatchObject({
      title: '決めた題',
      description: '雨音の説明',
      content_id: 'registered',
    });
    expect(await readHistory(id(0))).toMatchObject([{ way: 'undo' }, { way: 'edit' }, { way: 'several' }]);
  });

  test('S21: is mailed once in ten minutes, also with deletions', async () => {
    const { sent, send: sendMails } = createMailSender(api, database);
    const before = await readRows();
    await send([{ id: id(0), content_id: 'none' }]);
    api.clock.advance(60_000);
    await session.remove(id(1));
    api.clock.advance(60_000);
    for (let index = 0; index < 20; index += 1) {
      await send([{ id: id(2), content_id: index % 2 === 0 ? 'none' : 'registered' }]);
    }
    await sendMails();
    expect(sent).toEqual([]);
    api.clock.advance(SOUNDS_MAIL_MS);
    await sendMails();
    expect(sent).toHaveLength(1);
    for (const index of [0, 1, 2]) expect(sent[0]?.text).toContain(`「${WORDS[index] ?? ''}」`);
    const token = /token=([\w-]{43})$/m.exec(sent[0]?.text ?? '')?.[1] ?? '';
    expect((await keep(token)).status).toBe(200);
    expect(await readRows()).toBe(before);
  });

  rule('tells the downloads under the wider licence; certificates stay as they are', async () => {
    await createVisitor(api).download(id());
    api.clock.advance(1);
    await send([{ id: id(), ...WIDENED }]);
    const token = await readToken();
    api.clock.advance(HOUR_MS);
    await createVisitor(api).download(id());
    await createVisitor(api).download(id());
    const issued = () =>
      everyTable(database.db).selectFrom('certificates').selectAll().orderBy('id').execute();
    const certificates = await issued();
    expect(certificates.filter(({ body }) => body.includes('venues'))).toHaveLength(2);
    expect(await describeLink(token)).toMatchObject({ widened_downloads: 2 });
    await keep(token);
    expect(await issued()).toEqual(certificates);
    expect((await readMails(database, EMAIL)).at(-1)?.text).toContain('2回ダウンロードされました');
    await createVisitor(api).download(id());
    expect((await issued()).filter(({ body }) => body.includes('venues'))).toHaveLength(2);
  });

  test('comes back hidden if the staff has hidden it meanwhile', async () => {
    await spoil(ids);
    await hideSound(api.deps, id(0), staff, '権利者からの申し立て');
    expect((await keep(await readToken())).status).toBe(200);
    expect((await api.get(`/api/sounds/${id(0)}/`)).status).toBe(404);
    expect((await api.get(`/api/sounds/${id(1)}/`)).status).toBe(200);
  });

  rule('has a history for its artist alone, of seven days', async () => {
    await patch(id(), { title: '一', description: '' });
    await pass(HOUR_MS);
    await send([{ id: id(), title: '二', moods: ['calm'] }]);
    expect(await readHistory(id())).toEqual([
      {
        id: expect.any(String) as string,
        changed_at: new Date(api.clock.now()).toISOString(),
        way: 'several',
        can_undo: true,
        fields: [
          { name: 'title', before: ['一'], after: ['二'] },
          { name: 'moods', before: ['calm', 'sad'], after: ['calm'] },
        ],
      },
      {
        id: expect.any(String) as string,
        changed_at: new Date(api.clock.now() - HOUR_MS).toISOString(),
        way: 'edit',
        can_undo: false,
        fields: [
          { name: 'title', before: ['雨音'], after: ['一'] },
          { name: 'description', before: ['雨音の説明'], after: [] },
        ],
      },
    ]);
    expect((await api.get(`/api/sounds/${id()}/changes/`, staff)).status).toBe(404);
    expect((await api.get('/api/sounds/nothing/changes/', artist)).status).toBe(404);
    // Saving the same values is no change.
    await patch(id(), { title: '二' });
    expect(await readHistory(id())).toHaveLength(2);
    api.clock.advance(FORMER_VALUES_MS - HOUR_MS + 1);
    await deleteFormerValues(api.deps);
    expect(await countRows()).toBe(1);
    api.clock.advance(HOUR_MS);
    await deleteFormerValues(api.deps);
    expect(await countRows()).toBe(0);
  });

  rule('S21: 6,000 changes leave ten rows of a sound at most, and the first values come back', async () => {
    // What the owner changed two days before keeps its own row.
    await patch(id(), { description: '前の日' });
    await pass(2 * DAY_MS);
    await enterPassword();
    for (let index = ids.length; index < 100; index += 1) ids.push(await add(`音${index}`));
    const seqs = await selectSeqs();
    const before = await readRows();
    const { sid: sessionId = '' } = decodeJwt<{ sid?: string }>(session.access());
    const caller = { id: artist, sessionId, authenticatedAt: api.clock.now() };
    for (let call = 0; call * seqs.length < 6_000; call += 1) {
      await database.db.transaction().execute(async (transaction) => {
        const owner = await lockOwner(transaction, caller, api.clock.now());
        const by = { caller, device: '', owner, way: 'several' } as const;
        await recordChanges(transaction, api.deps, by, seqs, () =>
          updateRows({ db: transaction }, 'sounds', {
            title: `盗${call}`,
            licence_uses: call % 2 === 0 ? 'venues' : '',
          }),
        );
      });
      api.clock.advance(1_000);
    }
    expect(await countRows()).toBe(ids.length * CHANGES_PER_SOUND);
    expect((await readHistory(id())).at(-1)).toMatchObject({ fields: [{ name: 'description' }] });
    expect((await undo(await readToken())).status).toBe(200);
    expect(await readRows()).toBe(before);
  });

  test('S21: beyond the rows of an artist, a changed sound keeps one', async () => {
    const seq = (await selectSeqs()).at(-1) ?? 0;
    const changed_at = api.clock.now() - DAY_MS;
    const row = { sound_seq: seq, artist_id: artist, way: 'edit', before: '{"title":"古"}', changed_at };
    const rows = Array.from({ length: CHANGES_PER_ARTIST }, () => row);
    await insertMany(database, 'sound_changes', rows);
    for (let call = 0; call < 5; call += 1)
      await patch(id(0), { title: `題${call}`, description: `${call}` });
    expect(await readHistory(id(0))).toMatchObject([
      { fields: [{ before: ['雨音'] }, { before: ['雨音の説明'] }] },
    ]);
  });

  test(`asks nobody who changes ${FREE_WORSENINGS} sounds a day, with or without the password`, async () => {
    await growOld();
    for (let index = 0; index < FREE_WORSENINGS; index += 1) {
      expect((await patch(id(index), { title: '新しい題' })).status).toBe(200);
    }
    expect(await undoMails()).toEqual([]);
  });
});
