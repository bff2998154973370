import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { drawSharePicture, toShareVersion } from '#server/media/pictures/share-pictures.ts';
import type { ShareSubject } from '#server/media/pictures/share-pictures.ts';
import { unlimitedAdmission } from '#server/platform/limits/admission.ts';
import { DRAWING_LIMITS } from '#server/platform/limits/read-limits.ts';
import type { SharePicturesOptions } from '#server/web/share-pictures.ts';
import { type CallLimits, limitCalls } from '#support/http/admissions.ts';
import { startWeb } from '#support/http/web.ts';

const SUBJECT: ShareSubject = {
  shape: 'square',
  title: '雨音',
  line: 'なぎ',
  siteName: 'Otoichi',
  peaks: '',
  pictureKey: 'a'.repeat(22),
};

/** A site whose sounds are these; `drawn` counts the drawings. */
async function start(limits: Partial<CallLimits> = {}, findShareSubject?: SharePicturesOptions['find']) {
  const subjects = new Map<string, ShareSubject>([['open', SUBJECT]]);
  const admission = limitCalls({ ...DRAWING_LIMITS, burst: 6_000, perSec: 50, refusalDelayMs: 0, ...limits });
  let drawn = 0;
  const web = await startWeb({
    drawing: {
      ...unlimitedAdmission,
      run: (key, work) => {
        drawn += 1;
        return admission.run(key, work);
      },
    },
    findShareSubject:
      findShareSubject ?? ((kind, id) => Promise.resolve(kind === 'sounds' ? subjects.get(id) : undefined)),
  });
  const toPath = (id = 'open', version = toShareVersion(subjects.get(id) ?? SUBJECT)) =>
    `/media/share/sounds/${id}/${version}.jpg`;
  return { ...web, subjects, toPath, countDrawn: () => drawn };
}

describe('the picture of a shared link', () => {
  test('is served with a day of caching, to other sites as well', async () => {
    const { get, toPath, storage } = await start();
    const picture = await sharp({ create: { width: 640, height: 640, channels: 3, background: '#000' } })
      .webp()
      .toBuffer();
    await storage.put(`pictures/${'a'.repeat(22)}/640.webp`, picture);
    const response = await get(toPath());
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=86400',
      'cross-origin-resource-policy': 'cross-origin',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    });
    const body = Buffer.from(await response.arrayBuffer());
    expect(body).toEqual(await drawSharePicture(SUBJECT, picture));
    const etag = response.headers.get('etag') ?? '';
    expect((await get(toPath(), { 'if-none-match': etag })).status).toBe(304);
    expect((await get(toPath(), {}, 'HEAD')).headers.get('content-length')).toBe(String(body.length));
    expect((await get(toPath(), {}, 'POST')).status).toBe(405);
  });

  test('P18: is drawn once, however many ask for it and whatever version they name', async () => {
    const { get, toPath, countDrawn } = await start();
    const versions = Array.from({ length: 20 }, (_, index) => `not-${index + 10}`);
    const replies = await Promise.all(
      [undefined, ...versions].map((version) => get(toPath('open', version))),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(countDrawn()).toBe(1);
    expect(replies.slice(1).map(({ headers }) => headers.get('cache-control'))).toContain(
      'public, max-age=300',
    );
  });

  test('shows a change at once, and nothing of what is no longer public', async () => {
    const { get, toPath, subjects, countDrawn } = await start();
    const before = toPath();
    const first = await (await get(before)).arrayBuffer();
    subjects.set('open', { ...SUBJECT, title: '雷' });
    expect(toPath()).not.toBe(before);
    const old = await get(before);
    expect(Buffer.from(await old.arrayBuffer())).not.toEqual(Buffer.from(first));
    expect(old.headers.get('cache-control')).toBe('public, max-age=300');
    expect(countDrawn()).toBe(2);
    subjects.delete('open');
    expect((await get(before)).status).toBe(404);
  });

  test.each([
    '/media/share/sounds/open/a.jpg',
    '/media/share/sounds/open/',
    '/media/share/pages/open/a23456.jpg',
  ])('is not found at %s', async (path) => {
    const { get } = await start();
    expect((await get(path)).status).toBe(404);
  });

  test('of an artist is found by any name', async () => {
    const names: string[] = [];
    const { get } = await start({}, (kind, name) => {
      names.push(`${kind} ${name}`);
      return Promise.resolve(undefined);
    });
    expect((await get(`/media/share/artist/${encodeURIComponent('音 & の人')}/a23456.jpg`)).status).toBe(404);
    expect(names).toEqual(['artist 音 & の人']);
  });

  test('P18: is refused to an address that has others drawn, and still served to it from memory', async () => {
    const { get, toPath, subjects } = await start({ burst: 200, perSec: 0.01 });
    for (const id of ['b', 'c']) subjects.set(id, { ...SUBJECT, title: id });
    await drawSharePicture(SUBJECT, null); // its process has started
    expect((await get(toPath())).status).toBe(200);
    expect((await get(toPath('b'))).status).toBe(200);
    const refused = await get(toPath('c'));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(9_000);
    expect((await get(toPath('b'))).status).toBe(200);
  });

  test('P18: is refused where too many wait for a drawing', async () => {
    const { get, toPath, subjects } = await start({ waitingMax: 1 });
    const ids = Array.from({ length: 8 }, (_, index) => `sound${index}`);
    for (const id of ids) subjects.set(id, { ...SUBJECT, title: id });
    const statuses = await Promise.all(ids.map(async (id) => (await get(toPath(id))).status));
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
  });
});
