import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { INTENT_MS_MAX } from '#contract/downloads/downloads.ts';
import { type NoticeListing, NOTICES_BYTES_MAX, NOTICES_MAX } from '#contract/operator/notices.ts';
import { deleteRemovedNotices } from '#server/features/notices/storing.ts';
import { RESERVE_BYTES, createDiskSpace } from '#server/platform/storage/disk-space.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { INCOMING_MS_MAX } from '#server/platform/storage/port.ts';
import { openTemporaryFiles } from '#server/platform/storage/temporary-files.ts';
import { useApi } from '#support/http/use-api.ts';
import { bothDatabases, listRows, updateRows } from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';
import { sendForm } from '#support/sounds/uploads.ts';
import type { Part } from '#support/http/forms.ts';
import { makePaper } from '#support/files/pictures.ts';
import { makeMp4Video } from '#support/files/videos.ts';
import { listKeys } from '#support/files/memory-files.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const PNG = await makePaper(20, 10).png().toBuffer();
const VIDEO = makeMp4Video();
const TEXTS = { text: '春の市', link: 'https://example.com/a', seconds: '15', from: '', until: '' };
const FIELDS = { ...TEXTS, seconds: 15 };
const HOUR_MS = 3_600_000;

describe.each(bothDatabases)('notices in the console on $name', ({ open, rule }) => {
  let dataDir: string;
  let freeBytes: number;

  const { database, api, storage, useStaff } = useApi(open, async () => {
    dataDir = await makeFolder();
    freeBytes = Infinity;
    const space = createDiskSpace(() => Promise.resolve(freeBytes));
    const temporaryFiles = await openTemporaryFiles(join(dataDir, 'temporary'), Date.now, space);
    const storage = await openFolderStorage(join(dataDir, 'files'), Date.now, space);
    return { temporaryFiles, storage };
  });
  const staff = useStaff({ username: '運営' });

  const list = async () => (await api.json('/api/operator/notices/', staff)) as NoticeListing;
  const deps = () => ({ database, storage, clock: api.clock });
  const readRows = () => listRows(database, 'notices');
  async function answer(response: Response) {
    return { status: response.status, body: (await response.json()) as Record<string, string> };
  }
  async function post(path: string, body: object) {
    return answer(await api.post(`/api/operator/notices/${path}`, body, staff));
  }
  const picture = (content: Buffer | string = PNG, filename = '春.PNG'): Part => ({
    name: 'file',
    filename,
    content,
  });
  const captions = (content = 'WEBVTT\n'): Part => ({ name: 'captions', filename: 'a.vtt', content });
  async function add(texts: object = {}, files: Part[] = [picture()]) {
    const parts = Object.entries({ ...TEXTS, ...texts }).map(([name, content]) => ({
      name,
      content: String(content),
    }));
    return answer(await sendForm(api, 'POST', '/api/operator/notices/', [...parts, ...files], staff));
  }

  rule('are added, changed, moved and removed, in one list', async () => {
    expect(await list()).toMatchObject({ results: [], is_used: true });
    expect((await add()).status).toBe(200);
    const second = await add({ text: '動画', link: '' }, [picture(VIDEO, 'a.mp4'), captions()]);
    expect(second.status).toBe(200);
    const listed = await list();
    expect(listed.version).toBe(second.body['version']);
    expect(listed.results).toMatchObject([
      { state: 'shown', notice: { kind: 'picture', text: '春の市', link: TEXTS.link, captions: null } },
      { state: 'shown', notice: { kind: 'video', text: '動画', link: null, captions: expect.any(String) } },
    ]);
    const change = { ...FIELDS, text: '夏の市', link: '', seconds: 7.5, until: '2026-12-01T00:00' };
    const changed = await post('change/', {
      id: listed.results[0]?.notice.id,
      version: listed.results[0]?.version,
      ...change,
    });
    expect(changed.status).toBe(200);
    expect((await list()).results[0]).toMatchObject({
      notice: { text: '夏の市', link: null, seconds: 7.5, url: listed.results[0]?.notice.url },
      from: '',
      until: '2026-12-01T00:00',
    });
    const moved = await post('move/', { ...changed.body, index: 0, to: 1 });
    expect((await list()).results.map(({ notice }) => notice.text)).toEqual(['動画', '夏の市']);
    expect((await post('remove/', { ...moved.body, index: 0 })).status).toBe(200);
    expect((await list()).results.map(({ notice }) => notice.text)).toEqual(['夏の市']);
    const actions = await listRows(database, 'operator_actions', {}, ['note']);
    expect(actions.map(({ note }) => note).toSorted()).toEqual(
      ['add 動画', 'add 春の市', 'change 夏の市', 'move 1 to 2', 'remove 1'].toSorted(),
    );
  });

  test('keep the files of a removed one while it may be watched, then nothing of it', async () => {
    await add();
    await post('remove/', { ...(await list()), index: 0 });
    api.clock.advance(INTENT_MS_MAX - 1);
    await deleteRemovedNotices(deps());
    expect(await listKeys(storage)).toHaveLength(1);
    api.clock.advance(1);
    await deleteRemovedNotices(deps());
    expect([await listKeys(storage), await readRows()]).toEqual([[], []]);
  });

  rule('say whether they are waiting, shown or over', async () => {
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

  rule('are not changed by someone who has seen another list', async () => {
    await add();
    const { version } = await list();
    await add({ text: '別の人のもの' });
    for (const path of ['move/', 'remove/']) {
      const { status, body } = await post(path, { version, index: 0, to: 0 });
      expect([status, body['detail']]).toEqual([409, expect.stringContaining('運営 さん')]);
    }
    expect((await post('remove/', { ...(await list()), index: 5 })).status).toBe(409);
  });

  rule('can be changed while others are added or moved, but not after a change of the same one', async () => {
    await add();
    const [seen] = (await list()).results;
    await add({ text: '別の人のもの' });
    await post('move/', { version: (await list()).version, index: 0, to: 1 });
    const change = { ...FIELDS, id: seen?.notice.id, version: seen?.version };
    expect((await post('change/', { ...change, text: '一度目' })).status).toBe(200);
    const second = await post('change/', { ...change, text: '二度目' });
    expect([second.status, second.body['detail']]).toEqual([409, expect.stringContaining('運営 さん')]);
    const { results } = await list();
    expect(results.map(({ notice }) => notice.text)).toEqual(['別の人のもの', '一度目']);
    expect((await post('change/', { ...change, version: results[1]?.version, text: '三度目' })).status).toBe(
      200,
    );
    await post('remove/', { version: (await list()).version, index: 1 });
    expect((await post('change/', change)).status).toBe(409);
  });

  rule.each<[string, object, Part[]?]>([
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
    expect([await listKeys(storage), await readRows()]).toEqual([[], []]);
    expect(await readdir(join(dataDir, 'temporary'))).toEqual([]);
  });

  rule('are limited in number and in bytes, of which removed ones count until they are deleted', async () => {
    await add();
    const [row] = await readRows();
    if (row === undefined) throw new Error('no notice');
    const copy = (index: number) => ({ ...row, id: `copy-${index}` });
    const rows = Array.from({ length: NOTICES_MAX - 1 }, (_, index) => copy(index));
    await everyTable(database.db).insertInto('notices').values(rows).execute();
    expect(await add()).toMatchObject({ status: 400, body: { detail: expect.stringContaining('100件') } });
    await updateRows(database, 'notices', { state: 'removed', state_since: api.clock.now() });
    expect((await add()).status).toBe(200);
    await updateRows(database, 'notices', { file_size: NOTICES_BYTES_MAX }, { id: 'copy-0' });
    expect(await add()).toMatchObject({ status: 400, body: { detail: expect.stringContaining('2GB') } });
    expect(await listKeys(storage)).toHaveLength(2);
  });

  rule('leave the room that the disk keeps for the database', async () => {
    freeBytes = RESERVE_BYTES;
    expect((await add()).status).toBe(507);
    expect([await listKeys(storage), await readRows()]).toEqual([[], []]);
  });

  rule('that a crash leaves half stored are not shown, and are deleted later', async () => {
    await add();
    await updateRows(database, 'notices', { state: 'incoming' });
    expect((await list()).results).toEqual([]);
    await deleteRemovedNotices(deps());
    expect(await listKeys(storage)).toHaveLength(1);
    api.clock.advance(INCOMING_MS_MAX);
    await deleteRemovedNotices(deps());
    expect([await listKeys(storage), await readRows()]).toEqual([[], []]);
  });

  test('of two who add at once both are kept', async () => {
    await Promise.all([add({ text: '甲' }), add({ text: '乙' })]);
    expect((await list()).results.map(({ notice }) => notice.text).toSorted()).toEqual(['乙', '甲']);
  });
});
