import { describe, expect, test } from 'vitest';
import { findAudioTitle } from '#server/media/audio/titles.ts';
import {
  makeBox,
  makeId3,
  makeId3v1,
  makeItunesTags,
  makeTaggedM4a,
  toId3Text,
  toU32,
} from '#support/files/audio-files.ts';
import { makeM4a } from '#support/files/sound-fixtures.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

describe('a title', () => {
  const id3 = (...frames: [string, Buffer][]) => makeId3(frames);
  test.each<[what: string, make: () => Uint8Array, title: string]>([
    ['of ID3v2 in UTF-16', () => id3(['TALB', toId3Text('盤')], ['TIT2', toId3Text('雨の音')]), '雨の音'],
    ['in Latin letters', () => id3(['TIT2', Buffer.from('\0Caf\xe9', 'latin1')]), 'Café'],
    [
      'that is Shift_JIS in truth',
      () =>
        id3(['TIT2', Buffer.concat([Buffer.from([0]), Buffer.from([0x89, 0x4a, 0x82, 0xcc, 0x89, 0xb9])])]),
      '雨の音',
    ],
    ['behind cover art', () => id3(['APIC', Buffer.alloc(500_000)], ['TIT2', toId3Text('後ろ')]), '後ろ'],
    ['of ID3v1', () => Buffer.concat([Buffer.alloc(500), makeId3v1(Buffer.from('Rain'))]), 'Rain'],
    ['of iTunes', () => makeTaggedM4a([makeItunesTags('風の音')]), '風の音'],
    ['that is none', () => makeM4a(), ''],
    ['that is cut off', () => id3(['TIT2', toId3Text('雨の音')]).subarray(0, 15), ''],
    ['that is 5 KB long', () => id3(['TIT2', Buffer.alloc(5_000, 'a')]), ''],
  ])('%s', async (_, make, title) => {
    expect(await findAudioTitle(make())).toBe(title);
  });
});

describe('a title in another encoding', () => {
  /** As written by a program that supports only the encoding of its system. */
  const inId3v2 = (text: string) => makeId3([['TIT2', latin1(`\0${text}`)]]);
  test.each<[title: string, bytes: string]>([
    ['ピアノ', '\x83s\x83A\x83m'],
    ['ﾋﾟｱﾉ曲', '\xcb\xdf\xb1\xc9\x8b\xc8'],
    ['雨', '\x89J'],
    ['夜BGM', '\x96\xe9BGM'],
    ['Prélude', 'Prélude'],
    ['Für Élise', 'Für Élise'],
    ['château', 'château'],
    ['It’s “Rain”', 'It\x92s \x93Rain\x94'],
  ])('%s is read from bytes that do not say what they are', async (title, bytes) => {
    expect(await findAudioTitle(inId3v2(bytes))).toBe(title);
  });

  test.each<[encoding: string, bytes: Buffer, title: string]>([
    ['Shift_JIS', latin1(`!${'\x89J'.repeat(15)}`), `!${'雨'.repeat(14)}`],
    ['UTF-8', Buffer.from(`!${'雨'.repeat(10)}`), `!${'雨'.repeat(9)}`],
  ])('that ID3v1 cut in the middle of a letter of %s lacks that letter alone', async (_, bytes, title) => {
    expect(await findAudioTitle(Buffer.concat([Buffer.alloc(500), makeId3v1(bytes)]))).toBe(title);
  });

  test.each<[version: number, frameFlags: number, before: string]>([
    [3, 0, ''],
    [4, 0x03, '\0\0\0\x09'],
  ])('that is unsynchronised after ID3v2.%i is read', async (version, frameFlags, before) => {
    const text = latin1('\x01\xff\xfe\xe8\x96\xff\x30\xf3\x97');
    const undone = latin1('\x01\xff\0\xfe\xe8\x96\xff\0\x30\xf3\x97');
    const content = Buffer.concat([latin1(before), undone]);
    const head = Buffer.alloc(10);
    head.write('TIT2', 'latin1');
    head.writeUInt32BE(version === 4 ? content.byteLength : text.byteLength, 4);
    head[9] = frameFlags;
    const size = head.byteLength + content.byteLength;
    const tag = Buffer.concat([
      latin1(`ID3${String.fromCharCode(version)}\0\x80\0\0\0`),
      Buffer.from([size]),
      head,
      content,
    ]);
    expect(await findAudioTitle(tag)).toBe('雨ヿ音');
  });
});

/** An ID3v2.4 tag; sizes of frames are written in seven bits a byte, or like old versions of iTunes in eight. */
function makeId3v24(
  frames: readonly (readonly [id: string, content: Buffer])[],
  { flags = 0, bits = 7, frameFlags = 0 } = {},
): Buffer {
  const toSize = (size: number, of: number) => [3, 2, 1, 0].map((at) => (size >> (at * of)) & (2 ** of - 1));
  const body = Buffer.concat(
    frames.flatMap(([id, content]) => [
      latin1(id),
      Buffer.from([...toSize(content.byteLength, bits), 0, frameFlags]),
      content,
    ]),
  );
  return Buffer.concat([latin1('ID3\x04\0'), Buffer.from([flags, ...toSize(body.byteLength, 7)]), body]);
}

describe('a title of ID3v2.4', () => {
  const text = latin1('\x01\xff\xfe\xe8\x96\xff\x30\xf3\x97');
  const unsynchronised = latin1('\x01\xff\0\xfe\xe8\x96\xff\x30\xf3\x97');

  test.each([
    ['only by its header', unsynchronised, 0x80, 0],
    ['by its frame', unsynchronised, 0, 0x02],
    ['by both', unsynchronised, 0x80, 0x02],
    ['by its header, which is not true', text, 0x80, 0],
    ['by none', text, 0, 0],
  ])('that is unsynchronised %s is read', async (_, content, flags, frameFlags) => {
    expect(await findAudioTitle(makeId3v24([['TIT2', content]], { flags, frameFlags }))).toBe('雨ヿ音');
  });

  test.each([100, 128, 200, 305, 20_000])(
    'is read behind a frame of %i bytes, whose size has seven or eight bits a byte',
    async (bytes) => {
      const frames = [
        ['COMM', Buffer.alloc(bytes, 'x')],
        ['TIT2', toId3Text('林檎')],
      ] as const;
      for (const bits of [7, 8]) expect(await findAudioTitle(makeId3v24(frames, { bits }))).toBe('林檎');
    },
  );

  test.each([7, 8])('of 150 letters is read with %i bits a byte', async (bits) => {
    const long = '題'.repeat(150);
    const tag = makeId3v24([['TIT2', toId3Text(long)]], { bits });
    expect(await findAudioTitle(Buffer.concat([tag, Buffer.alloc(2_000, 0xff)]))).toBe(long);
  });
});

describe('a title is found', () => {
  const titled = makeId3([['TIT2', toId3Text('二つ目')]]);
  const itunes = makeItunesTags('題');
  const quickTime = (): Buffer => {
    const data = makeBox('data', toU32([1, 0]), Buffer.from('素の題'));
    const handler = makeBox('hdlr', Buffer.alloc(25));
    return makeBox('udta', makeBox('meta', handler, makeBox('ilst', makeBox('\xa9nam', data))));
  };
  test.each<[where: string, make: () => Uint8Array, title: string]>([
    ['in a second tag', () => Buffer.concat([makeId3([['TALB', toId3Text('盤')]]), titled]), '二つ目'],
    [
      'in a tag behind one with garbage',
      () => Buffer.concat([makeId3([['TIT2', latin1('\x01\xff\0\xfe-')]]), titled]),
      '二つ目',
    ],
    [
      'in ID3v1 if that of ID3v2 is garbage',
      () =>
        Buffer.concat([
          makeId3([['TIT2', latin1('\0\x01\x02\x03a')]]),
          Buffer.alloc(500),
          makeId3v1(latin1('Rain')),
        ]),
      'Rain',
    ],
    ['in tags without a version, as in QuickTime', () => makeTaggedM4a([quickTime()]), '素の題'],
    ['in tags with a version', () => makeTaggedM4a([itunes]), '題'],
    [
      'in UTF-16 whose mark contradicts its encoding',
      () => makeId3([['TIT2', latin1('\x02\xff\xfe\xe8\x96')]]),
      '雨',
    ],
  ])('%s', async (_, make, title) => {
    expect(await findAudioTitle(make())).toBe(title);
  });

  test('in ten tags at most', async () => {
    const empty = makeId3([['TALB', toId3Text('盤')]]);
    expect(await findAudioTitle(Buffer.concat([...Array<Buffer>(9).fill(empty), titled]))).toBe('二つ目');
    expect(await findAudioTitle(Buffer.concat([...Array<Buffer>(10).fill(empty), titled]))).toBe('');
  });
});

test.each<[what: string, file: Uint8Array]>([
  ['half a character', makeId3([['TIT2', latin1('\x01\xff\xfe\xe8\x96\x30')]])],
  ['a character that was lost before', makeId3([['TIT2', Buffer.from('\x03雨\ufffd')]])],
  [
    'UTF-8 that was encoded twice',
    makeId3([
      ['TIT2', Buffer.concat([Buffer.from([3]), Buffer.from(Buffer.from('きせき').toString('latin1'))])],
    ]),
  ],
  ['control characters', makeId3([['TIT2', latin1('\0\x01\x02\x03\x04')]])],
  ['bytes of no encoding', makeTaggedM4a([makeItunesTags('\ufffd')])],
])('a title of %s is none: the file name is better', async (_, file) => {
  expect(await findAudioTitle(file)).toBe('');
});
