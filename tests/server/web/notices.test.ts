import { createHash } from 'node:crypto';
import {
  copyFile,
  mkdir,
  readFile,
  readdir,
  readlink,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { INTENT_MS_MAX } from '../../../contract/downloads.ts';
import { openNotices } from '../../../server/features/notices/notices.ts';
import { createLog } from '../../../server/platform/log.ts';
import { makeFolder } from '../../support/folders.ts';
import { startWeb } from '../../support/web.ts';

interface Next {
  notice: { id: string; kind: string; url: string; captions: string | null; link: string | null } | null;
}

const picture = (width = 20) =>
  sharp({ create: { width, height: 10, channels: 3, background: '#d4553a' } })
    .png()
    .toBuffer();
const VIDEO = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42', 'latin1'), Buffer.alloc(200_000, 9)]);
const ENTRY = { file: 'spring.png', text: '春の市', seconds: 15 };

async function startNotices(
  list: unknown,
  files: Record<string, Buffer | string> = {},
  webOrigin: string | null = null,
) {
  const folder = join(await makeFolder(), 'notices');
  const lines: string[] = [];
  let now = 0;
  let turn = 0;
  if (list !== undefined) {
    await mkdir(folder);
    await writeFile(join(folder, 'notices.json'), typeof list === 'string' ? list : JSON.stringify(list));
    for (const [name, content] of Object.entries({ 'spring.png': await picture(), ...files })) {
      await writeFile(join(folder, name), content);
    }
  }
  const notices = await openNotices({
    folder,
    webOrigin,
    log: createLog('info', { write: (line) => void lines.push(line) }),
    now: () => now,
    pick: (count) => turn++ % count,
  });
  const web = await startWeb({ notices: notices.answer });
  const next = async () => ((await (await web.get('/notice/next')).json()) as Next).notice;
  const problems = () => lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  return { ...web, folder, notices, next, problems, advance: (ms: number) => void (now += ms) };
}

describe('the next notice', () => {
  test('is empty without a folder, which is not an error', async () => {
    const { next, get, problems } = await startNotices(undefined);
    expect(await next()).toBeNull();
    expect((await get('/notice/anything.png')).status).toBe(404);
    expect(problems()).toEqual([]);
  });

  test('is one of the listed ones, with the address of its file and without its name', async () => {
    const { next, get, notices } = await startNotices(
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
      expect(url).toMatch(/^\/notice\/[0-9a-f]{24}\.(png|mp4|vtt)$/);
      expect((await get(url ?? '')).status).toBe(200);
    }
    expect(notices.findSeconds(first?.id ?? '')).toBe(15);
    expect(notices.findSeconds(second?.id ?? '')).toBe(5);
    expect(notices.findSeconds('elsewhere')).toBeUndefined();
    const reply = await get('/notice/next');
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.headers.get('set-cookie')).toBeNull();
  });

  test('follows the list and the files as they change, without a restart', async () => {
    const { next, folder, advance, get } = await startNotices([ENTRY]);
    const before = await next();
    await writeFile(join(folder, 'spring.png'), await picture(60));
    await utimes(join(folder, 'spring.png'), 1, 1);
    expect((await get(before?.url ?? '')).status).toBe(404);
    advance(1_500);
    const after = await next();
    expect(after?.url).not.toBe(before?.url);
    expect((await get(after?.url ?? '')).status).toBe(200);
    await writeFile(join(folder, 'new.json'), JSON.stringify([]));
    await rename(join(folder, 'new.json'), join(folder, 'notices.json'));
    advance(1_500);
    expect(await next()).toBeNull();
    await rm(folder, { recursive: true });
    advance(1_500);
    expect(await next()).toBeNull();
  });

  test('keeps the duration of a removed notice while it may be watched, and no longer', async () => {
    const { next, folder, advance, notices } = await startNotices([ENTRY]);
    const seen = await next();
    const find = () => notices.findSeconds(seen?.id ?? '');
    await writeFile(join(folder, 'notices.json'), '[]');
    advance(1_500);
    expect(await next()).toBeNull();
    expect(find()).toBe(15);
    advance(INTENT_MS_MAX - 1);
    expect(find()).toBe(15);
    advance(1);
    expect(find()).toBeUndefined();
    expect(await next()).toBeNull();
    expect(find()).toBeUndefined();
  });

  test('is chosen from its first minute in Japan until its last, and counts for those who are watching', async () => {
    const { next, advance, notices } = await startNotices([
      { ...ENTRY, from: '1970-01-01T10:00', until: '1970-01-01T11:00' },
    ]);
    const HOUR_MS = 3_600_000;
    expect(await next()).toBeNull();
    advance(HOUR_MS - 1);
    expect(await next()).toBeNull();
    advance(1);
    const seen = await next();
    const find = () => notices.findSeconds(seen?.id ?? '');
    expect(seen).toMatchObject({ kind: 'picture' });
    expect(Object.keys(seen ?? {})).not.toContain('from');
    advance(HOUR_MS - 1);
    expect(await next()).toEqual(seen);
    advance(1);
    expect(await next()).toBeNull();
    expect(find()).toBe(15);
    advance(INTENT_MS_MAX);
    expect(find()).toBeUndefined();
  });

  test.each([
    [{ from: '2026-12-24' }, 'from must be a minute in Japan'],
    [{ until: '2026-02-30T10:00' }, 'until must be a minute in Japan'],
    [{ from: '2026-02-02T10:00', until: '2026-02-01T10:00' }, 'until must be after from'],
  ])('is left out with the times %j', async (times, reason) => {
    const { next, problems } = await startNotices([{ ...ENTRY, ...times }]);
    expect(await next()).toBeNull();
    expect(problems()).toEqual([expect.stringContaining(reason)]);
  });

  test('has its present duration when it is listed again', async () => {
    const { next, folder, advance, notices } = await startNotices([ENTRY]);
    const seen = await next();
    for (const list of [[], [{ ...ENTRY, seconds: 20 }]]) {
      await writeFile(join(folder, 'notices.json'), JSON.stringify(list));
      advance(1_500);
      await next();
    }
    advance(2 * INTENT_MS_MAX);
    expect(notices.findSeconds(seen?.id ?? '')).toBe(20);
  });

  test('of another process is known shortly after it is requested', async () => {
    const { folder, advance, notices } = await startNotices([]);
    await writeFile(join(folder, 'notices.json'), JSON.stringify([ENTRY]));
    advance(1_500);
    const hash = createHash('sha256').update(await readFile(join(folder, ENTRY.file)));
    const id = hash.digest('hex').slice(0, 24);
    expect(notices.findSeconds(id)).toBeUndefined();
    await expect.poll(() => notices.findSeconds(id)).toBe(15);
  });
});

describe('each error of a list is reported in one line, and its entry left out', () => {
  test.each([
    ['{"file":1}', 'notices.json must be a JSON array'],
    ['[,]', /^notices\.json is not valid JSON: /],
    [[{ ...ENTRY, seconds: 4 }], /entry 1: seconds must be at least 5; it is left out/],
    [[{ ...ENTRY, seconds: 31 }], /entry 1: seconds must be at most 30/],
    [[{ ...ENTRY, seconds: undefined }], /entry 1: seconds is missing/],
    [[{ ...ENTRY, text: ' ' }], /entry 1: text must say what is to be seen/],
    [[{ ...ENTRY, link: 'http://example.com' }], /entry 1: link must be an https:\/\/ address/],
    [[{ ...ENTRY, link: 'javascript:alert(1)' }], /entry 1: link must be an https:\/\/ address/],
    [[{ ...ENTRY, color: 'red' }], /entry 1: color is not known/],
    [[{ ...ENTRY, file: '../spring.png' }], /entry 1: file must be the name of a file in the same folder/],
    [[{ ...ENTRY, file: '.env' }], /entry 1: file must be the name of a file in the same folder/],
    [[{ ...ENTRY, file: 'gone.png' }], /entry 1: "gone.png" does not exist/],
    [[{ ...ENTRY, file: 'page.svg' }], /entry 1: "page.svg" must end in \.avif, /],
    [[{ ...ENTRY, file: 'text.png' }], /entry 1: "text.png" is not a file of type png/],
    [[{ ...ENTRY, captions: 'words.vtt' }], /entry 1: captions are for videos/],
    [['spring.png'], /entry 1: /],
  ])('%j', async (list, problem) => {
    const { next, problems } = await startNotices(list, { 'text.png': 'hello', 'words.vtt': 'WEBVTT' });
    expect(problems()).toHaveLength(1);
    expect(problems()[0]).toMatch(problem);
    expect(await next()).toBeNull();
  });

  test('the other entries remain', async () => {
    const { next, problems } = await startNotices([{ ...ENTRY, file: 'gone.png' }, ENTRY]);
    expect(problems()).toHaveLength(1);
    expect(await next()).toMatchObject({ kind: 'picture' });
  });
});

describe("a notice's file", () => {
  test('is immutable, has its own type, and sets no cookie', async () => {
    const { next, get } = await startNotices([ENTRY]);
    const url = (await next())?.url ?? '';
    const reply = await get(url);
    expect(Buffer.from(await reply.arrayBuffer())).toEqual(await picture());
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'image/png',
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

  test('is answered 404 at its old address when it was removed or replaced', async () => {
    const { next, get, folder, advance } = await startNotices([ENTRY]);
    const path = join(folder, ENTRY.file);
    const before = await readFile(path);
    await utimes(path, 1, 1);
    advance(1_500);
    const url = (await next())?.url ?? '';
    const expectGone = async () => {
      for (const method of ['GET', 'HEAD']) {
        const reply = await get(url, {}, method);
        expect([reply.status, reply.headers.get('cache-control')]).toEqual([404, 'no-store']);
      }
    };
    // With the same length and modification time.
    await writeFile(join(folder, 'other'), Buffer.from(before).fill(1, 100));
    await utimes(join(folder, 'other'), 1, 1);
    await rename(join(folder, 'other'), path);
    await expectGone();
    await writeFile(path, Buffer.concat([before, before]));
    await expectGone();
    await rm(path);
    await expectGone();
  });

  test('is sent as it was when the answer began, even if it is replaced', async () => {
    const large = Buffer.concat([VIDEO, Buffer.alloc(8_000_000, 7)]);
    const { next, get, folder } = await startNotices([{ ...ENTRY, file: 'v.mp4' }], { 'v.mp4': large });
    const reply = await get((await next())?.url ?? '');
    await writeFile(join(folder, 'other'), Buffer.alloc(large.length, 1));
    await rename(join(folder, 'other'), join(folder, 'v.mp4'));
    expect(large.equals(Buffer.from(await reply.arrayBuffer()))).toBe(true);
  });

  test('is closed however its answer ends', async () => {
    const { next, get, folder } = await startNotices([{ ...ENTRY, file: 'v.mp4' }], {
      'v.mp4': Buffer.concat([VIDEO, Buffer.alloc(8_000_000)]),
    });
    const url = (await next())?.url ?? '';
    const etag = (await get(url, {}, 'HEAD')).headers.get('etag') ?? '';
    await get(url, { 'if-none-match': etag });
    await get(url, { range: 'bytes=99999999-' });
    await (await get(url, { range: 'bytes=0-9' })).arrayBuffer();
    await (await get(url)).body?.cancel();
    const listOpen = async () => {
      const numbers = await readdir('/proc/self/fd');
      const targets = await Promise.all(
        numbers.map((number) => readlink(`/proc/self/fd/${number}`).catch(() => '')),
      );
      return targets.filter((target) => target.startsWith(folder));
    };
    if (process.platform === 'linux') await expect.poll(listOpen).toEqual([]);
  });

  test('of a video is sent in ranges', async () => {
    const { next, get } = await startNotices([{ ...ENTRY, file: 'v.mp4' }], { 'v.mp4': VIDEO });
    const url = (await next())?.url ?? '';
    const part = await get(url, { range: 'bytes=4-7' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 4-7/${VIDEO.length}`]);
    expect(await part.text()).toBe('ftyp');
    expect((await get(url, { range: `bytes=${VIDEO.length}-` })).status).toBe(416);
  });

  test('is served only if listed: nothing else of the folder, nothing outside', async () => {
    const { get, raw, folder } = await startNotices([ENTRY], { 'other.png': await picture() });
    await copyFile(join(folder, 'spring.png'), join(folder, '..', 'outside.png'));
    await symlink('/etc/passwd', join(folder, 'passwd.png'));
    for (const path of ['notices.json', 'other.png', 'spring.png', 'passwd.png', '']) {
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
});
