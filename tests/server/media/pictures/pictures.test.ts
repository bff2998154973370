import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { PICTURE_WIDTHS } from '#contract/site/pictures.ts';
import { PICTURE_BYTES_MAX } from '#contract/accounts/profile.ts';
import { UnusablePictureError } from '#server/media/pictures/faults.ts';
import { deletePicture, encodePhotograph, storePicture } from '#server/media/pictures/pictures.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { makeFolder } from '#support/files/folders.ts';
import {
  CANARY,
  makeAnimatedPng,
  makeLyingJpeg,
  makeNoise,
  makePng,
  makePngBomb,
  makeTellingJpeg,
  toRows,
} from '#support/files/pictures.ts';
import { measureProcessorMs } from '#support/processes/processor-time.ts';

const paper = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c33' } });

async function open() {
  const storage = await openFolderStorage(await makeFolder());
  const read = async (key: string, width: number) =>
    buffer(await storage.open(`pictures/${key}/${width}.webp`));
  return { storage, read };
}

describe('storePicture', () => {
  test('creates a square WebP of every width of an avatar', async () => {
    const { storage, read } = await open();
    const key = await storePicture(storage, await paper(300, 200).png().toBuffer(), 'avatar');
    expect(key).toMatch(/^[\w-]{22}$/);
    for (const width of PICTURE_WIDTHS.avatar) {
      expect(await sharp(await read(key, width)).metadata()).toMatchObject({
        format: 'webp',
        width,
        height: width,
      });
    }
  });

  test('keeps the shape of a banner', async () => {
    const { storage, read } = await open();
    const key = await storePicture(storage, await paper(2_400, 300).jpeg().toBuffer(), 'banner');
    expect(await sharp(await read(key, 1_200)).metadata()).toMatchObject({ width: 1_200, height: 150 });
  });

  test('removes metadata, and applies the orientation of the camera', async () => {
    const { storage, read } = await open();
    const bytes = await paper(40, 20)
      .withExif({ IFD0: { Copyright: 'SECRET-PLACE' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    const key = await storePicture(storage, bytes, 'logo');
    const stored = await read(key, 240);
    const { exif, orientation, width = 0, height = 0 } = await sharp(stored).metadata();
    expect({ exif, orientation }).toEqual({ exif: undefined, orientation: undefined });
    expect(height).toBeGreaterThan(width);
    expect(stored.includes('SECRET-PLACE')).toBe(false);
  });

  test('gives the same picture the same key, and another kind another', async () => {
    const { storage } = await open();
    const bytes = await paper(50, 50).png().toBuffer();
    const key = await storePicture(storage, bytes, 'avatar');
    expect(await storePicture(storage, bytes, 'avatar')).toBe(key);
    expect(await storePicture(storage, bytes, 'thumbnail')).not.toBe(key);
  });

  test.each<[what: string, make: () => Buffer | Promise<Buffer>, fault: string]>([
    ['text', () => Buffer.from('not a picture'), 'type'],
    [
      'an SVG',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script/></svg>'),
      'type',
    ],
    ['a GIF', () => paper(9, 9).gif().toBuffer(), 'type'],
    ['a WebP', () => paper(9, 9).webp().toBuffer(), 'type'],
    ['U5: a PNG of 50,000 × 50,000', makePngBomb, 'pixels'],
    ['U6: a JPEG that says 65,500 × 65,500', () => makeLyingJpeg(65_500), 'pixels'],
    [
      'U6: a PNG that says more than it holds',
      () => makePng({ width: 900, height: 900 }, toRows(9, 9)),
      'broken',
    ],
    ['U6: an animated PNG', makeAnimatedPng, 'animated'],
    ['more than 10 MB', () => Buffer.alloc(PICTURE_BYTES_MAX + 1), 'bytes'],
  ])('refuses %s, at once', async (_, make, fault) => {
    const { storage } = await open();
    const bytes = await make();
    let error: unknown;
    const tookMs = await measureProcessorMs(async () => {
      error = await storePicture(storage, bytes, 'avatar').catch((error: unknown) => error);
    }, process.cpuUsage);
    expect(tookMs).toBeLessThan(500);
    expect(error).toBeInstanceOf(UnusablePictureError);
    expect(error).toMatchObject({ fault });
  });

  test('separates pictures with different salts, and deletes one without the other', async () => {
    const { storage, read } = await open();
    const bytes = await paper(300, 300).png().toBuffer();
    const mine = await storePicture(storage, bytes, 'avatar', 'me');
    const yours = await storePicture(storage, bytes, 'avatar', 'you');
    await deletePicture(storage, mine, 'avatar');
    await expect(read(mine, 96)).rejects.toThrow();
    expect((await read(yours, 96)).byteLength).toBeGreaterThan(0);
  });

  test('removes all widths when a later one cannot be stored', async () => {
    const { storage } = await open();
    const stored: string[] = [];
    const full = {
      ...storage,
      async put(object: string, content: Uint8Array) {
        if (stored.length > 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
        await storage.put(object, content);
        stored.push(object);
      },
    };
    await expect(storePicture(full, await paper(300, 300).png().toBuffer(), 'avatar')).rejects.toThrow(
      'no space',
    );
    expect(stored).toHaveLength(1);
    expect(await storage.has(stored[0]!)).toBe(false);
  });

  test('refuses a truncated picture', async () => {
    const { storage } = await open();
    const whole = await sharp({
      create: {
        width: 400,
        height: 400,
        channels: 3,
        background: '#fff',
        noise: { type: 'gaussian', mean: 128, sigma: 30 },
      },
    })
      .png()
      .toBuffer();
    await expect(
      storePicture(storage, whole.subarray(0, whole.byteLength / 2), 'avatar'),
    ).rejects.toBeInstanceOf(UnusablePictureError);
  });
});

describe('a real picture keeps its look', () => {
  const noise = () => makeNoise(640, 400).blur(8);
  const upright = (orientation: number) => async () =>
    noise().withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer();
  const transparent = () => noise().ensureAlpha(0.4);

  test.each<[what: string, make: () => Promise<Buffer>]>([
    ['a JPEG', () => noise().jpeg().toBuffer()],
    ['a progressive JPEG', () => noise().jpeg({ progressive: true }).toBuffer()],
    ['a JPEG that mozjpeg has optimised', () => noise().jpeg({ mozjpeg: true }).toBuffer()],
    ['a JPEG in full colour', () => noise().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer()],
    ['a grey JPEG', () => noise().greyscale().jpeg().toBuffer()],
    ['a JPEG for print', () => noise().toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer()],
    [
      'a progressive JPEG for print',
      () => noise().toColourspace('cmyk').jpeg({ progressive: true }).toBuffer(),
    ],
    ['a JPEG of a wide gamut', () => noise().withIccProfile('p3').jpeg().toBuffer()],
    ['a PNG of a wide gamut', () => noise().withIccProfile('p3').png().toBuffer()],
    ['a PNG', () => noise().png().toBuffer()],
    ['an interlaced PNG', () => noise().png({ progressive: true }).toBuffer()],
    ['a PNG with a palette', () => noise().png({ palette: true, colours: 64 }).toBuffer()],
    ['a PNG of 16 bits', () => noise().toColourspace('rgb16').png().toBuffer()],
    ['a grey PNG', () => noise().greyscale().png().toBuffer()],
    ['a transparent PNG', () => transparent().png().toBuffer()],
    ['a transparent PNG with a palette', () => transparent().png({ palette: true }).toBuffer()],
    [
      'an interlaced transparent PNG of 16 bits',
      () => transparent().toColourspace('rgb16').png({ progressive: true }).toBuffer(),
    ],
    ['a PNG that lies on its side', () => noise().withMetadata({ orientation: 8 }).png().toBuffer()],
    ...[2, 3, 4, 5, 6, 7, 8].map(
      (value) => [`a JPEG of orientation ${value}`, upright(value)] as [string, () => Promise<Buffer>],
    ),
  ])('%s', async (_, make) => {
    const { storage, read } = await open();
    const bytes = await make();
    const key = await storePicture(storage, bytes, 'thumbnail');
    for (const width of PICTURE_WIDTHS.thumbnail) {
      const direct = sharp(bytes).autoOrient().resize({ width, height: width, fit: 'cover' });
      const [expected, found] = await Promise.all(
        [direct.webp({ quality: 80, effort: 3 }).toBuffer(), read(key, width)].map(async (picture) =>
          sharp(await picture)
            .ensureAlpha()
            .raw()
            .toBuffer(),
        ),
      );
      if (expected === undefined || found === undefined) throw new Error('no picture');
      expect(found).toHaveLength(expected.byteLength);
      const difference = expected.reduce(
        (sum, value, index) => sum + Math.abs(value - (found[index] ?? 0)),
        0,
      );
      expect(difference / expected.byteLength).toBeLessThan(1.5);
    }
  });
});

describe('encodePhotograph', () => {
  test('U7: applies its orientation and removes its position', async () => {
    const bytes = await makeTellingJpeg(600, 400);
    expect(bytes.includes(CANARY)).toBe(true);
    const made = await encodePhotograph(bytes);
    const { format, width, height, exif, icc, xmp, orientation } = await sharp(made).metadata();
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: 400, height: 600 });
    expect([exif, icc, xmp, orientation]).toEqual([undefined, undefined, undefined, undefined]);
    expect(made.includes(CANARY)).toBe(false);
  });

  test('limits the long side to 2,400 pixels', async () => {
    const made = await encodePhotograph(await paper(3_000, 1_500).png().toBuffer());
    expect(await sharp(made).metadata()).toMatchObject({ width: 2_400, height: 1_200 });
    const small = await encodePhotograph(await makeNoise(30, 20).png().toBuffer());
    expect(await sharp(small).metadata()).toMatchObject({ width: 30, height: 20 });
  });
});
