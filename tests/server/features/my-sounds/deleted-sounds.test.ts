import { beforeEach, describe, expect, test } from 'vitest';
import { compareSearchIndex } from '#server/features/catalogue/search/comparing.ts';
import { findSoundFile } from '#server/features/catalogue/service.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { deleteSoundsOf, eraseDeletedSounds } from '#server/features/my-sounds/deletion.ts';
import { SOUNDS_MAIL_MS, FREE_DELETIONS } from '#server/features/my-sounds/limits.ts';
import { sumSounds, updateSoundRow } from '#server/features/my-sounds/queries.ts';
import { hideSound, unhideSound } from '#server/features/takedowns/sounds.ts';
import { suspendMember, unsuspendMember } from '#server/features/takedowns/suspensions.ts';
import { expectReply } from '#support/http/replies.ts';
import {
  PASSWORD,
  isAccepted,
  logInWith,
  readMails,
  readTokens,
  refreshWith,
  toTestHash,
  tryToLogIn,
} from '#support/members/accounts.ts';
import { bothDatabases, getRow, listRows } from '#support/databases/databases.ts';
import { makeMp3 } from '#support/files/sound-fixtures.ts';
import { addUploader, patchSound, readSound, sendSound, useUploadApi } from '#support/sounds/uploads.ts';
import { createArtistSession, createMailSender } from './support.ts';

const DAY_MS = 86_400_000;
const GRACE_MS = 7 * DAY_MS;
const EMAIL = 'artist@example.test';
const WORDS = ['雨音', '波音', '風鈴', '時計', '足音'];
const files = await Promise.all(WORDS.map((_, index) => makeMp3(0.2 + index / 20)));

describe.each(bothDatabases)('a deleted sound on $name', ({ open, rule }) => {
  const { database, api, storage, useMember } = useUploadApi(open);
  const credentials = { email: EMAIL, password_hash: toTestHash(PASSWORD) };
  const artist = useMember({ username: 'artist', is_verified: true, ...credentials });
  const fan = useMember({ username: 'fan', is_verified: true });
  let type: string;
  let ids: string[];
  const session = createArtistSession(api, database, EMAIL);
  const { remove, pass, enterPassword, undoMails, readToken, undo, keep, describeLink } = session;

  beforeEach(async () => {
    type = String(await createSoundType(database, { name: 'BGM' }));
    ids = [];
    for (const [index, title] of WORDS.entries()) {
      const sent = { content: files[index] ?? new Uint8Array(), type, name: `${title}.mp3` };
      const { id } = await readSound(await sendSound(api, artist, sent));
      await readSound(await patchSound(api, artist, id, { is_published: 'true', title }));
      ids.push(id);
    }
    const rows = () => listRows(database, 'undecoded_sounds');
    await expect.poll(async () => (await rows()).length, { timeout: 30_000 }).toBe(0);
    // The links of deletions do not undo these changes.
    api.clock.advance(1);
    await session.logIn();
  });

  const id = (index = 0) => ids[index] ?? '';
  /** The session of a thief: renewed, but the password was given long ago. */
  const growOld = () => pass(60 * 60 * 1000);
  const erase = () => eraseDeletedSounds(api.deps);
  const statusOf = async (path: string, userId?: string) => (await api.get(path, userId)).status;
  const countSounds = async (path: string, userId?: string): Promise<number> =>
    (await api.json(path, userId)).count as number;
  const like = async (userId: string, soundId: string) =>
    api.post(`/api/sounds/${soundId}/toggle-favorite`, undefined, userId);

  rule('S17: asks an old log-in for the password after three deletions in a day', async () => {
    await growOld();
    for (let index = 0; index < FREE_DELETIONS; index += 1)
      expect((await remove(id(index))).status).toBe(200);
    const recent = { detail: expect.any(String) as string, code: 'recent_login_required' };
    await expectReply(remove(id(3)), 403, recent);
    expect(await statusOf(`/api/sounds/${id(3)}/`)).toBe(200);
    expect((await remove('nothing')).status).toBe(404);
    expect((await enterPassword()).status).toBe(200);
    expect((await remove(id(3))).status).toBe(200);
    await pass(DAY_MS + 1);
    expect((await remove(id(4))).status).toBe(200);
  });

  test('S17: lets three of many concurrent deletions through', async () => {
    await growOld();
    const replies = await Promise.all(ids.map((each) => remove(each)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 403, 403]);
  });

  rule('does not count what came back; another session has no deletions of its own', async () => {
    await growOld();
    for (let index = 0; index < FREE_DELETIONS; index += 1) await remove(id(index));
    api.clock.advance(20 * 60 * 1000);
    const other = await logInWith(api, EMAIL);
    api.clock.advance(20 * 60 * 1000);
    const renewed = await readTokens(await refreshWith(api, other.refresh));
    expect((await remove(id(3), renewed.access)).status).toBe(403);
    expect((await keep(await readToken())).status).toBe(200);
    expect((await remove(id(3), renewed.access)).status).toBe(200);
  });

  rule('is there for nobody, neither for its artist', async () => {
    await like(fan, id());
    expect((await remove(id())).status).toBe(200);
    const search = `/api/sounds/?search=${encodeURIComponent('雨音')}`;
    for (const userId of [undefined, fan, artist]) {
      expect(await statusOf(`/api/sounds/${id()}/`, userId)).toBe(404);
      expect(await statusOf(`/api/sounds/${id()}/similar/`, userId)).toBe(404);
      expect(await countSounds('/api/sounds/', userId)).toBe(4);
      expect(await countSounds(search, userId)).toBe(0);
      expect(await countSounds(`/api/sounds/?ids=${id()}`, userId)).toBe(0);
      expect(await countSounds('/api/sounds/?user=artist&include_private=true', userId)).toBe(4);
      expect(await countSounds(`${search}&user=artist&include_private=true`, userId)).toBe(0);
      expect(await countSounds('/api/sounds/?favorite=true', userId)).toBe(0);
    }
    expect((await like(artist, id())).status).toBe(404);
    expect((await patchSound(api, artist, id(), { is_published: 'true' })).status).toBe(404);
    expect((await remove(id())).status).toBe(404);
    expect(await api.json('/api/account/deletion/', artist)).toMatchObject({ sounds: 4 });
    expect(await findSoundFile(database, id())).toBeUndefined();
    expect(await Array.fromAsync(compareSearchIndex(database))).toEqual([]);
    // It still takes room.
    expect(await sumSounds(database.db, artist)).toMatchObject({ sounds: 4, deleted: { sounds: 1 } });
    expect(storage.objects.size).toBe(5);
  });

  test('S17: comes back by the link of the one mail about all deletions of ten minutes, and the password stays', async () => {
    await like(fan, id(1));
    for (const index of [0, 1, 2]) {
      await remove(id(index));
      api.clock.advance(60_000);
    }
    const [mail, ...others] = await undoMails();
    expect(others).toEqual([]);
    expect(mail?.text).toContain('3件');
    for (const title of WORDS.slice(0, 3)) expect(mail?.text).toContain(`「${title}」`);
    const token = await readToken();
    expect(await describeLink(token)).toMatchObject({
      changes: ['サウンドの削除（3件）'],
      can_keep_password: true,
      sounds: WORDS.slice(0, 3),
    });
    const both = await Promise.all([keep(token), keep(token)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    expect(await countSounds('/api/sounds/')).toBe(5);
    expect(await countSounds(`/api/sounds/?search=${encodeURIComponent('波音')}`)).toBe(1);
    expect(await countSounds('/api/sounds/?favorite=true', fan)).toBe(1);
    expect(await api.json(`/api/sounds/${id(1)}/`)).toMatchObject({ favorite_count: 1 });
    expect(await isAccepted(api, session.access())).toBe(true);
    expect((await tryToLogIn(api, EMAIL)).status).toBe(200);
    api.clock.advance(2 * GRACE_MS);
    await erase();
    expect(await countSounds('/api/sounds/')).toBe(5);
    expect(storage.objects.size).toBe(5);
  });

  rule('S17: is mailed once in ten minutes; later deletions have a mail and link of their own', async () => {
    const { sent, send } = createMailSender(api, database);
    await remove(id(0));
    api.clock.advance(SOUNDS_MAIL_MS - 1);
    await remove(id(1));
    await send();
    expect(sent).toHaveLength(0);
    const first = await readToken();
    api.clock.advance(1);
    await remove(id(2));
    await send();
    expect(sent).toHaveLength(1);
    expect(await describeLink(first)).toMatchObject({
      changes: ['サウンドの削除（3件）'],
      sounds: WORDS.slice(0, 2),
    });
    api.clock.advance(SOUNDS_MAIL_MS);
    await send();
    expect(sent.filter(({ text }) => text.includes('/undo?'))).toHaveLength(2);
    // Only what the first mail names.
    await keep(first);
    expect(await statusOf(`/api/sounds/${id(1)}/`)).toBe(200);
    expect(await statusOf(`/api/sounds/${id(2)}/`)).toBe(404);
  });

  rule('S17: comes back with everything since for the owner, and the thief is logged out', async () => {
    await growOld();
    await remove(id(0));
    const token = await readToken();
    await growOld();
    expect((await remove(id(1))).status).toBe(200);
    expect((await undo(token)).status).toBe(200);
    expect(await countSounds('/api/sounds/')).toBe(5);
    expect(await isAccepted(api, session.access())).toBe(false);
    expect((await tryToLogIn(api, EMAIL)).status).toBe(400);
    const last = (await readMails(database, EMAIL)).find(({ subject }) => subject.includes('取り消しました'));
    expect(last?.text).toContain('サウンドの削除（2件）');
  });

  rule('is erased after seven days, with its files and favourites, and not before', async () => {
    await like(fan, id());
    await remove(id());
    const token = await readToken();
    api.clock.advance(GRACE_MS - 1);
    await erase();
    expect(storage.objects.size).toBe(5);
    api.clock.advance(1);
    await erase();
    expect(storage.objects.size).toBe(4);
    for (const table of ['favorites', 'unclaimed_files'] as const)
      expect(await listRows(database, table)).toEqual([]);
    expect((await keep(token)).status).toBe(400);
    expect(await countSounds('/api/sounds/')).toBe(4);
  });

  test('is erased at once with its artist’s account', async () => {
    await remove(id());
    await deleteSoundsOf(api.deps, artist);
    expect(await listRows(database, 'sounds')).toEqual([]);
    expect(storage.objects.size).toBe(0);
  });

  rule('can be uploaded again, and comes back beside the new sound', async () => {
    await remove(id());
    const sent = { content: files[0] ?? new Uint8Array(), type };
    const again = await readSound(await sendSound(api, artist, sent));
    expect((await keep(await readToken())).status).toBe(200);
    expect(await statusOf(`/api/sounds/${id()}/`)).toBe(200);
    expect(await statusOf(`/api/sounds/${again.id}/`, artist)).toBe(200);
    expect((await sendSound(api, artist, sent)).status).toBe(400);
  });

  rule('takes room of its own: an artist replaces all sounds, and no more, in a week', async () => {
    await remove(id());
    const { seq } = await getRow(database, 'sounds', { id: id() });
    const upload = async () => (await sendSound(api, artist, { content: await makeMp3(0.15), type })).status;
    await updateSoundRow(database.db, seq, { audio_size: 20 * 1024 ** 3 });
    expect(await upload()).toBe(200);
    await updateSoundRow(database.db, seq, { audio_size: 40 * 1024 ** 3 });
    await expectReply(sendSound(api, artist, { content: await makeMp3(0.16), type }), 409, {
      file: expect.stringContaining('7日後') as string,
    });
    api.clock.advance(GRACE_MS);
    await erase();
    expect((await sendSound(api, artist, { content: await makeMp3(0.16), type })).status).toBe(200);
  });

  test('comes back hidden if the staff has hidden it or its artist meanwhile, and is shown with the decision', async () => {
    const staff = await addUploader(database, 'staff', { is_staff: true });
    await remove(id(0));
    await remove(id(1));
    const token = await readToken();
    await hideSound(api.deps, id(0), staff, '権利者からの申し立て');
    await suspendMember(api.deps, artist, staff, '規約違反');
    expect((await keep(token)).status).toBe(200);
    for (const index of [0, 1, 2]) expect(await statusOf(`/api/sounds/${id(index)}/`)).toBe(404);
    await unsuspendMember(api.deps, artist, staff);
    for (const index of [1, 2]) expect(await statusOf(`/api/sounds/${id(index)}/`)).toBe(200);
    expect(await statusOf(`/api/sounds/${id(0)}/`)).toBe(404);
    await unhideSound(api.deps, id(0), staff);
    expect(await statusOf(`/api/sounds/${id(0)}/`)).toBe(200);
  });

  rule('is not shown by the end of a suspension or by the staff', async () => {
    const staff = await addUploader(database, 'staff', { is_staff: true });
    await remove(id(0));
    await suspendMember(api.deps, artist, staff, '規約違反');
    await unsuspendMember(api.deps, artist, staff);
    await hideSound(api.deps, id(0), staff, '権利者からの申し立て');
    await unhideSound(api.deps, id(0), staff);
    expect(await statusOf(`/api/sounds/${id(0)}/`)).toBe(404);
    expect(await countSounds('/api/sounds/')).toBe(4);
  });
});
