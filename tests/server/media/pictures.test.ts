import { deflateSync } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { PICTURE_WIDTHS } from '../../../contract/pictures.ts';
import { PICTURE_BYTES_MAX, UnusablePictureError, storePicture } from '../../../server/media/pictures.ts';
import { openFolderStorage } from '../../../server/ports/storage-folder.ts';
import { makeFolder } from '../../support/folders.ts';

const paper = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c33' } });

async function open() {
  const storage = await openFolderStorage(await makeFolder());
  const read = async (key: string, width: number) =>
    buffer(await storage.open(`pictures/${key}/${width}.webp`));
  return { storage, read };
}

/** A tiny file that says it is 50,000 pixels wide and high. */
function makeBomb(): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.byteLength);
    return Buffer.concat([length, body, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(50_000, 0);
  header.writeUInt32BE(50_000, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(1_000))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

describe('storePicture', () => {
  test('makes a square WebP of every width of an avatar', async () => {
    const { storage, read } = await open();
    const key = await storePicture(storage, await paper(300, 200).png().toBuffer(), 'avatar');
    expect(key).toMatch(/^[0-9a-f]{64}$/);
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

  test('drops metadata, and turns the picture as its camera said', async () => {
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

  test.each([
    ['text', () => Buffer.from('not a picture')],
    [
      'an SVG',
      () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script/></svg>'),
    ],
    ['more than 25 million pixels in a small file', makeBomb],
    ['more than 10 MB', () => Buffer.alloc(PICTURE_BYTES_MAX + 1)],
  ])('refuses %s', async (_, make) => {
    const { storage } = await open();
    await expect(storePicture(storage, make(), 'avatar')).rejects.toBeInstanceOf(UnusablePictureError);
  });

  test('refuses a picture that breaks off', async () => {
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
