import sharp from 'sharp';
import type { HostilePicture } from './hostile-pictures.ts';
import { flood } from './hostile-pngs.ts';

const MEGA = 1_000_000;
const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** Bits, the lowest of each byte first. */
function createBits() {
  const bytes: number[] = [];
  let count = 0;
  function write(value: number, bits: number): void {
    for (let index = 0; index < bits; index += 1, count += 1) {
      if (count % 8 === 0) bytes.push(0);
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | (((value >> index) & 1) << (count % 8));
    }
  }
  return { write, toBytes: () => Buffer.from(bytes) };
}

/**
 * Lossless data with a set of codes for each square of 4 pixels (RFC 9649 §3.7.2.2), up to 65,536 sets: a decoder has
 * five tables of each.
 */
function makeManyCodes(side: number): Buffer {
  const { write, toBytes } = createBits();
  const simple = () => write(0b0001, 4);
  write(0x2f, 8);
  write(side - 1, 14);
  write(side - 1, 14);
  write(0, 4);
  write(0, 2); // neither transformed nor cached
  write(1, 1);
  write(0, 3);
  write(0, 1);
  for (const others of [24, 0]) {
    write(0, 1);
    write(8, 4);
    // Lengths of codes, in their odd order (§3.7.2.1.2): only 0 and 8 occur.
    for (const length of [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1]) write(length, 3);
    write(0, 1);
    for (let symbol = 0; symbol < 256; symbol += 1) write(1, 1);
    write(0, others);
  }
  for (let code = 0; code < 3; code += 1) simple();
  const sets = (side / 4) ** 2;
  for (let set = 0; set < sets; set += 1) {
    for (const symbol of [set & 255, set >> 8]) {
      for (let bit = 7; bit >= 0; bit -= 1) write((symbol >> bit) & 1, 1);
    }
  }
  for (let code = 0; code < sets * 5; code += 1) simple();
  return Buffer.concat([toBytes(), Buffer.alloc(16)]);
}

function toRiffChunk(type: string, content: Uint8Array): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 0, 'latin1');
  head.writeUInt32LE(content.byteLength, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.byteLength % 2)]);
}

function toRiff(...chunks: readonly Buffer[]): Buffer {
  const content = Buffer.concat([latin1('WEBP'), ...chunks]);
  return toRiffChunk('RIFF', content);
}

function toCanvas(width: number, height: number, flags: number): Buffer {
  const content = Buffer.alloc(10);
  content[0] = flags;
  content.writeUIntLE(width - 1, 4, 3);
  content.writeUIntLE(height - 1, 7, 3);
  return toRiffChunk('VP8X', content);
}

const ANIMATION = toRiffChunk('ANIM', Buffer.alloc(6));

function toFrame(width: number, height: number, picture: Buffer): Buffer {
  const head = Buffer.alloc(16);
  head.writeUIntLE(width - 1, 6, 3);
  head.writeUIntLE(height - 1, 9, 3);
  head.writeUIntLE(100, 12, 3);
  return toRiffChunk('ANMF', Buffer.concat([head, picture]));
}

/** One colour, lossless: a few bytes whatever its size. */
function makePlain(width: number, height: number): Buffer {
  const { write, toBytes } = createBits();
  write(0x2f, 8);
  write(width - 1, 14);
  write(height - 1, 14);
  write(0, 4);
  write(0, 3);
  for (let code = 0; code < 5; code += 1) write(0b0001, 4);
  return toRiffChunk('VP8L', Buffer.concat([toBytes(), Buffer.alloc(8)]));
}

function listWebps(): HostilePicture[] {
  const moving = (width: number, height: number, count: number) =>
    toRiff(
      toCanvas(width, height, 0x02),
      ANIMATION,
      ...flood(count, toFrame(width, height, makePlain(width, height))),
    );
  const withChunk = (type: string, content: Buffer, flags: number) =>
    toRiff(toCanvas(64, 64, flags), toRiffChunk(type, content), makePlain(64, 64));
  return [
    ...[64, 256, 512, 1_024].map((side) => ({
      name: `WebP of ${side} × ${side} with a set of codes for each square`,
      make: () => toRiff(toRiffChunk('VP8L', makeManyCodes(side))),
    })),
    ...[
      [5_000, 5_000],
      [16_383, 1_500],
      [3_000, 3_000],
      [16_384, 16_384],
    ].map(([width = 1, height = 1]) => ({
      name: `WebP of ${width} × ${height}`,
      make: () => toRiff(makePlain(width, height)),
    })),
    ...[
      [1, 1, 60_000],
      [64, 64, 500],
      [64, 64, 5_000],
      [1_600, 900, 8],
      [2_400, 2_400, 2],
      [16_000, 1_500, 1],
    ].map(([width = 1, height = 1, count = 1]) => ({
      name: `WebP that moves, ${width} × ${height} × ${count}`,
      make: () => moving(width, height, count),
    })),
    { name: 'WebP with 20 MB of Exif', make: () => withChunk('EXIF', Buffer.alloc(20 * MEGA, 1), 0x08) },
    { name: 'WebP with 20 MB of XMP', make: () => withChunk('XMP ', Buffer.alloc(20 * MEGA, '<'), 0x04) },
    { name: 'WebP with a profile of 20 MB', make: () => withChunk('ICCP', Buffer.alloc(20 * MEGA, 1), 0x20) },
    {
      name: 'WebP with 500,000 unknown chunks',
      make: () =>
        toRiff(
          toCanvas(64, 64, 0),
          ...flood(500_000, toRiffChunk('ABCD', Buffer.alloc(0))),
          makePlain(64, 64),
        ),
    },
    {
      name: 'WebP whose canvas is larger than its picture',
      make: () => toRiff(toCanvas(4_000, 4_000, 0), makePlain(64, 64)),
    },
    {
      name: 'WebP whose picture is larger than its canvas',
      make: () => toRiff(toCanvas(64, 64, 0), makePlain(4_000, 4_000)),
    },
    {
      name: 'WebP whose moving picture is larger than it says',
      make: () => toRiff(toCanvas(64, 64, 0x02), ANIMATION, toFrame(64, 64, makePlain(9_000, 9_000))),
    },
    { name: 'WebP with two pictures', make: () => toRiff(makePlain(64, 64), makePlain(64, 64)) },
    { name: 'WebP without a picture', make: () => toRiff(toCanvas(64, 64, 0)) },
    {
      name: 'WebP of a damaged picture',
      make: () =>
        toRiff(
          toRiffChunk(
            'VP8 ',
            Buffer.concat([Buffer.from([0x10, 0, 0, 0x9d, 1, 0x2a, 0, 9, 0, 9]), Buffer.alloc(9_000, 7)]),
          ),
        ),
    },
    { name: 'WebP that is cut off', make: () => toRiff(makePlain(64, 64)).subarray(0, 24) },
    {
      name: 'WebP with an alpha that is damaged',
      make: () =>
        toRiff(toCanvas(64, 64, 0x10), toRiffChunk('ALPH', Buffer.alloc(900, 1)), makePlain(64, 64)),
    },
  ];
}

interface GifParts {
  readonly canvas?: readonly [number, number];
  readonly size?: readonly [number, number];
  readonly count?: number;
  readonly before?: readonly Buffer[];
  /** Blocks of coded data. */
  readonly data?: readonly Buffer[];
}

function makeGif({ canvas = [64, 64], size = canvas, count = 1, before = [], data }: GifParts): Buffer {
  const head = Buffer.alloc(13);
  head.write('GIF89a', 0, 'latin1');
  head.writeUInt16LE(canvas[0], 6);
  head.writeUInt16LE(canvas[1], 8);
  head[10] = 0x80;
  const picture = Buffer.alloc(10);
  picture[0] = 0x2c;
  picture.writeUInt16LE(size[0], 5);
  picture.writeUInt16LE(size[1], 7);
  // Clears the table, then ends.
  const coded = data ?? [Buffer.from([1, 0x2c])];
  const blocks = coded.flatMap((block) => [Buffer.from([block.byteLength]), block]);
  const one = Buffer.concat([picture, Buffer.from([2]), ...blocks, Buffer.from([0])]);
  return Buffer.concat([
    head,
    Buffer.from([0, 0, 0, 255, 255, 255]),
    ...before,
    ...flood(count, one),
    latin1(';'),
  ]);
}

const extension = (label: number, blocks: readonly Buffer[]) =>
  Buffer.concat([
    Buffer.from([0x21, label]),
    ...blocks.flatMap((block) => [Buffer.from([block.byteLength]), block]),
    Buffer.from([0]),
  ]);

function listGifs(): HostilePicture[] {
  const full = Array.from({ length: 200_000 }, () => Buffer.alloc(255, 0x55));
  return [
    ...[
      [1, 1, 500],
      [1, 1, 1_000_000],
      [64, 64, 5_000],
      [1_600, 900, 8],
      [2_500, 2_500, 2],
      [5_000, 5_000, 1],
      [2_600, 2_600, 1],
      [65_535, 380, 1],
      [65_535, 65_535, 1],
      [0, 0, 1],
    ].map(([width = 1, height = 1, count = 1]) => ({
      name: `GIF of ${width} × ${height} × ${count}`,
      make: () => makeGif({ canvas: [width, height], count }),
    })),
    {
      name: 'GIF whose pictures are larger than its canvas',
      make: () => makeGif({ size: [65_535, 65_535], count: 100 }),
    },
    { name: 'GIF with 50 MB of coded data', make: () => makeGif({ data: full }) },
    {
      name: 'GIF with 500 pictures of 100 KB for one pixel',
      make: () => makeGif({ canvas: [1, 1], count: 500, data: full.slice(0, 400) }),
    },
    {
      name: 'GIF with 1,000,000 comments',
      make: () => makeGif({ before: flood(MEGA, extension(0xfe, [latin1('c')])) }),
    },
    { name: 'GIF with a comment of 50 MB', make: () => makeGif({ before: [extension(0xfe, full)] }) },
    {
      name: 'GIF with 20 MB of XMP',
      make: () => makeGif({ before: [extension(0xff, [latin1('XMP DataXMP'), ...full.slice(0, 80_000)])] }),
    },
    {
      name: 'GIF with a profile',
      make: () => makeGif({ before: [extension(0xff, [latin1('ICCRGBG1012'), ...full.slice(0, 9_000)])] }),
    },
    {
      name: 'GIF with 1,000,000 repetitions',
      make: () =>
        makeGif({ before: flood(MEGA, extension(0xff, [latin1('NETSCAPE2.0'), Buffer.from([1, 0, 0])])) }),
    },
    {
      name: 'GIF with 1,000,000 controls',
      make: () => makeGif({ before: flood(MEGA, extension(0xf9, [Buffer.from([9, 0, 0, 0])])) }),
    },
    { name: 'GIF without an end', make: () => makeGif({}).subarray(0, -3) },
    { name: 'GIF without a picture', make: () => makeGif({ count: 0 }) },
    {
      name: 'GIF with a page behind it',
      make: () => Buffer.concat([makeGif({}), Buffer.alloc(20 * MEGA, '<script>')]),
    },
  ];
}

/** Changes a box of a real AVIF. */
async function changeAvif(change: (bytes: Buffer) => Buffer | void): Promise<Buffer> {
  const bytes = await sharp({ create: { width: 64, height: 48, channels: 4, background: '#c338' } })
    .avif({ effort: 0 })
    .toBuffer();
  return change(bytes) ?? bytes;
}

const boxes = (count: number, type: string, content = Buffer.alloc(0)) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + content.byteLength, 0);
  head.write(type, 4, 'latin1');
  return flood(count, Buffer.concat([head, content]));
};

function listAvifs(): HostilePicture[] {
  const behindStart = (bytes: Buffer, added: readonly Buffer[]) => {
    const at = bytes.readUInt32BE(0);
    return Buffer.concat([bytes.subarray(0, at), ...added, bytes.subarray(at)]);
  };
  const inEach = (bytes: Buffer, mark: string, change: (at: number) => void) => {
    for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + 1)) change(at);
  };
  return [
    ...[65_535, 5_000, 3, 0].map((side) => ({
      name: `AVIF that says ${side} × ${side}`,
      make: () =>
        changeAvif((bytes) =>
          inEach(bytes, 'ispe', (at) => {
            bytes.writeUInt32BE(side, at + 8);
            bytes.writeUInt32BE(side, at + 12);
          }),
        ),
    })),
    ...['grid', 'iovl', 'iden', 'tmap', 'hvc1'].map((type) => ({
      name: `AVIF with an item of type ${type}`,
      make: () => changeAvif((bytes) => void bytes.write(type, bytes.indexOf('infe') + 12, 'latin1')),
    })),
    {
      name: 'AVIF with 1,000,000 empty boxes',
      make: () => changeAvif((bytes) => behindStart(bytes, boxes(MEGA, 'free'))),
    },
    {
      name: 'AVIF with 60 MB of nothing',
      make: () => changeAvif((bytes) => behindStart(bytes, boxes(1, 'free', Buffer.alloc(60 * MEGA)))),
    },
    { name: 'AVIF that moves', make: () => changeAvif((bytes) => behindStart(bytes, boxes(1, 'moov'))) },
    {
      name: 'AVIF with a second index',
      make: () => changeAvif((bytes) => behindStart(bytes, boxes(1, 'meta', Buffer.alloc(4)))),
    },
    {
      name: 'AVIF with 65,535 items',
      make: () => changeAvif((bytes) => void bytes.writeUInt16BE(65_535, bytes.indexOf('iloc') + 10)),
    },
    {
      name: 'AVIF with items far away',
      make: () =>
        changeAvif((bytes) => void bytes.fill(0x7f, bytes.indexOf('iloc') + 12, bytes.indexOf('iloc') + 40)),
    },
    {
      name: 'AVIF with damaged data',
      make: () => changeAvif((bytes) => void bytes.fill(0xff, bytes.indexOf('mdat') + 30)),
    },
    {
      name: 'AVIF with other data',
      make: () => changeAvif((bytes) => void bytes.fill(0x0a, bytes.indexOf('mdat') + 4)),
    },
    { name: 'AVIF that is cut off', make: () => changeAvif((bytes) => bytes.subarray(0, -40)) },
    { name: 'AVIF of 24 bytes', make: () => changeAvif((bytes) => bytes.subarray(0, 24)) },
    {
      name: 'AVIF of the largest size',
      make: () =>
        sharp({ create: { width: 2_400, height: 1_800, channels: 3, background: '#c33' } })
          .avif({ effort: 0, chromaSubsampling: '4:4:4' })
          .toBuffer(),
    },
    {
      name: 'AVIF that is larger',
      make: () =>
        sharp({ create: { width: 3_000, height: 1_800, channels: 3, background: '#c33' } })
          .avif({ effort: 0 })
          .toBuffer(),
    },
  ];
}

/** Hostile pictures that only the staff may send. */
export const listHostileStaffPictures = (): HostilePicture[] => [
  ...listWebps(),
  ...listGifs(),
  ...listAvifs(),
];
