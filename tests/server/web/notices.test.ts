import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KyselyPlugin } from 'kysely';
import sharp from 'sharp';
import { afterEach, describe, expect, test } from 'vitest';
import { INTENT_MS_MAX } from '#contract/downloads/downloads.ts';
import type { NoticeFields } from '#contract/operator/notices.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { addNotice, removeNotice } from '#server/features/notices/changes.ts';
import { readNoticeFile } from '#server/features/notices/files.ts';
import { createNoticesHandler, findNoticeSeconds } from '#server/features/notices/notices.ts';
import { selectListed, toNotice, toVersion } from '#server/features/notices/rows.ts';
import { storeNotice } from '#server/features/notices/storing.ts';
import { createTestClock } from '#server/platform/concurrency/clock.ts';
import { openDatabase } from '#server/schema/open.ts';
import type { Database } from '#server/platform/database/open.ts';
import { createLog } from '#server/platform/log.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { makeFolder } from '#support/files/folders.ts';
import { makeMp4Video } from '#support/files/videos.ts';
import { startWeb } from '#support/http/web.ts';

interface Next {
  notice: { id: string; kind: string; url: string; captions: string | null; link: string | null } | null;
}

const picture = (width = 20) =>
  sharp({ create: { width, height: 10, channels: 3, background: '#d4553a' } })
    .png()
    .toBuffer();
const VIDEO = makeMp4Video({ bytes: 200_000 });
const ENTRY = { file: 'spring.png', text: '春の市', seconds: 15 };

const opened: Database[] = [];
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close();
});

interface Entry extends Partial<NoticeFields> {
  /** The name of one of the files. */
  readonly file: string;
  readonly captions?: string;
}

async function startNotices(
  list: readonly Entry[],
  files: Record<string, Buffer | string> = {},
  webOrigin: string | null = null,
) {
  const dataDir = await makeFolder();
  const location = { kind: 'sqlite', file: join(dataDir, 'site.sqlite') } as const;
  const open = async () => {
    const database = await openDatabase(location);
    opened.push(database);
    return database;
  };
  const database = await open();
  const storage = await openFolderStorage(join(dataDir, 'files'));
  const clock = createTestClock(0);
  const deps = { database, storage, clock, logger: createLog('silent', { write: () => undefined }) };
  const staff = await createUser(database, {
    username: 'staff',
    email: 'staff@example.test',
    is_staff: true,
  });
  const folder = await makeFolder();
  for (const [name, content] of Object.entries({ 'spring.png': await picture(), ...files }))
    await writeFile(join(folder, name), content);
  const toFile = (filename: string) => ({ filename, path: join(folder, filename) });
  const add = ({ file, captions, ...fields }: Entry, from = deps) =>
    addNotice(
      from,
      staff,
      { text: '', link: '', seconds: 15, from: '', until: '', ...fields },
      { file: toFile(file), captions: captions === undefined ? undefined : toFile(captions) },
    );
  for (const entry of list) await add(entry);
  let turn = 0;
  const web = await startWeb({
    notices: createNoticesHandler({ ...deps, webOrigin, pick: (count) => turn++ % count }),
  });
  const next = async () => ((await (await web.get('/notice/next')).json()) as Next).notice;
  const find = (id = '') => findNoticeSeconds(database, id, clock.now());
  const remove = async () => {
    const version = toVersion(await selectListed(database.db));
    await removeNotice(deps, staff, { version, index: 0 });
  };
  return { ...web, open, deps, folder, clock, add, next, find, remove };
}

describe('the next notice', () => {
  test('is empty without notices, which is not an error', async () => {
    const { next, get } = await startNotices([]);
    expect(await next()).toBeNull();
    expect((await get('/notice/anything.png')).status).toBe(404);
  });

  test('is one of the listed ones, with the address of its file and without its name', async () => {
    const { next, get, find } = await startNotices(
      [
        { ...ENTRY, file: 'banner-ad.png', link: 'https://example.com/a' },
        { file: 'sponsor.mp4', text: '動く絵', captions: 'words.vtt', seconds: 5 },
      ],
      { 'banner-ad.png': await picture(40), 'sponsor.mp4': VIDEO, 'words.vtt': 'WEBVTT\n' },
    );
    const first = await next();
    const second = await next();
    expect(first).toMatchObject({ kind: 'picture', captions: null, link: 'https://example.com/a' });
    expect(second).toMatchObject({ kind: 'video', link: null });
    for (const url of [first?.url, second?.url, second?.captions]) {
      expect(url).toMatch(/^\/notice\/[0-9a-f]{24}\.(webp|mp4|vtt)$/);
      expect((await get(url ?? '')).status).toBe(200);
    }
    expect(await find(first?.id)).toBe(15);
    expect(await find(second?.id)).toBe(5);
    expect(await find('elsewhere')).toBeUndefined();
    const reply = await get('/notice/next');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.headers.get('set-cookie')).toBeNull();
  });

  test('is removed at once, and its time and file stay while it may be watched', async () => {
    const { next, get, find, clock, remove } = await startNotices([ENTRY]);
    const seen = await next();
    await remove();
    expect(await next()).toBeNull();
    expect((await get(seen?.url ?? '')).status).toBe(200);
    clock.advance(INTENT_MS_MAX - 1);
    expect(await find(seen?.id)).toBe(15);
    clock.advance(1);
    expect(await find(seen?.id)).toBeUndefined();
  });

  test('is chosen from its first minute in Japan until its last, and counts for those who are watching', async () => {
    const { next, clock, find } = await startNotices([
      { ...ENTRY, from: '1970-01-01T10:00', until: '1970-01-01T11:00' },
    ]);
    const HOUR_MS = 3_600_000;
    expect(await next()).toBeNull();
    clock.advance(HOUR_MS - 1);
    expect(await next()).toBeNull();
    clock.advance(1);
    const seen = await next();
    expect(seen).toMatchObject({ kind: 'picture' });
    expect(Object.keys(seen ?? {})).not.toContain('from');
    clock.advance(HOUR_MS - 1);
    expect(await next()).toEqual(seen);
    clock.advance(1);
    expect(await next()).toBeNull();
    expect(await find(seen?.id)).toBe(15);
    clock.advance(INTENT_MS_MAX);
    expect(await find(seen?.id)).toBeUndefined();
  });

  test('of another process counts at once, has its file at once, and is shown within two seconds', async () => {
    const { add, next, get, find, open, deps } = await startNotices([]);
    expect(await next()).toBeNull();
    const other = { ...deps, database: await open() };
    await add(ENTRY, other);
    const [row] = await selectListed(other.database.db);
    if (row === undefined) throw new Error('nothing was added');
    expect(await find(row.id)).toBe(15);
    expect((await get(toNotice(row).url)).status).toBe(200);
    await expect.poll(next, { timeout: 2_000 }).toMatchObject({ id: row.id });
  });
});

test('a file that was changed after it was checked is refused', async () => {
  const { deps, folder } = await startNotices([], { 'v.mp4': VIDEO });
  const file = await readNoticeFile(join(folder, 'v.mp4'), ['video']);
  await writeFile(join(folder, 'v.mp4'), makeMp4Video({ bytes: 9 }));
  const fields = { text: '春の市', link: '', seconds: 15, from: '', until: '' };
  const nothing = () => Promise.resolve();
  const storing = storeNotice(deps, { fields, file, captions: undefined }, nothing, nothing);
  await expect(storing).rejects.toThrow('v.mp4 was changed');
  expect(await selectListed(deps.database.db)).toEqual([]);
  expect(await Array.fromAsync(deps.storage.list())).toEqual([]);
});

describe("a notice's file", () => {
  test('is immutable, has its own type, and sets no cookie', async () => {
    const { next, get } = await startNotices([ENTRY]);
    const url = (await next())?.url ?? '';
    const reply = await get(url);
    expect((await sharp(await reply.arrayBuffer()).metadata()).width).toBe(20);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-site',
    });
    expect(reply.headers.get('content-security-policy')).toContain('sandbox');
    expect(reply.headers.get('set-cookie')).toBeNull();
    const again = await get(url, { 'if-none-match': reply.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    expect((await get(url, {}, 'POST')).status).toBe(405);
  });

  test('and the list can be read by a web client on another host', async () => {
    const { next, get } = await startNotices([ENTRY], {}, 'https://web.example');
    for (const path of ['/notice/next', (await next())?.url ?? '']) {
      expect(Object.fromEntries((await get(path)).headers)).toMatchObject({
        'access-control-allow-origin': 'https://web.example',
        'cross-origin-resource-policy': 'cross-origin',
      });
    }
  });

  test('of a video is sent in ranges', async () => {
    const { next, get } = await startNotices([{ ...ENTRY, file: 'v.mp4' }], { 'v.mp4': VIDEO });
    const url = (await next())?.url ?? '';
    const part = await get(url, { range: 'bytes=4-7' });
    expect([part.status, await part.text()]).toEqual([206, 'ftyp']);
  });

  test('is served only by its address: nothing outside', async () => {
    const { get, raw } = await startNotices([ENTRY]);
    for (const path of ['spring.png', '']) {
      const reply = await get(`/notice/${path}`);
      expect([path, reply.status]).toEqual([path, 404]);
    }
    // The page server answers ambiguous addresses.
    for (const path of ['/notice/../outside.png', '/notice/..%2foutside.png', '/notice//outside.png']) {
      expect(await raw(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)).toContain(
        '<h1>/404</h1>',
      );
    }
  });

  test('is looked for in one reading of the list, however many ask for unknown addresses', async () => {
    const { deps } = await startNotices([ENTRY]);
    let queries = 0;
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => {
        queries += 1;
        return node;
      },
      transformResult: ({ result }) => Promise.resolve(result),
    };
    const database = { ...deps.database, db: deps.database.db.withPlugin(counting) };
    const { get } = await startWeb({ notices: createNoticesHandler({ ...deps, database, webOrigin: null }) });
    const replies = await Promise.all(
      Array.from({ length: 100 }, (_, index) => get(`/notice/${String(index).padStart(24, '0')}.png`)),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([404]));
    // The requests do not arrive all at once.
    expect(queries).toBeLessThanOrEqual(5);
  });

  test('that storage has lost is answered 404, and not cached', async () => {
    const { next, get, deps } = await startNotices([ENTRY]);
    const url = (await next())?.url ?? '';
    for await (const { key } of deps.storage.list()) await deps.storage.delete(key);
    for (const method of ['GET', 'HEAD']) {
      const reply = await get(url, {}, method);
      expect([method, reply.status, reply.headers.get('cache-control')]).toEqual([method, 404, 'no-store']);
    }
  });
});
