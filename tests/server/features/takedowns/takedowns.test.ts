import { beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '#server/platform/database/open.ts';
import { suspendMember, unsuspendMember } from '#server/features/takedowns/suspensions.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { finishIndexing } from '#server/features/catalogue/search/reindexing.ts';
import { deleteSoundAsStaff, hideSound, unhideSound } from '#server/features/takedowns/sounds.ts';
import { setBlocked } from '#server/features/accounts/members.ts';
import { expectReply } from '#support/http/replies.ts';
import { useFreshApi } from '#support/http/use-api.ts';
import { PASSWORD, isAccepted, logInWith, readMails, toTestHash } from '#support/members/accounts.ts';
import { TEST_SITE_URL } from '#support/http/api.ts';
import { bothDatabases, getRow, updateRows } from '#support/databases/databases.ts';
import { addSoundOf, createVisitor, readEarned, readVerdicts } from '#support/sounds/downloads.ts';
import { makePaper } from '#support/files/pictures.ts';
import { patchProfile, readActions, readUser } from '#support/members/profiles.ts';
import { patchSound, removeSound, sendForm } from '#support/sounds/uploads.ts';

const REASON = '権利者から申し立てがありました';

describe.each(bothDatabases)('takedowns on $name', ({ open, rule }) => {
  const { database, api, storage } = useFreshApi(open);
  let artist: string;
  let staff: string;
  let shown: string;
  let kept: string;
  let serial = 0;
  let name: string;
  let email: string;

  beforeEach(async () => {
    serial += 1;
    name = `音の人${serial}号`;
    email = `artist${serial}@example.test`;
    const profile = { bio: '以前の紹介', message_email: 'box@example.test', is_verified: true };
    const credentials = { username: name, email, password_hash: toTestHash(PASSWORD) };
    artist = await createUser(database, { ...credentials, ...profile });
    const team = { email: `staff${serial}@example.test`, is_staff: true };
    staff = await createUser(database, { username: `staff${serial}`, ...team });
    shown = await addSoundOf(database, artist, { title: `公開の音${serial}番` });
    kept = await addSoundOf(database, artist, { title: '手元の音', is_published: false });
  });

  const deps = () => api.deps;
  const suspend = () => suspendMember(deps(), artist, staff, REASON);
  const actions = async () => (await readActions(database)).filter(({ staff_id }) => staff_id === staff);
  async function flagsOf(id: string) {
    const { is_published, is_withheld, hidden_reason } = await getRow(database, 'sounds', { id });
    return { is_published, is_withheld, hidden_reason };
  }
  const search = () => `/api/sounds/?search=${encodeURIComponent(`"公開の音${serial}番"`)}`;
  const found = async (user?: string) => (await api.json(search(), user)).count;

  rule('a suspended member can read all their data, and others see nothing', async () => {
    const { access } = await logInWith(api, email);
    expect(await suspend()).toBe(true);
    expect(await isAccepted(api, access)).toBe(false);
    const again = await logInWith(api, email);
    expect(await isAccepted(api, again.access)).toBe(true);

    const profile = await api.json('/api/account/profile/', artist);
    expect(profile).toMatchObject({ is_blocked: true, suspension_reason: REASON, bio: '以前の紹介' });
    const own = await api.json(`/api/sounds/?user=${name}&include_private=true`, artist);
    expect(own.results).toMatchObject([
      { id: kept, is_published: false, is_editable: false },
      { id: shown, is_published: false, is_editable: false, file_url: `/audio/${shown}?signed` },
    ]);
    for (const path of ['/api/finance/statements/2026-03/', '/api/finance/transfer-requests/']) {
      expect((await api.get(path, artist)).status, path).toBe(200);
    }
    const ownFile = await createVisitor(api, { memberId: artist }).ask(shown);
    expect(await ownFile.json()).toEqual({ url: `/download/${shown}?signed-private` });
    const message = { name, email, message: '説明させてください。' };
    expect((await api.post('/api/contact/', message, artist)).status).toBe(200);

    for (const path of [`/api/account/artist/${name}/`, `/api/sounds/${shown}/`, `/api/sounds/${kept}/`]) {
      expect((await api.get(path)).status, path).toBe(404);
      expect((await api.get(path, staff)).status, path).toBe(404);
    }
    expect(await api.json(`/api/sounds/?user=${name}`)).toMatchObject({ results: [], count: 0 });
    expect(JSON.stringify(await api.json('/api/account/artists/'))).not.toContain(name);
    const letter = { artist_username: name, text: 'こんにちは', recipient_email: '' };
    expect((await api.post('/api/messages/send/', letter)).status).toBe(404);
  });

  rule('the end of a suspension restores the state before it', async () => {
    const hidden = await addSoundOf(database, artist, { title: '問題の音' });
    await hideSound(deps(), hidden, staff, REASON);
    await suspend();
    expect(await flagsOf(shown)).toEqual({ is_published: 0, is_withheld: 1, hidden_reason: null });
    expect(await unsuspendMember(deps(), artist, staff)).toBe(true);
    expect(await flagsOf(shown)).toEqual({ is_published: 1, is_withheld: 0, hidden_reason: null });
    expect(await flagsOf(kept)).toEqual({ is_published: 0, is_withheld: 0, hidden_reason: null });
    expect(await flagsOf(hidden)).toEqual({ is_published: 0, is_withheld: 1, hidden_reason: REASON });
    expect(await readUser(database, artist)).toMatchObject({ is_blocked: 0, suspension_reason: null });
    expect(await found()).toBe(1);
    expect(await unsuspendMember(deps(), artist, staff)).toBe(false);

    await setBlocked(deps(), artist, staff, 1);
    await suspend();
    await expect(setBlocked(deps(), artist, staff, 0)).rejects.toMatchObject({
      status: 409,
      message: '停止中のメンバーです。先に停止を解除してください。',
    });
    await unsuspendMember(deps(), artist, staff);
    expect(await readUser(database, artist)).toMatchObject({ is_blocked: 1, suspension_reason: null });
  });

  test('a sound unhidden while its artist is suspended comes back with the artist', async () => {
    await hideSound(deps(), shown, staff, REASON);
    await suspend();
    expect(await unhideSound(deps(), shown, staff)).toBe(true);
    expect(await flagsOf(shown)).toEqual({ is_published: 0, is_withheld: 1, hidden_reason: null });
    await unsuspendMember(deps(), artist, staff);
    expect(await flagsOf(shown)).toMatchObject({ is_published: 1 });
  });

  rule('decisions are recorded, and mailed with the reason and a way to answer', async () => {
    const doomed = await addSoundOf(database, artist, { title: '消える音' });
    const steps = [
      () => hideSound(deps(), shown, staff, ` ${REASON}\n`),
      () => unhideSound(deps(), shown, staff),
      () => deleteSoundAsStaff(deps(), doomed, staff, REASON),
      suspend,
      () => unsuspendMember(deps(), artist, staff),
    ];
    for (const step of steps) {
      api.clock.advance(1_000);
      await step();
    }
    expect(await actions()).toEqual([
      { staff_id: staff, action: 'hide sound', subject: shown, note: REASON },
      { staff_id: staff, action: 'unhide sound', subject: shown, note: '' },
      { staff_id: staff, action: 'delete sound', subject: doomed, note: `${name}: 消える音: ${REASON}` },
      { staff_id: staff, action: 'suspend member', subject: artist, note: REASON },
      { staff_id: staff, action: 'unsuspend member', subject: artist, note: '' },
    ]);
    const mails = await readMails(database, email);
    expect(mails.map(({ subject }) => subject.replace('【Otoichi】', ''))).toEqual([
      'サウンドを非公開にしました',
      'サウンドの非公開を解除しました',
      'サウンドを削除しました',
      'アカウントを停止しました',
      'アカウントの停止を解除しました',
    ]);
    for (const index of [0, 2, 3]) {
      expect(mails[index]?.text).toContain(`理由: ${REASON}`);
      expect(mails[index]?.text).toContain(`${TEST_SITE_URL}/contact`);
    }
  });

  test('decisions without a reason, by members who are not staff, or repeated are refused', async () => {
    await expect(hideSound(deps(), shown, staff, ' ')).rejects.toMatchObject({ status: 400 });
    await expect(hideSound(deps(), shown, artist, REASON)).rejects.toMatchObject({ status: 403 });
    await expect(suspendMember(deps(), artist, artist, REASON)).rejects.toMatchObject({ status: 403 });
    await expect(suspendMember(deps(), staff, staff, REASON)).rejects.toMatchObject({ status: 403 });
    await expect(suspendMember(deps(), 'nobody', staff, REASON)).rejects.toMatchObject({ status: 404 });
    await expect(hideSound(deps(), 'nothing', staff, REASON)).rejects.toMatchObject({ status: 404 });
    expect(await unhideSound(deps(), shown, staff)).toBe(false);
    expect(await actions()).toEqual([]);
    const twice = await Promise.all([suspend(), suspend()]);
    expect(twice.toSorted()).toEqual([false, true]);
    expect(await readMails(database, email)).toHaveLength(1);
  });

  rule('a hidden sound can be seen, edited and deleted by its artist, but not published', async () => {
    await hideSound(deps(), shown, staff, REASON);
    expect(await api.json(`/api/sounds/${shown}/`, artist)).toMatchObject({
      is_published: false,
      is_editable: true,
      hidden_reason: REASON,
    });
    expect((await api.get(`/api/sounds/${shown}/`, staff)).status).toBe(404);
    await expectReply(patchSound(api, artist, shown, { is_published: 'true' }), 403, {
      is_published: '運営により非公開になっているため、公開できません。',
    });
    expect((await patchSound(api, artist, shown, { title: `公開の音${serial}番・改` })).status).toBe(200);
    expect(await found()).toBe(0);
    await unhideSound(deps(), shown, staff);
    expect(await found()).toBe(1);

    await hideSound(deps(), shown, staff, REASON);
    expect((await patchSound(api, artist, shown, { is_published: 'false' })).status).toBe(200);
    await unhideSound(deps(), shown, staff);
    expect(await flagsOf(shown)).toEqual({ is_published: 0, is_withheld: 0, hidden_reason: null });

    await hideSound(deps(), shown, staff, REASON);
    expect((await removeSound(api, artist, shown)).status).toBe(200);
  });

  rule('the staff can delete a sound with its file', async () => {
    const { audio_key } = await getRow(database, 'sounds', { id: shown });
    await storage.put(`sounds/${audio_key}`, Buffer.from('sound'));
    await deleteSoundAsStaff(deps(), shown, staff, REASON);
    expect(storage.objects.has(`sounds/${audio_key}`)).toBe(false);
    expect((await api.get(`/api/sounds/${shown}/`, artist)).status).toBe(404);
    expect(await found(artist)).toBe(0);
  });

  rule('a download begun before earns nothing and gets no file', async () => {
    const visitor = createVisitor(api);
    const { id: intent } = await visitor.begin(shown);
    await suspend();
    api.clock.advance(10_000);
    expect((await visitor.ask(shown, { log: true, provider: 'gpt', intent })).status).toBe(404);
    expect((await visitor.tryToBegin(shown)).status).toBe(404);
    expect(await readEarned(database, artist)).toBe(0);
    expect(await readVerdicts(database, shown)).toEqual([]);
  });

  test('a blocked member cannot change public data', async () => {
    await updateRows(database, 'users', { is_blocked: 1 }, { id: artist });
    const before = await readUser(database, artist);
    const refused = 'アカウントが制限されているため、変更できません。';
    for (const change of [
      { bio: '新しい紹介' },
      { username: `別の名${serial}` },
      { message_email: 'new@example.test' },
      { donation_url: 'https://ofuse.me/new' },
    ]) {
      const problems = Object.fromEntries(Object.keys(change).map((key) => [key, refused]));
      await expectReply(patchProfile(api, artist, { ...change, name: '山田' }), 403, problems);
    }
    const png = await makePaper(300, 300).png().toBuffer();
    for (const name of ['profile_picture', 'profile_background']) {
      const path = `/api/account/update-${name.replace('_', '-')}/`;
      const part = { name, filename: 'a.png', type: 'image/png', content: png };
      expect((await sendForm(api, 'POST', path, [part], artist)).status, name).toBe(403);
    }
    expect((await patchSound(api, artist, shown, { title: '新' })).status).toBe(403);
    expect((await patchSound(api, artist, kept, { is_published: 'true' })).status).toBe(403);
    expect((await patchSound(api, artist, shown, {}, png)).status).toBe(403);
    expect(await readUser(database, artist)).toEqual(before);
    expect(storage.objects.size).toBe(0);
    const allowed = { name: '山田', phone_number: '03-0000-0000' };
    expect((await patchProfile(api, artist, allowed)).status).toBe(200);
  });

  test('a crash before the search update leaves everything hidden, and a later run completes it', async () => {
    const broken: Database = {
      ...database,
      search: { ...database.search, put: () => Promise.reject(new Error('killed')) },
    };
    const dying = suspendMember({ ...deps(), database: broken }, artist, staff, REASON);
    await expect(dying).rejects.toThrow('killed');
    expect((await api.json(search())).results).toEqual([]);
    expect((await api.get(`/api/sounds/${shown}/`)).status).toBe(404);
    await finishIndexing(database);
    expect(await found()).toBe(0);
    await unsuspendMember(deps(), artist, staff);
    expect(await found()).toBe(1);
  });

  test('sounds published during a suspension end up hidden', async () => {
    const drafts = await Promise.all(
      Array.from({ length: 8 }, () => addSoundOf(database, artist, { title: '下書き', is_published: false })),
    );
    await api.logIn(artist);
    await Promise.all([
      ...drafts.map((id) => patchSound(api, artist, id, { is_published: 'true' })),
      suspend(),
    ]);
    expect(await api.json(`/api/sounds/?user=${name}`)).toMatchObject({ count: 0 });
    expect(await api.json(`/api/sounds/?search="下書き ${name}"`)).toMatchObject({ count: 0, results: [] });
  });
});
