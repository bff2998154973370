import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { SHARE_PICTURE } from '#contract/site/pictures.ts';
import { drawSharePicture, toShareVersion } from '#server/media/pictures/share-pictures.ts';
import type { ShareSubject } from '#server/media/pictures/share-pictures.ts';
import { measureProcessorMs } from '#support/processes/processor-time.ts';

const SUBJECT: ShareSubject = {
  shape: 'square',
  title: '湯けむり宿',
  line: '音の人',
  siteName: 'Otoichi',
  peaks: '0z'.repeat(32),
  pictureKey: null,
};

/** How much of a box is dark, from 0 to 1. */
async function measureInk(picture: Buffer, left: number, top: number, width: number, height: number) {
  const { data } = await sharp(picture)
    .extract({ left, top, width, height })
    .greyscale()
    .threshold(128)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return data.filter((value) => value === 0).length / data.length;
}

const measureTitle = (picture: Buffer) => measureInk(picture, 504, 64, 632, 280);
const draw = (change: Partial<ShareSubject>, picture: Buffer | null = null) =>
  drawSharePicture({ ...SUBJECT, ...change }, picture);

describe('the picture of a shared link', () => {
  test('is a JPEG of 1200 × 630 with the title, the waveform and the stored picture', async () => {
    const stored = await sharp({ create: { width: 640, height: 640, channels: 3, background: '#000' } })
      .webp()
      .toBuffer();
    const picture = await draw({}, stored);
    expect(await sharp(picture).metadata()).toMatchObject({ format: 'jpeg', ...SHARE_PICTURE });
    expect(picture.byteLength).toBeLessThan(150_000);
    expect(await measureTitle(picture)).toBeGreaterThan(0.02);
    expect(await measureInk(picture, 100, 100, 300, 300)).toBe(1);
    expect(await measureInk(await draw({}), 100, 100, 300, 300)).toBeLessThan(0.2);
    expect(await measureInk(picture, 64, 490, 1072, 92)).toBeGreaterThan(0.1);
  });

  test.each([
    ['Hangul', '한국어 노래'],
    ['Arabic', 'موسيقى'],
    ['a rare kanji', '𰻞𰻞麺'],
    ['signs alone', '🌃🎹'],
    ['nothing', ' '],
  ])('P19: has no boxes in place of a title that the font lacks: %s', async (_, title) => {
    const blank = await measureTitle(await draw({ title: '', line: '' }));
    expect(blank).toBe(0);
    expect(await measureTitle(await draw({ title, line: '' }))).toBe(blank);
  });

  test('leaves out signs that the font lacks', async () => {
    expect(await draw({ title: '夜の街🌃' })).toEqual(await draw({ title: '夜の街' }));
  });

  test.each([
    ['long', 'とても長い題名'.repeat(40)],
    ['one word', 'x'.repeat(500)],
    ['markup', '<span size="999999">&amp;</span><b>'],
    ['many marks', `が${'\u3099'.repeat(200)}`],
    ['lines', 'a\n'.repeat(300)],
    ['both directions', '\u202eabc\u2067def'],
  ])('P19: keeps a title inside its place: %s', async (_, title) => {
    const picture = await draw({ title, line: title, siteName: title });
    expect(await sharp(picture).metadata()).toMatchObject({ ...SHARE_PICTURE });
    // The margins.
    expect(await measureInk(picture, 1_140, 0, 60, 480)).toBe(0);
    expect(await measureInk(picture, 504, 452, 632, 30)).toBe(0);
  });

  test('P19: takes a fraction of a second of a core, whatever its texts', async () => {
    await draw({});
    const title = '長い題名を'.repeat(2_000);
    expect(await measureProcessorMs(() => draw({ title, line: title, siteName: title }))).toBeLessThan(1_500);
  });

  test.each([
    ['title', { title: '朝' }],
    ['artist', { line: '別の人' }],
    ['site', { siteName: '音市' }],
    ['waveform', { peaks: '' }],
    ['picture', { pictureKey: 'k' }],
  ])('has another version with another %s', (_, change) => {
    expect(toShareVersion({ ...SUBJECT, ...change })).not.toBe(toShareVersion(SUBJECT));
    expect(toShareVersion(SUBJECT)).toMatch(/^[\w-]{6}$/);
  });
});

test.each([
  ['share.jpg', SHARE_PICTURE],
  ['apple-touch-icon.png', { width: 180, height: 180 }],
  ['icon-192.png', { width: 192, height: 192 }],
  ['icon-512.png', { width: 512, height: 512 }],
])('the file %s has its size', async (name, size) => {
  const file = await readFile(new URL(`../../../../public/${name}`, import.meta.url));
  expect(await sharp(file).metadata()).toMatchObject(size);
});
