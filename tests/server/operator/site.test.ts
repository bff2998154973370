import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openDatabase } from '#server/schema/open.ts';
import type { Database } from '#server/platform/database/open.ts';
import { invalidateCache } from '#server/platform/database/statements/cached.ts';
import { followChanges } from '#server/platform/concurrency/page-changes.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { queueMail } from '#server/features/mail/service.ts';
import { addNotice } from '#server/features/notices/changes.ts';
import { systemClock } from '#server/platform/concurrency/clock.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import { parseSettings } from '#server/settings.ts';
import { type TestApi, createTestApi } from '#support/http/api.ts';
import { bothDatabases, deleteRows, listRows, updateRows } from '#support/databases/databases.ts';
import { addSoundOf } from '#support/sounds/downloads.ts';
import { makePaper } from '#support/files/pictures.ts';
import { readActions } from '#support/members/profiles.ts';
import { runCommand } from '#support/processes/operator.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const STAFF = 'staff@example.test';
const ARTIST = 'artist@example.test';

/**
 * The commands run beside an API on the same data; each opens the database separately. The API watches
 * for announced changes like a host.
 */
describe.each(bothDatabases)('npm run operator beside a running API on $name', ({ locate, rule }) => {
  let database: Database;
  let api: TestApi;
  let folder: string;
  let env: Record<string, string>;
  let remove: () => Promise<void>;
  let staff: string;
  let artist: string;
  let noticed = 0;
  let endFollowing: () => void;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'otoichi-operator-'));
    const made = await locate();
    remove = made.remove;
    env = { DATA_DIR: folder, OPERATOR_AS: STAFF, ...made.env };
    database = await openDatabase(parseSettings(env).database);
    api = createTestApi(database);
    endFollowing = followChanges(
      database,
      'api',
      () => {
        invalidateCache(database);
        noticed += 1;
      },
      { pollMs: 10 },
    );
    staff = await createUser(database, { username: 'staff', email: STAFF, is_staff: true });
    artist = await createUser(database, { username: '音の人', email: ARTIST, is_verified: true });
  });
  afterAll(async () => {
    endFollowing();
    await database.close();
    await remove();
    await rm(folder, { recursive: true });
  });

  /** Also waits until the API has noticed the changes that the command announced. */
  async function done(...args: string[]): Promise<string> {
    const [noticedBefore, changesBefore] = [noticed, await countChanges()];
    const { code, out, err } = await runCommand(env, ...args);
    expect({ code, err }, args.join(' ')).toEqual({ code: 0, err: '' });
    if ((await countChanges()) > changesBefore) await vi.waitUntil(() => noticed > noticedBefore, 5_000);
    return out;
  }
  async function refused(wanted: number, reason: RegExp, ...args: string[]): Promise<void> {
    const before = await countActions();
    const { code, err } = await runCommand(env, ...args);
    expect({ code, err }, args.join(' ')).toEqual({ code: wanted, err: expect.stringMatching(reason) });
    expect(await countActions()).toBe(before);
  }
  const countChanges = async () => (await listRows(database, 'page_changes', {}, ['id'])).length;
  const countActions = async () => (await readActions(database)).length;
  const lastAction = async () => (await readActions(database)).at(-1);

  test('a fresh database has the two sound types, so that artists can apply', async () => {
    expect(await api.json('/api/sounds/types/')).toMatchObject([{ name: 'BGM' }, { name: '効果音' }]);
    expect(await done('types')).toMatch(/BGM[^]*効果音/);
  });

  rule('types are added, renamed, moved and removed; sounds are found by the new name', async () => {
    await done('types', 'add', 'ボイス', '--icon', 'voice');
    expect(await lastAction()).toMatchObject({ staff_id: staff, action: 'add type', note: 'ボイス' });
    const added = (await api.json('/api/sounds/types/'))[2];
    expect(added).toMatchObject({ name: 'ボイス', icon: 'voice' });
    const sound = await addSoundOf(database, artist, { title: '朝', type_id: Number(added.id) });
    await refused(1, /1件のサウンドで使われている/, 'types', 'remove', added.id);
    await done('types', 'change', added.id, '--name', '語り', '--order', '0');
    const count = async (word: string) => (await api.json(`/api/sounds/?search=${word}`)).count;
    expect([await count('語り'), await count('ボイス')]).toEqual([1, 0]);
    await done('sounds', 'delete', sound, '--reason', '重複');
    await done('types', 'remove', added.id);
    expect(await lastAction()).toMatchObject({ action: 'remove type', subject: added.id, note: '語り' });
    await refused(1, /見つかりません/, 'types', 'remove', added.id);
    await refused(2, /ID: 数値で/, 'types', 'remove', 'BGM');
    await refused(2, /nothing to change; use --name, --icon, --order/, 'types', 'change', '1');
    await refused(2, /does not accept --reason/, 'types', 'remove', '1', '--reason', 'x');
  });

  rule('genres and sub-genres are added, changed and removed', async () => {
    await done('genres', 'add', 'ムード');
    const [genre] = await api.json('/api/genres/');
    await done('sub-genres', 'add', '明るい', '--genre-id', genre.id);
    await refused(2, /needs --genre-id NUMBER/, 'sub-genres', 'add', '暗い');
    await refused(2, /40文字/, 'genres', 'add', 'あ'.repeat(41));
    const [{ sub_genres: subGenres }] = await api.json('/api/genres/');
    await done('sub-genres', 'change', subGenres[0].id, '--name', '陽気');
    expect(await api.json('/api/genres/')).toMatchObject([
      { name: 'ムード', sub_genres: [{ name: '陽気' }] },
    ]);
    await done('genres', 'remove', genre.id);
    expect(await api.json('/api/genres/')).toEqual([]);
  });

  rule('settings of the site appear after the next check, and pictures are replaced', async () => {
    const config = () => api.json('/api/site-config');
    expect(await config()).toMatchObject({ maintenance_mode: false, allow_register: true });
    await done('site', 'set', 'maintenance_mode', '--is-on', 'on');
    await done('site', 'set', 'allow_register', '--is-on', 'off');
    expect(await config()).toMatchObject({ maintenance_mode: true, allow_register: false });
    expect(await lastAction()).toMatchObject({
      action: 'set site',
      subject: 'allow_register',
      note: 'off',
    });
    const file = join(folder, 'logo.png');
    await writeFile(file, await makePaper(400, 100).png().toBuffer());
    await done('site', 'set-picture', 'navbar_logo', '--picture', file);
    const { navbar_logo: first } = await config();
    expect(first).toMatch(/^\/pictures\/logo\/[\w-]{22}\//);
    await done('site', 'remove-picture', 'navbar_logo');
    expect((await config()).navbar_logo).toBeNull();
    const retired = await listRows(database, 'retired_pictures', {}, ['picture_key']);
    expect(retired.map(({ picture_key }) => picture_key)).toEqual([first.split('/')[3]]);
    await writeFile(file, 'no picture');
    await refused(1, /picture: /, 'site', 'set-picture', 'footer_banner', '--picture', file);
    await refused(
      1,
      /cannot be read \(ENOENT\)/,
      'site',
      'set-picture',
      'footer_logo',
      '--picture',
      `${file}.not`,
    );
    await refused(2, /--is-on: オンかオフ/, 'site', 'set', 'allow_register', '--is-on', 'maybe');
    await refused(2, /この設定はありません/, 'site', 'set', 'password', '--is-on', 'on');
    expect(await done('site', 'show')).toMatch(/^maintenance mode +yes$/m);
  });

  test('pages are created from a file, changed and removed', async () => {
    const file = join(folder, 'about.md');
    await writeFile(file, '# 私たち\r\n本文');
    await refused(1, /見つかりません/, 'pages', 'save', 'about', '--body', file);
    await refused(2, /needs --title TEXT/, 'pages', 'create', 'about', '--body', file);
    await done('pages', 'create', 'about', '--body', file, '--title', '私たち', '--order', '3');
    expect(await api.json('/api/page/')).toEqual([{ slug: 'about', title: '私たち', order: 3 }]);
    await done('pages', 'save', 'about', '--title', 'このサイト');
    expect(await api.json('/api/page/about/')).toMatchObject({ title: 'このサイト', body: '# 私たち\n本文' });
    expect(await lastAction()).toMatchObject({ action: 'save page', subject: 'about' });
    await writeFile(file, Buffer.from([0xff, 0xfe]));
    await refused(1, /not UTF-8/, 'pages', 'save', 'about', '--body', file);
    await refused(1, /見つかりません/, 'pages', 'save', '../../about', '--title', 'x');
    await refused(2, /nothing to change/, 'pages', 'save', 'about');
    await refused(2, /--order: 並び順は整数/, 'pages', 'save', 'about', '--order', '1.5');
    expect(await done('pages', 'show', 'about')).toBe('# 私たち\n本文');
    await done('pages', 'remove', 'about');
    expect((await api.get('/api/page/about/')).status).toBe(404);
  });

  rule('notices are listed', async () => {
    expect(await done('notices', 'list')).toBe('None.');
    const path = join(folder, 'a.png');
    await writeFile(path, await makePaper(20, 10).png().toBuffer());
    const fields = { text: '春の市', link: '', seconds: 15, from: '', until: '' };
    const deps = { database, storage: await openStorage(parseSettings(env).storage), clock: systemClock };
    await addNotice(deps, staff, fields, { file: { path, filename: 'a.png' } });
    expect(await done('notices', 'list')).toMatch(/^ID +KIND .* STATE .*\n.* picture .* 春の市 .* shown/);
  });

  rule('mails are listed with masked addresses, and waiting ones are sent now', async () => {
    await deleteRows(database, 'mail_outbox');
    const mail = { to: 'reader@example.test', subject: '件名', text: 'ひみつ', html: '' };
    await queueMail(database.db, mail, Date.now());
    await updateRows(database, 'mail_outbox', {
      attempts: 3,
      last_error: 'ECONNREFUSED',
      next_attempt_at: Date.now() + 3_600_000,
    });
    const listed = await done('mail', 'list', '--json');
    expect(listed).not.toMatch(/reader@|ひみつ/);
    const [{ id }] = JSON.parse(listed) as [{ id: string }];
    expect(JSON.parse(listed)).toMatchObject([
      { to: 'r***@example.test', state: 'waiting', attempts: 3, lastError: 'ECONNREFUSED' },
    ]);
    await done('mail', 'retry', id);
    const due = await everyTable(database.db)
      .selectFrom('mail_outbox')
      .select('next_attempt_at')
      .executeTakeFirstOrThrow();
    expect(due.next_attempt_at).toBeLessThanOrEqual(Date.now());
    expect(await lastAction()).toMatchObject({ action: 'retry mail', subject: id, note: '1' });
    expect(await done('mail', 'retry', 'all')).toMatch(/^1 mail is due/);
    await updateRows(database, 'mail_outbox', { state: 'given-up' });
    await refused(1, /見つかりません/, 'mail', 'retry', id);
    expect(await done('mail', 'list', '--state', 'given-up')).toContain('r***@example.test');
    await refused(2, /--state must be one of waiting/, 'mail', 'list', '--state', 'lost');
  });

  rule('sounds are listed, shown, hidden and shown again', async () => {
    const sound = await addSoundOf(database, artist, { title: '問題の音' });
    await refused(2, /needs --reason TEXT/, 'sounds', 'hide', sound);
    await refused(2, /500 characters/, 'sounds', 'hide', sound, '--reason', 'あ'.repeat(501));
    await refused(1, /no sound has this id/, 'sounds', 'hide', 'nothing', '--reason', 'x');
    expect(await done('sounds', 'hide', sound, '--reason', '申し立て')).toContain(ARTIST);
    expect((await api.get(`/api/sounds/${sound}/`)).status).toBe(404);
    await refused(1, /already hidden/, 'sounds', 'hide', sound, '--reason', '申し立て');
    expect(await done('sounds', 'list', '--artist', '音の人')).toMatch(
      new RegExp(`${sound} .* hidden .*問題の音`),
    );
    expect(await done('sounds', 'show', sound)).toMatch(/Reason +申し立て/);
    const shown = JSON.parse(await done('sounds', 'show', sound, '--json')) as object;
    expect(shown).toMatchObject({ id: sound, hidden_reason: '申し立て' });
    expect(Object.keys(shown)).not.toContain('audio_key');
    await done('sounds', 'unhide', sound);
    expect((await api.get(`/api/sounds/${sound}/`)).status).toBe(200);
    await refused(1, /is not hidden/, 'sounds', 'unhide', sound);
    await refused(1, /no member has this name/, 'sounds', 'list', '--artist', '誰か');
  });

  rule('sounds that are still to be decoded are counted, and those that cannot be decoded', async () => {
    const { db } = database;
    const count = async () => JSON.parse(await done('sounds', 'decoding', '--json')) as { waiting: number };
    const before = await count();
    const added = [await addSoundOf(database, artist), await addSoundOf(database, artist)];
    expect(await count()).toEqual({ ...before, waiting: before.waiting + 2 });
    await sql`update undecoded_sounds set state = 'failed'
      where sound_seq = (select seq from sounds where id = ${added[0]})`.execute(db);
    await sql`delete from undecoded_sounds
      where sound_seq = (select seq from sounds where id = ${added[1]})`.execute(db);
    expect(await count()).toEqual({ ...before, failed: 1 });
    expect(await done('sounds', 'decoding')).toMatch(
      new RegExp(`Waiting +${before.waiting}\\nGiven up +1\\b`),
    );
  });

  rule('members are suspended and unsuspended, and decisions need a staff account', async () => {
    const page = async () => (await api.get('/api/account/artist/音の人/')).status;
    expect(await page()).toBe(200);
    expect((await api.json('/api/account/artists/')).length).toBe(1);
    await done('members', 'suspend', ARTIST, '--reason', '申し立て');
    expect(await page()).toBe(404);
    // The API caches artists for longer than this.
    expect(await api.json('/api/account/artists/')).toEqual([]);
    expect(await lastAction()).toMatchObject({ action: 'suspend member', subject: artist, note: '申し立て' });
    expect(await done('members', 'show', ARTIST)).toMatch(/^suspension reason +申し立て$/m);
    await refused(1, /先に停止しています/, 'members', 'suspend', ARTIST, '--reason', 'x');
    await done('members', 'unsuspend', ARTIST);
    expect(await page()).toBe(200);
    await done('members', 'revoke-quality-check', ARTIST, '--reason', '他人の作品');
    expect(await lastAction()).toMatchObject({ action: 'revoke quality check', note: '他人の作品' });
    expect(await done('members', 'show', ARTIST)).toMatch(/^quality check +none$/m);
    await refused(2, /reason/, 'members', 'revoke-quality-check', ARTIST);
    for (const command of ['site set maintenance_mode --is-on off', 'types add 声', 'mail retry all']) {
      await refused(1, /not a staff account/, ...command.split(' '), '--as', ARTIST);
    }
  });
});
