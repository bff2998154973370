import { spawnSync } from 'node:child_process';
import { mkdir, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { NOTICES_MAX } from '../../../../contract/operator-notices.ts';
import type { NoticeListing } from '../../../../contract/operator-notices.ts';
import { createUser } from '../../../../server/features/accounts/users.ts';
import type { Database } from '../../../../server/platform/database/open.ts';
import { RESERVE_BYTES, createDiskSpace } from '../../../../server/platform/storage/disk-space.ts';
import { openTemporaryFiles } from '../../../../server/platform/storage/temporary-files.ts';
import { createTestApi, toNoticesOption } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';
import { everyDatabase } from '../../../support/databases.ts';
import { makeFolder } from '../../../support/folders.ts';
import { FORM_TYPE, toFormBytes } from '../../../support/forms.ts';
import type { Part } from '../../../support/forms.ts';

const DIE = fileURLToPath(new URL('../../../support/add-notice-and-die.ts', import.meta.url));
const PNG = Buffer.from('\x89PNG\r\n\x1a\n of a test', 'latin1');
const VIDEO = Buffer.from('\0\0\0\x18ftypmp42 of a test', 'latin1');
const TEXTS = { text: '春の市', link: 'https://example.com/a', seconds: '15', from: '', until: '' };
const FIELDS = { ...TEXTS, seconds: 15 };
const HOUR_MS = 3_600_000;

describe.each(everyDatabase)('notices in the console on $name', ({ open }) => {
  let database: Database;
  let api: TestApi;
  let staff: string;
  let dataDir: string;
  let folder: string;
  let freeBytes: number;

  beforeEach(async () => {
    database = await open();
    dataDir = await makeFolder();
    folder = join(dataDir, 'notices');
    freeBytes = Infinity;
    const space = createDiskSpace(() => Promise.resolve(freeBytes));
    const temporaryFiles = await openTemporaryFiles(join(dataDir, 'temporary'), Date.now, space);
    api = createTestApi(database, { temporaryFiles, notices: toNoticesOption(folder) });
    staff = await createUser(database, { username: '運営', email: 's@example.test', is_staff: true });
  });
  afterEach(() => database.close());

  const list = async () => (await api.json('/api/operator/notices/', staff)) as NoticeListing;
  const readFolder = async () => (await readdir(folder)).toSorted();
  const readJson = async () =>
    JSON.parse(await readFile(join(folder, 'notices.json'), 'utf8')) as Record<string, unknown>[];
  const write = (entries: unknown) => writeFile(join(folder, 'notices.json'), JSON.stringify(entries));
  async function answer(response: Response) {
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  }
  async function post(path: string, body: object, userId = staff) {
    const authorization = `Bearer ${await api.logIn(userId)}`;
    return answer(await api.post(`/api/operator/notices/${path}`, body, { authorization }));
  }
  const picture = (content: Buffer | string = PNG, filename = '春.PNG'): Part => ({
    name: 'file',
    filename,
    content,
  });
  const captions = (content = 'WEBVTT\n'): Part => ({ name: 'captions', filename: 'a.vtt', content });
  async function add(texts: object = {}, files: Part[] = [picture()], userId = staff) {
    const parts = Object.entries({ ...TEXTS, ...texts }).map(([name, content]) => ({
      name,
      content: String(content),
    }));
    const response = await api.app.request('/api/operator/notices/', {
      method: 'POST',
      headers: { authorization: `Bearer ${await api.logIn(userId)}`, 'content-type': FORM_TYPE },
      body: toFormBytes([...parts, ...files]) as BodyInit,
    });
    return answer(response);
  }

  test('are added, changed, moved and removed, in the one list of the folder', async () => {
    expect(await list()).toMatchObject({ results: [], problem: '', is_used: true });
    expect((await add()).status).toBe(200);
    const second = await add({ text: '動画', link: '' }, [picture(VIDEO, 'a.mp4'), captions()]);
    expect(second.status).toBe(200);
    const [first, video] = await readJson();
    expect(first).toEqual({
      ...FIELDS,
      file: expect.stringMatching(/^notice-\w{16}\.png$/),
      from: undefined,
      until: undefined,
    });
    expect(video).toEqual({
      text: '動画',
      seconds: 15,
      file: expect.any(String),
      captions: expect.any(String),
    });
    const listed = await list();
    expect(listed.version).toBe(second.body['version']);
    expect(listed.results.map(({ state, notice }) => [state, notice?.kind, notice?.text])).toEqual([
      ['shown', 'picture', '春の市'],
      ['shown', 'video', '動画'],
    ]);

    const change = { ...FIELDS, text: '夏の市', link: '', seconds: 7.5, until: '2026-12-01T00:00' };
    const changed = await post('change/', { version: listed.version, index: 0, ...change });
    expect(changed.status).toBe(200);
    expect((await readJson())[0]).toEqual({
      file: first?.['file'],
      text: '夏の市',
      seconds: 7.5,
      until: '2026-12-01T00:00',
    });
    const moved = await post('move/', { ...changed.body, index: 0, to: 1 });
    expect((await readJson()).map(({ text }) => text)).toEqual(['動画', '夏の市']);
    expect((await post('remove/', { ...moved.body, index: 0 })).status).toBe(200);
    expect(await readFolder()).toEqual([first?.['file'], 'notices.json'].toSorted());
    const actions = await database.db
      .selectFrom('operator_actions')
      .select(['subject', 'note'])
      .orderBy('at')
      .execute();
    expect(actions.map(({ note }) => note).toSorted()).toEqual(
      ['add 動画', 'add 春の市', 'change 夏の市', 'move 1 to 2', 'remove 1'].toSorted(),
    );
  });

  test('say whether they are waiting, shown or over', async () => {
    const at = (hours: number) =>
      new Date(api.clock.now() + (hours + 9) * HOUR_MS).toISOString().slice(0, 16);
    await add({ from: at(1), until: at(2) });
    const read = async () => (await list()).results[0]?.state;
    expect(await read()).toBe('waiting');
    api.clock.advance(HOUR_MS);
    expect(await read()).toBe('shown');
    api.clock.advance(HOUR_MS);
    expect(await read()).toBe('ended');
  });

  test('are not changed by someone who has seen another list, or while the list cannot be read', async () => {
    await add();
    const { version } = await list();
    await add({ text: '別の人のもの' });
    for (const path of ['change/', 'move/', 'remove/']) {
      const { status, body } = await post(path, { version, index: 0, to: 0, ...FIELDS });
      expect([status, body['detail']]).toEqual([409, expect.stringContaining('運営 さん')]);
    }
    expect((await post('remove/', { ...(await list()), index: 5 })).status).toBe(409);
    await writeFile(join(folder, 'notices.json'), '[{');
    expect(await list()).toMatchObject({ results: [], problem: expect.stringContaining('not valid JSON') });
    expect((await add()).status).toBe(409);
    expect(await readFile(join(folder, 'notices.json'), 'utf8')).toBe('[{');
  });

  test('written by hand stay as they are, and a broken one says why', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'mine.png'), PNG);
    await write([
      { file: 'mine.png', text: '手書き', seconds: 9 },
      { file: 'none.png', text: 'x', seconds: 5 },
    ]);
    const { results, version } = await list();
    expect(results[1]).toMatchObject({ state: 'broken', problem: '"none.png" does not exist' });
    const { body } = await post('remove/', { version, index: 1 });
    await post('remove/', { ...body, index: 0 });
    expect(await readFolder()).toEqual(['mine.png', 'notices.json']);
  });

  test.each<[string, object, Part[]?]>([
    ['text', { text: ' ' }],
    ['text', { text: '長'.repeat(501) }],
    ['link', { link: 'http://example.com/' }],
    ['link', { link: 'https://' }],
    ['seconds', { seconds: '4' }],
    ['seconds', { seconds: 'x' }],
    ['seconds', { seconds: '' }],
    ['from', { from: '2026-02-30T10:00' }],
    ['until', { until: 'tomorrow' }],
    ['until', { from: '2026-02-02T10:00', until: '2026-02-02T10:00' }],
    ['file', {}, []],
    ['file', {}, [picture('not a picture')]],
    ['file', {}, [picture(PNG, 'a.svg')]],
    ['file', {}, [picture(PNG, 'a.mp4')]],
    ['captions', {}, [picture(), captions()]],
    ['captions', {}, [picture(VIDEO, 'a.mp4'), captions('words')]],
  ])('name the field %s of %j, and leave nothing behind', async (field, texts, files) => {
    const { status, body } = await add(texts, files);
    expect([status, Object.keys(body)]).toEqual([400, [field]]);
    expect(await readdir(folder)).toEqual([]);
    expect(await readdir(join(dataDir, 'temporary'))).toEqual([]);
  });

  test('are limited in number', async () => {
    await mkdir(folder);
    await write(Array.from({ length: NOTICES_MAX }, () => ({})));
    expect(await add()).toMatchObject({ status: 400, body: { detail: expect.stringContaining('100件') } });
    expect(await readFolder()).toEqual(['notices.json']);
  });

  test('are refused while the folder cannot be written, before the file is read', async () => {
    await writeFile(folder, 'a file in the place of the folder');
    const detail = expect.stringContaining('notices）に書き込めません');
    expect(await add()).toMatchObject({ status: 503, body: { detail } });
    expect(await post('remove/', { version: '', index: 0 })).toMatchObject({ status: 503, body: { detail } });
    await rm(folder);
    expect((await add()).status).toBe(200);
  });

  test('leave the room that the disk keeps for the database', async () => {
    freeBytes = RESERVE_BYTES;
    expect((await add()).status).toBe(507);
    expect(await readdir(folder)).toEqual([]);
  });

  test('survive a kill between file and list, and the leftovers are deleted later', async () => {
    await add();
    const path = join(dataDir, 'received');
    await writeFile(path, PNG);
    const { signal } = spawnSync(process.execPath, [DIE, folder, path], { stdio: 'ignore' });
    expect(signal).toBe('SIGKILL');
    await writeFile(join(folder, `.notices.json.${crypto.randomUUID()}`), '[{"half');
    expect(await readFolder()).toHaveLength(4);
    expect((await list()).results.map(({ state }) => state)).toEqual(['shown']);
    await add();
    expect(await readFolder()).toHaveLength(5);
    for (const name of await readFolder()) await utimes(join(folder, name), 1, 1);
    await add();
    expect(await readFolder()).toHaveLength(4);
    expect((await list()).results.map(({ state }) => state)).toEqual(['shown', 'shown', 'shown']);
  });

  test('of two who add at once both are kept', async () => {
    await Promise.all([add({ text: '甲' }), add({ text: '乙' })]);
    expect((await readJson()).map(({ text }) => text).toSorted()).toEqual(['乙', '甲']);
  });

  test('do not exist for members', async () => {
    const member = await createUser(database, { username: '人', email: 'm@example.test' });
    expect((await api.get('/api/operator/notices/', member)).status).toBe(404);
    expect((await add({}, [picture()], member)).status).toBe(404);
    expect((await post('remove/', { version: '', index: 0 }, member)).status).toBe(404);
    expect(await readdir(dataDir)).toEqual(['temporary']);
  });
});
