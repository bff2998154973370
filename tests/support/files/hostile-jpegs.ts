import type { HostilePicture } from './hostile-pictures.ts';
import { flood } from './hostile-pngs.ts';

const START = Buffer.from([0xff, 0xd8]);
const END = Buffer.from([0xff, 0xd9]);
const MEGA = 1_000_000;
const latin1 = (text: string) => Buffer.from(text, 'latin1');

function toSegment(marker: number, content: Uint8Array): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.byteLength + 2, 2);
  return Buffer.concat([head, content]);
}

const QUANTISATION = toSegment(0xdb, Buffer.concat([Buffer.from([0]), Buffer.alloc(64, 1)]));
/** A table with one code of one bit, which means `symbol`. */
const toTable = (kind: number, symbol: number) =>
  toSegment(0xc4, Buffer.from([kind, 1, ...Array.from({ length: 15 }, () => 0), symbol]));
const DC = toTable(0x00, 0);
const END_OF_BLOCK = toTable(0x10, 0);
/** Up to 32,767 empty blocks in 15 bits. */
const END_OF_BAND = toTable(0x10, 0xe0);

type Factors = readonly number[];
const GREY: Factors = [0x11];
const FULL: Factors = [0x11, 0x11, 0x11];
const HALF: Factors = [0x22, 0x11, 0x11];
const PRINT: Factors = [0x11, 0x11, 0x11, 0x11];

interface Shape {
  readonly width?: number;
  readonly height?: number;
  readonly factors?: Factors;
  /** 0xc0: baseline, 0xc2: progressive. */
  readonly marker?: number;
  readonly depth?: number;
}

function toFrame({ width = 5_000, height = 5_000, factors = GREY, marker = 0xc0, depth = 8 }: Shape): Buffer {
  const content = Buffer.alloc(6 + 3 * factors.length);
  content[0] = depth;
  content.writeUInt16BE(height & 0xffff, 1);
  content.writeUInt16BE(width & 0xffff, 3);
  content[5] = factors.length;
  for (const [index, factor] of factors.entries()) content.set([(index + 1) & 255, factor, 0], 6 + 3 * index);
  return toSegment(marker, content);
}

function countBlocks({ width = 5_000, height = 5_000, factors = GREY }: Shape): number {
  const across = Math.max(...factors.map((factor) => factor >> 4));
  const down = Math.max(...factors.map((factor) => factor & 15));
  const units = Math.ceil(width / (8 * across)) * Math.ceil(height / (8 * down));
  return units * factors.reduce((sum, factor) => sum + (factor >> 4) * (factor & 15), 0);
}

/** The head of a scan. `band`: the first and last coefficient; `bits`: the former and the present precision. */
function toScanHead(components: readonly number[], band: readonly [number, number], bits: number): Buffer {
  const places = components.flatMap((component) => [component, 0x00]);
  return toSegment(0xda, Buffer.from([components.length, ...places, ...band, bits]));
}

const all = (factors: Factors) => factors.map((_, index) => index + 1);
const zeroBits = (bits: number) => Buffer.alloc(Math.ceil(bits / 8));

const makeUnscanned = (shape: Shape) => Buffer.concat([START, QUANTISATION, toFrame(shape), END]);

/** A grey picture in one scan: two bits for each block. */
function makeBaseline(shape: Shape, before: readonly Buffer[] = []): Buffer {
  const { factors = GREY } = shape;
  const scan = Buffer.concat([toScanHead(all(factors), [0, 63], 0), zeroBits(2 * countBlocks(shape))]);
  return Buffer.concat([START, ...before, QUANTISATION, toFrame(shape), DC, END_OF_BLOCK, scan, END]);
}

/** A progressive picture whose scans but the first are empty. */
function makeProgressive(shape: Shape, scans: readonly Buffer[], before: readonly Buffer[] = []): Buffer {
  const whole = { ...shape, marker: 0xc2 };
  const { factors = GREY } = shape;
  const first = Buffer.concat([toScanHead(all(factors), [0, 0], 1), zeroBits(countBlocks(whole))]);
  return Buffer.concat([
    START,
    ...before,
    QUANTISATION,
    toFrame(whole),
    DC,
    END_OF_BAND,
    first,
    ...scans,
    END,
  ]);
}

const EMPTY_SCAN = Buffer.concat([
  toScanHead([1], [1, 63], 0x01),
  zeroBits(15 * Math.ceil((625 * 625) / 16_384)),
]);
const REFINING_SCAN = Buffer.concat([
  toScanHead([1], [1, 63], 0x10),
  zeroBits(15 * Math.ceil((625 * 625) / 16_384)),
]);

/** Every coefficient is set, so that each refining scan passes all of them. */
function makeRefined(scans: number): Buffer {
  const blocks = 625 * 500;
  const shape = { width: 5_000, height: 4_000, marker: 0xc2 };
  const set = Buffer.concat([
    toTable(0x10, 0x01),
    toScanHead([1], [1, 63], 0x0d),
    zeroBits(blocks * 63 * 2),
    END_OF_BAND,
  ]);
  const refining = Array.from({ length: scans }, (_, index) => {
    const bits = 0xdc - (index % 13) * 0x11;
    return Buffer.concat([toScanHead([1], [1, 63], bits), zeroBits(90_000)]);
  });
  const first = Buffer.concat([toScanHead([1], [0, 0], 0), zeroBits(blocks)]);
  return Buffer.concat([START, QUANTISATION, toFrame(shape), DC, first, set, ...refining, END]);
}

const exif = (tiff: Uint8Array) => toSegment(0xe1, Buffer.concat([latin1('Exif\0\0'), tiff]));
const profile = (index: number, count: number, content: Uint8Array) =>
  toSegment(0xe2, Buffer.concat([latin1('ICC_PROFILE\0'), Buffer.from([index, count]), content]));

/** A colour profile whose table announces 255 steps of 15 inks. */
function makeBoastfulProfile(): Buffer {
  const table = Buffer.alloc(200);
  table.write('mft2', 0, 'latin1');
  table.set([15, 3, 255], 8);
  const icc = Buffer.alloc(144 + table.byteLength);
  icc.writeUInt32BE(icc.byteLength, 0);
  icc.writeUInt32BE(0x04200000, 8);
  icc.write('mntrRGB Lab ', 12, 'latin1');
  icc.write('acsp', 36, 'latin1');
  icc.writeUInt32BE(1, 128);
  icc.write('A2B0', 132, 'latin1');
  icc.writeUInt32BE(144, 136);
  icc.writeUInt32BE(table.byteLength, 140);
  icc.set(table, 144);
  return icc;
}

function listSegments(): HostilePicture[] {
  const small: Shape = { width: 64, height: 64, factors: FULL };
  const floods: readonly (readonly [name: string, segments: () => Buffer[]])[] = [
    ['100,000 comments', () => flood(100_000, toSegment(0xfe, latin1('c')))],
    ['150 comments of 64 KB', () => flood(150, toSegment(0xfe, Buffer.alloc(65_000, 'c')))],
    ['500,000 empty comments', () => flood(500_000, Buffer.from([0xff, 0xfe, 0, 2]))],
    ['400,000 tables of codes', () => flood(400_000, DC)],
    ['140,000 tables of quantisation', () => flood(140_000, QUANTISATION)],
    ['200 tables of codes', () => flood(190, DC)],
    ['150 Exif of 64 KB', () => flood(150, exif(Buffer.alloc(60_000, 1)))],
    [
      'an Exif with 65,535 entries',
      () => [exif(Buffer.concat([latin1('II*\0\x08\0\0\0\xff\xff'), Buffer.alloc(60_000, 9)]))],
    ],
    [
      'an Exif that points to itself',
      () => [exif(latin1('MM\0*\0\0\0\x08\0\x01\x87\x69\0\x04\0\0\0\x01\0\0\0\x08\0\0\0\x08'))],
    ],
    [
      'an Exif with an orientation of 65,535',
      () => [exif(latin1('II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\xff\xff\0\0\0\0\0\0'))],
    ],
    [
      'a profile of 10 MB',
      () => Array.from({ length: 150 }, (_, index) => profile(index + 1, 150, Buffer.alloc(65_000, 1))),
    ],
    [
      '20 parts of a profile that are the same one',
      () => flood(20, profile(1, 255, Buffer.alloc(40_000, 1))),
    ],
    ['a profile without its other parts', () => [profile(7, 9, Buffer.alloc(40_000))]],
    ['a profile that announces 10 GB', () => [profile(1, 1, makeBoastfulProfile())]],
    [
      '150 further pictures',
      () => flood(150, toSegment(0xe2, Buffer.concat([latin1('MPF\0'), Buffer.alloc(60_000)]))),
    ],
    [
      '150 previews',
      () => flood(150, toSegment(0xe0, Buffer.concat([latin1('JFXX\0\x13'), Buffer.alloc(60_000)]))),
    ],
    [
      'a JFIF with a preview',
      () => [
        toSegment(
          0xe0,
          Buffer.concat([latin1('JFIF\0\x01\x01\0\0\x01\0\x01\xff\xff'), Buffer.alloc(60_000)]),
        ),
      ],
    ],
    [
      '150 XMP',
      () =>
        flood(
          150,
          toSegment(
            0xe1,
            Buffer.concat([latin1('http://ns.adobe.com/xap/1.0/\0'), Buffer.alloc(60_000, '<')]),
          ),
        ),
    ],
    [
      '150 Photoshop blocks',
      () =>
        flood(150, toSegment(0xed, Buffer.concat([latin1('Photoshop 3.0\x008BIM'), Buffer.alloc(60_000)]))),
    ],
    ['1,000 Adobe marks', () => flood(1_000, toSegment(0xee, latin1('Adobe\0d\0\0\0\0\x02')))],
    ['9 MB before its frame', () => [Buffer.alloc(9 * MEGA)]],
    ['9 MB of fill bytes', () => [Buffer.alloc(9 * MEGA, 0xff)]],
    ['a second start', () => [START]],
    ['a second frame', () => [toFrame({ width: 65_000, height: 65_000 })]],
    ['a number of lines that comes later', () => [toSegment(0xdc, Buffer.from([0xff, 0xff]))]],
    ['an arithmetic table', () => [toSegment(0xcc, Buffer.from([0, 0]))]],
    ['a segment of no length', () => [Buffer.from([0xff, 0xe5, 0, 0])]],
    ['a segment that is longer than the file', () => [Buffer.from([0xff, 0xe5, 0xff, 0xff])]],
    ['an interval of one block', () => [toSegment(0xdd, Buffer.from([0, 1]))]],
  ];
  return floods.flatMap(([name, segments]) => [
    { name: `JPEG with ${name}`, make: () => makeBaseline(small, segments()) },
    { name: `JPEG with ${name} behind its frame`, make: () => makeProgressive(small, segments()) },
  ]);
}

function listScans(): HostilePicture[] {
  const factors = FULL;
  const eachAlone = [1, 2, 3].map((component) =>
    Buffer.concat([toScanHead([component], [0, 63], 0), zeroBits(2 * 625 * 625)]),
  );
  return [
    ...[31, 33, 1_000, 2_500, 20_000, 190_000].map((count) => ({
      name: `JPEG with ${count + 1} scans`,
      make: () => makeProgressive({}, flood(count, EMPTY_SCAN)),
    })),
    {
      name: 'JPEG with 31 refining scans',
      make: () => makeProgressive({}, [EMPTY_SCAN, ...flood(30, REFINING_SCAN)]),
    },
    { name: 'JPEG with 30 refining scans of set coefficients', make: () => makeRefined(30) },
    {
      name: 'JPEG with scans before its frame',
      make: () => Buffer.concat([START, ...flood(9_000, EMPTY_SCAN), END]),
    },
    {
      name: 'JPEG with a scan for each colour',
      make: () =>
        Buffer.concat([START, QUANTISATION, toFrame({ factors }), DC, END_OF_BLOCK, ...eachAlone, END]),
    },
    {
      name: 'JPEG with 5,000,000 restarts',
      make: () =>
        Buffer.concat([
          makeBaseline({}).subarray(0, -2),
          Buffer.alloc(9 * MEGA, Buffer.from([0xff, 0xd3])),
          END,
        ]),
    },
    {
      name: 'JPEG with 9 MB of escaped data',
      make: () =>
        Buffer.concat([
          makeBaseline({}).subarray(0, -2),
          Buffer.alloc(9 * MEGA, Buffer.from([0xff, 0])),
          END,
        ]),
    },
    { name: 'JPEG without a scan', make: () => makeUnscanned({}) },
    { name: 'JPEG whose scan has no data', make: () => makeBaseline({}).subarray(0, 140) },
    { name: 'JPEG that ends in its data', make: () => makeBaseline({ factors }).subarray(0, 90_000) },
    {
      name: 'JPEG of noise',
      make: () =>
        Buffer.concat([
          makeBaseline({}).subarray(0, 140),
          Buffer.from(
            Array.from(
              { length: 500_000 },
              (_, index) => (Math.imul(index + 1, 2_654_435_761) >>> 24) & 0xfe,
            ),
          ),
          END,
        ]),
    },
    {
      name: 'JPEG with another behind it',
      make: () =>
        Buffer.concat([
          makeBaseline({ width: 64, height: 64 }),
          makeProgressive({}, flood(5_000, EMPTY_SCAN)),
        ]),
    },
    {
      name: 'JPEG with a page behind it',
      make: () =>
        Buffer.concat([makeBaseline({ width: 64, height: 64 }), Buffer.alloc(9 * MEGA, '<script>')]),
    },
    { name: 'JPEG of three bytes', make: () => Buffer.from([0xff, 0xd8, 0xff]) },
    { name: 'JPEG of markers', make: () => Buffer.alloc(9 * MEGA, Buffer.from([0xff, 0xd8, 0xff, 0xda])) },
  ];
}

function listShapes(): HostilePicture[] {
  const factorsOf: readonly (readonly [name: string, factors: Factors])[] = [
    ['grey', GREY],
    ['full colour', FULL],
    ['half colour', HALF],
    ['four inks', PRINT],
    ['four inks, four times', [0x44, 0x11, 0x11, 0x44]],
    ['colour four times as fine', [0x11, 0x44, 0x11]],
    ['thirds', [0x31, 0x13, 0x11]],
  ];
  const sides: readonly (readonly [number, number])[] = [
    [1, 65_000],
    [65_000, 1],
    [380, 65_500],
    [65_500, 380],
    [65_500, 65_500],
    [0, 64],
    [64, 0],
    [1, 1],
  ];
  return [
    ...factorsOf.flatMap(([name, factors]) => [
      { name: `JPEG of 25 Mpx, ${name}`, make: () => makeBaseline({ factors }) },
      { name: `progressive JPEG of 25 Mpx, ${name}`, make: () => makeProgressive({ factors }, []) },
    ]),
    ...sides.map(([width, height]) => ({
      name: `JPEG of ${width} × ${height}`,
      make: () => makeBaseline({ width, height }).subarray(0, 200_000),
    })),
    ...[0xc1, 0xc3, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb, 0xcd, 0xf7].map((marker) => ({
      name: `JPEG of the coding ${marker.toString(16)}`,
      make: () => makeBaseline({ marker }),
    })),
    ...[0, 2, 12, 16].map((depth) => ({
      name: `JPEG of ${depth} bits`,
      make: () => makeBaseline({ depth }),
    })),
    {
      name: 'JPEG of 5 colours',
      make: () => makeBaseline({ factors: Array.from({ length: 5 }, () => 0x11) }),
    },
    {
      name: 'JPEG of 255 colours',
      make: () =>
        makeBaseline({ width: 64, height: 64, factors: Array.from({ length: 250 }, () => 0x11) }).subarray(
          0,
          999,
        ),
    },
    { name: 'JPEG without colours', make: () => makeUnscanned({ factors: [] }) },
    { name: 'JPEG with factors of 0', make: () => makeUnscanned({ factors: [0] }) },
    { name: 'JPEG with factors of 15', make: () => makeBaseline({ width: 64, height: 64, factors: [0xff] }) },
  ];
}

/** Hostile JPEGs. */
export const listHostileJpegs = (): HostilePicture[] => [...listSegments(), ...listScans(), ...listShapes()];
