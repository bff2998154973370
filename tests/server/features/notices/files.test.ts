import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { readNoticeFile } from '#server/features/notices/files.ts';
import { makeFolder } from '#support/files/folders.ts';
import { makeAnimatedPng, makePaper, makePngBomb, makeNoise } from '#support/files/pictures.ts';
import { makeMp4Video, makeWebmVideo } from '#support/files/videos.ts';

const HTML = '<!doctype html><script>alert(document.domain)</script>';

async function check(name: string, content: Buffer | string) {
  const path = join(await makeFolder(), name);
  await writeFile(path, content);
  const file = await readNoticeFile(path, ['picture', 'video', 'captions']);
  return { ...file, content: typeof file.content === 'string' ? undefined : file.content };
}

/** A GIF that moves. */
async function makeGif(width: number, height: number, pages: number): Promise<Buffer> {
  const { data } = await makeNoise(width, height * pages)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width, height: height * pages, channels: 3 as const, pageHeight: height };
  return sharp(data, { raw })
    .gif({ delay: Array.from({ length: pages }, () => 100) })
    .toBuffer();
}

/** A GIF whose pictures declare these sides, at 15 bytes each. */
function makeEmptyGif(width: number, height: number, pages = 1): Buffer {
  const sides = Buffer.alloc(4);
  sides.writeUInt16LE(width, 0);
  sides.writeUInt16LE(height, 2);
  const picture = Buffer.concat([Buffer.from(',\0\0\0\0'), sides, Buffer.from('\0\x02\x02D\x01\0')]);
  return Buffer.concat([
    Buffer.from('GIF89a'),
    sides,
    Buffer.from('\x80\0\0\0\0\0\xff\xff\xff', 'latin1'),
    ...Array.from({ length: pages }, () => picture),
    Buffer.from(';'),
  ]);
}

describe('U22 a picture of a notice', () => {
  test.each(['png', 'jpeg', 'webp', 'avif', 'gif'] as const)(
    'of type %s is written again, without what it carries',
    async (format) => {
      const given = await makePaper(40, 30)
        .withExif({ IFD0: { Copyright: HTML } })
        .toFormat(format)
        .toBuffer();
      const file = await check(`a.${format}`, Buffer.concat([given, Buffer.from(HTML)]));
      const content = file.content ?? Buffer.alloc(0);
      expect(content.toString('latin1')).not.toContain('script');
      expect(await sharp(content).metadata()).toMatchObject({ format: 'webp', width: 40, height: 30 });
      expect(file).toMatchObject({ kind: 'picture', ending: '.webp', size: content.byteLength });
    },
  );

  test('keeps moving', async () => {
    const { content } = await check('a.gif', await makeGif(64, 40, 3));
    expect(await sharp(content).metadata()).toMatchObject({ pages: 3, height: 40, delay: [100, 100, 100] });
  });

  test.each([
    ['with 2.5 gigapixels in 48 KB', 'a.png', makePngBomb, 'the picture is 50000 × 50000 × 1'],
    [
      'with 2.5 gigapixels in 40 bytes',
      'a.gif',
      () => makeEmptyGif(50_000, 50_000),
      'the picture is 50000 × 50000 × 1',
    ],
    [
      'that moves with more pixels than allowed',
      'a.gif',
      () => makeEmptyGif(1_000, 1_000, 26),
      'the picture is 1000 × 1000 × 26',
    ],
    ['that is a page', 'a.gif', () => `GIF89a/*${HTML}*/`],
    [
      'that is cut off',
      'a.jpg',
      async () => (await makeNoise(400, 400).jpeg().toBuffer()).subarray(0, 9_000),
    ],
    ['that moves as a PNG', 'a.png', makeAnimatedPng],
    ['of another type than its name', 'a.png', () => makePaper(4, 4).jpeg().toBuffer()],
  ])('%s is refused', async (_, name, make, reason = '') => {
    const refusal = await check(name, await make()).then(
      () => '',
      (error: unknown) => (error as Error).message,
    );
    expect(refusal).toMatch(/"a\.\w+" (?:cannot be used|is not a file of type)/);
    // Its header is enough: no decoder meets the picture.
    expect(refusal).toContain(reason);
  });
});

const mp4 = makeMp4Video();
const webm = makeWebmVideo();

describe('U23 a video of a notice', () => {
  test.each([
    ['v.mp4', mp4],
    ['v.webm', webm],
  ])('with the structure of one is stored as it is: %s', async (name, content) => {
    expect(await check(name, content)).toMatchObject({
      kind: 'video',
      size: content.byteLength,
      content: undefined,
    });
  });

  test.each([
    ['of 12 bytes', 'v.webm', webm.subarray(0, 12)],
    ['of 12 bytes', 'v.mp4', mp4.subarray(0, 12)],
    ['that is cut off', 'v.webm', webm.subarray(0, -1)],
    ['that is cut off', 'v.mp4', mp4.subarray(0, -1)],
    ['with a page behind it', 'v.webm', Buffer.concat([webm, Buffer.from(HTML)])],
    ['with a page behind it', 'v.mp4', Buffer.concat([mp4, Buffer.from(HTML)])],
    [
      'with a page in front of its pictures',
      'v.mp4',
      Buffer.concat([Buffer.from('\0\0\0\x08ftyp'), Buffer.from(HTML)]),
    ],
    ['without pictures', 'v.webm', makeWebmVideo({ pictures: 0 })],
    ['without pictures', 'v.mp4', makeMp4Video({ pictures: 0 })],
    ['without a size', 'v.webm', makeWebmVideo({ width: 0 })],
    ['without a size', 'v.mp4', makeMp4Video({ height: 0 })],
    ['with a huge picture', 'v.webm', makeWebmVideo({ width: 50_000 })],
    ['with a huge picture', 'v.mp4', makeMp4Video({ height: 4_097 })],
    ['without a duration', 'v.webm', makeWebmVideo({ seconds: 0 })],
    ['without a duration', 'v.mp4', makeMp4Video({ seconds: 0 })],
    ['of more than ten minutes', 'v.webm', makeWebmVideo({ seconds: 601 })],
    ['of more than ten minutes', 'v.mp4', makeMp4Video({ seconds: 601 })],
    ['of another codec', 'v.webm', makeWebmVideo({ codec: 'V_MPEG4' })],
    ['of another codec', 'v.mp4', makeMp4Video({ codec: 'mp4v' })],
    ['with too many elements', 'v.webm', makeWebmVideo({ pictures: 70_000, bytes: 1 })],
    ['that is sound', 'v.mp4', Buffer.from(mp4.toString('latin1').replace('vide', 'soun'), 'latin1')],
    ['of the other type', 'v.mp4', webm],
  ])('%s is refused: %s', async (_, name, content) => {
    await expect(check(name, content)).rejects.toThrow(/"v\.\w+" (?:cannot be used|is not a file of type)/);
  });

  test('at its bounds is accepted', async () => {
    await check(
      'v.webm',
      makeWebmVideo({ width: 4_096, height: 4_096, seconds: 600, pictures: 60_000, bytes: 1 }),
    );
    await check('v.mp4', makeMp4Video({ width: 4_096, height: 4_096, seconds: 600 }));
  });
});

describe('U23 captions of a notice', () => {
  test('are written again with their cues alone', async () => {
    const given = `\ufeffWEBVTT a title\r\nX: y\r\n\r\nNOTE ${HTML}\r\n\r\nSTYLE\r\n::cue { background: url(https://evil.test/) }\r\n\r\none\r\n00:00.000 --> 00:01.500 line:0 align:start\r\n<v 声><b>春</b> & 夏</v>\r\n\r\n01:00:02.000 --> 01:00:03.000\r\n<00:00.500>秋`;
    const { content, kind, ending } = await check('c.vtt', given);
    expect(content?.toString()).toBe(
      'WEBVTT\n\n00:00.000 --> 00:01.500 line:0 align:start\n<v 声><b>春</b> & 夏</v>\n\n01:00:02.000 --> 01:00:03.000\n<00:00.500>秋\n',
    );
    expect([kind, ending]).toEqual(['captions', '.vtt']);
    expect((await check('c.vtt', 'WEBVTT')).content?.toString()).toBe('WEBVTT\n');
  });

  test.each([
    ['a page', `WEBVTT\n\n${HTML}`],
    ['a script in a cue', `WEBVTT\n\n00:00.000 --> 00:01.000\n${HTML}`],
    ['a tag that does not end', 'WEBVTT\n\n00:00.000 --> 00:01.000\n<script src=//evil.test'],
    ['no time', 'WEBVTT\n\nwords'],
    ['another beginning', 'WEBVTTX\n'],
    ['other than UTF-8', Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\n\xff', 'latin1')],
    ['a megabyte', `WEBVTT\n\nNOTE ${'x'.repeat(1024 * 1024)}`],
  ])('with %s are refused', async (_, content) => {
    await expect(check('c.vtt', content)).rejects.toThrow(/"c\.vtt"/);
  });
});
