import { crc32, deflateRawSync, deflateSync } from 'node:zlib';
import type { HostilePicture } from './hostile-pictures.ts';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
const ZEROS = 4 * 1024 * 1024;
/** A deflated block of zeros that ends at a byte, so that any number of them is a stream. */
const zeroBlock = deflateRawSync(Buffer.alloc(ZEROS), { finishFlush: 3, level: 9 });

/** A zlib stream of any number of zeros: 4 KB for each 4 MB. */
function deflateZeros(bytes: number): Buffer {
  const blocks = Array.from({ length: Math.floor(bytes / ZEROS) }, () => zeroBlock);
  const rest = deflateRawSync(Buffer.alloc(bytes % ZEROS));
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE((((bytes % 65_521) << 16) | 1) >>> 0, 0);
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...blocks, rest, checksum]);
}

function toChunk(type: string, content: Uint8Array = Buffer.alloc(0), checksum?: number): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const chunk = Buffer.alloc(body.byteLength + 8);
  chunk.writeUInt32BE(content.byteLength, 0);
  chunk.set(body, 4);
  chunk.writeUInt32BE(checksum ?? crc32(body), body.byteLength + 4);
  return chunk;
}

interface Shape {
  readonly width?: number;
  readonly height?: number;
  readonly depth?: number;
  readonly colour?: number;
  readonly interlace?: number;
}

const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};
const PASSES = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

function toHeader({ width = 64, height = 64, depth = 8, colour = 2, interlace = 0 }: Shape): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour, 0, 0, interlace], 8);
  return toChunk('IHDR', header);
}

/** The bytes of all rows, each behind its filter. */
function toDataBytes({ width = 64, height = 64, depth = 8, colour = 2, interlace = 0 }: Shape): number {
  const rows = (across: number, down: number) =>
    across === 0 ? 0 : down * (1 + Math.ceil((across * depth * (SAMPLES[colour] ?? 1)) / 8));
  if (interlace === 0) return rows(width, height);
  return PASSES.reduce(
    (sum, [left, top, stepAcross, stepDown]) =>
      sum +
      rows(
        Math.max(0, Math.ceil((width - left) / stepAcross)),
        Math.max(0, Math.ceil((height - top) / stepDown)),
      ),
    0,
  );
}

interface Parts extends Shape {
  readonly before?: readonly Buffer[];
  readonly data?: readonly Buffer[];
  readonly after?: readonly Buffer[];
}

/** A black PNG, with chunks around and in place of its image data. */
export function makeBlackPng(parts: Parts = {}): Buffer {
  const { before = [], after = [], data = [toChunk('IDAT', deflateZeros(toDataBytes(parts)))] } = parts;
  const palette = parts.colour === 3 ? [toChunk('PLTE', Buffer.alloc(6))] : [];
  return Buffer.concat([
    SIGNATURE,
    toHeader(parts),
    ...before.slice(0, parts.colour === 3 ? 0 : undefined),
    ...palette,
    ...(parts.colour === 3 ? before : []),
    ...data,
    ...after,
    toChunk('IEND'),
  ]);
}

/** The same bytes many times, as one part of a file. */
export const flood = (count: number, part: Buffer): Buffer[] => [Buffer.alloc(count * part.byteLength, part)];
const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** A text chunk whose content expands a thousandfold. */
const toBomb = (type: string, bytes: number) => {
  const heads: Readonly<Record<string, string>> = { zTXt: 'k\0\0', iTXt: 'k\0\x01\0\0\0', iCCP: 'k\0\0' };
  return toChunk(type, Buffer.concat([latin1(heads[type] ?? ''), deflateZeros(bytes)]));
};

const MEGA = 1_000_000;

function listChunkFloods(): HostilePicture[] {
  const data = deflateZeros(toDataBytes({}));
  const floods: readonly (readonly [name: string, chunks: () => Buffer[]])[] = [
    ['20 zTXt of 8 MB', () => flood(20, toBomb('zTXt', 7_900_000))],
    ['150 zTXt of 40 MB', () => flood(150, toBomb('zTXt', 40 * MEGA))],
    ['200 iTXt of 8 MB', () => flood(200, toBomb('iTXt', 7_900_000))],
    ['an iCCP of 1 GB', () => [toBomb('iCCP', 1_000 * MEGA)]],
    ['an iCCP of 8 MB', () => [toBomb('iCCP', 7_900_000)]],
    ['1,000 iCCP', () => flood(1_000, toBomb('iCCP', MEGA))],
    ['100,000 tEXt', () => flood(100_000, toChunk('tEXt', latin1('k\0v')))],
    ['a tEXt of 9 MB', () => [toChunk('tEXt', Buffer.alloc(9 * MEGA, 'a'))]],
    ['400,000 empty chunks of an unknown type', () => flood(400_000, toChunk('vpAg'))],
    ['50,000 sPLT', () => flood(50_000, toChunk('sPLT', latin1(`p\0\x08${'\0'.repeat(60)}`)))],
    ['an sPLT of 9 MB', () => [toChunk('sPLT', Buffer.concat([latin1('p\0\x10'), Buffer.alloc(9 * MEGA)]))]],
    ['20,000 hIST', () => flood(20_000, toChunk('hIST', Buffer.alloc(512)))],
    ['20,000 pCAL', () => flood(20_000, toChunk('pCAL', latin1(`p\0${'\0'.repeat(200)}`)))],
    [
      'an eXIf of 9 MB',
      () => [toChunk('eXIf', Buffer.concat([latin1('II*\0\x08\0\0\0\xff\xff'), Buffer.alloc(9 * MEGA, 1)]))],
    ],
    ['1,000 eXIf', () => flood(1_000, toChunk('eXIf', latin1('MM\0*\0\0\0\x08\0\0\0\0\0\0')))],
    [
      'an eXIf that points to itself',
      () => [toChunk('eXIf', latin1(`II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x08\0\0\0\x08\0\0\0`))],
    ],
    [
      'an eXIf that points far away',
      () => [toChunk('eXIf', latin1(`II*\0\xff\xff\xff\xff${'\0'.repeat(40)}`))],
    ],
    ['two PLTE', () => flood(2, toChunk('PLTE', Buffer.alloc(768)))],
    ['a PLTE of 9 MB', () => [toChunk('PLTE', Buffer.alloc(9 * MEGA))]],
    ['a tRNS of 9 MB', () => [toChunk('tRNS', Buffer.alloc(9 * MEGA))]],
    ['a damaged text', () => [toChunk('tEXt', latin1('k\0v'), 1)]],
    ['movement', () => [toChunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0]))]],
    ['an unknown critical chunk', () => [toChunk('ABCD', Buffer.alloc(9))]],
    ['a second header', () => [toHeader({ width: 60_000, height: 60_000 })]],
    ['frames of a movement that is not announced', () => flood(20_000, toChunk('fdAT', Buffer.alloc(300)))],
  ];
  const place = (name: string, chunks: () => Buffer[]) => [
    { name: `PNG with ${name}`, make: () => makeBlackPng({ before: chunks() }) },
    { name: `PNG with ${name} behind its data`, make: () => makeBlackPng({ after: chunks() }) },
  ];
  const between = (chunks: readonly Buffer[]) => [
    toChunk('IDAT', data.subarray(0, 20)),
    ...chunks,
    toChunk('IDAT', data.subarray(20)),
  ];
  return [
    ...floods.flatMap(([name, chunks]) => place(name, chunks)),
    {
      name: 'PNG with texts between its data',
      make: () => makeBlackPng({ data: between(flood(9_000, toBomb('zTXt', 9_000))) }),
    },
    {
      name: 'PNG with a header between its data',
      make: () => makeBlackPng({ data: between([toHeader({})]) }),
    },
  ];
}

function listData(): HostilePicture[] {
  const whole = deflateZeros(toDataBytes({}));
  const bytes = toDataBytes({});
  return [
    {
      name: 'PNG with 400,000 empty IDAT',
      make: () => makeBlackPng({ data: [...flood(400_000, toChunk('IDAT')), toChunk('IDAT', whole)] }),
    },
    {
      name: 'PNG with an IDAT for each byte',
      make: () => makeBlackPng({ data: [...whole].map((byte) => toChunk('IDAT', Buffer.from([byte]))) }),
    },
    {
      name: 'PNG with 1 GB behind its rows',
      make: () => makeBlackPng({ data: [toChunk('IDAT', deflateZeros(1_000 * MEGA))] }),
    },
    { name: 'PNG without image data', make: () => makeBlackPng({ data: [] }) },
    {
      name: 'PNG with half of its rows',
      make: () => makeBlackPng({ data: [toChunk('IDAT', deflateZeros(bytes / 2))] }),
    },
    {
      name: 'PNG with damaged data',
      make: () => makeBlackPng({ data: [toChunk('IDAT', Buffer.alloc(90_000, 7))] }),
    },
    { name: 'PNG with a wrong checksum', make: () => makeBlackPng({ data: [toChunk('IDAT', whole, 1)] }) },
    {
      name: 'PNG with unknown filters',
      make: () => makeBlackPng({ data: [toChunk('IDAT', deflateSync(Buffer.alloc(bytes, 9)))] }),
    },
    {
      name: 'PNG that ends in its data',
      make: () => makeBlackPng({ width: 2_000, height: 2_000 }).subarray(0, 900),
    },
    { name: 'PNG that ends in its header', make: () => makeBlackPng().subarray(0, 20) },
    {
      name: 'PNG whose chunk has 4 GB',
      make: () => Buffer.concat([makeBlackPng().subarray(0, 33), Buffer.from('ffffffff49444154', 'hex')]),
    },
    {
      name: 'PNG with an archive behind it',
      make: () => Buffer.concat([makeBlackPng(), latin1('PK\x03\x04'), Buffer.alloc(9 * MEGA)]),
    },
    { name: 'PNG with 9 MB of noise', make: () => makeNoisyPng(1_700, 1_700, 0) },
    { name: 'PNG with 9 MB of interlaced noise', make: () => makeNoisyPng(1_700, 1_700, 1) },
  ];
}

/** Colour in stored blocks: nothing is compressed. */
function makeNoisyPng(width: number, height: number, interlace: number): Buffer {
  const shape = { width, height, interlace };
  const rows = Buffer.alloc(toDataBytes(shape));
  let state = 42;
  for (let index = 0; index < rows.length; index += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    rows[index] = state >>> 24;
  }
  if (interlace === 0) for (let row = 0; row < height; row += 1) rows[row * (width * 3 + 1)] = row % 5;
  else rows.fill(0, 0, 1);
  return makeBlackPng({ ...shape, data: [toChunk('IDAT', deflateSync(rows, { level: 0 }))] });
}

function listShapes(): HostilePicture[] {
  const shapes = Object.entries(DEPTHS).flatMap(([colour, depths]) =>
    depths.flatMap((depth) =>
      // Interlacing costs the same for the other depths.
      (depth === 8 || depth === 16 ? [0, 1] : [0]).map((interlace) => ({
        colour: Number(colour),
        depth,
        interlace,
      })),
    ),
  );
  const sides: readonly (readonly [number, number])[] = [
    [1, 25_000_000],
    [25_000_000, 1],
    [25, 1_000_000],
    [1_000_000, 25],
    [1, 1],
    [50_000, 50_000],
    [2 ** 31 - 1, 1],
    [0, 9],
    [9, 0],
    [5_001, 5_000],
  ];
  return [
    ...shapes.map((shape) => ({
      name: `PNG of 25 Mpx, colour ${shape.colour}, depth ${shape.depth}${shape.interlace ? ', interlaced' : ''}`,
      make: () => makeBlackPng({ width: 5_000, height: 5_000, ...shape }),
    })),
    ...sides.flatMap(([width, height]) =>
      [0, 1].map((interlace) => ({
        name: `PNG of ${width} × ${height}${interlace ? ', interlaced' : ''}`,
        make: () =>
          makeBlackPng({
            width,
            height,
            interlace,
            ...(width * height > 30 * MEGA && { data: [toChunk('IDAT', deflateZeros(90_000))] }),
          }),
      })),
    ),
    { name: 'PNG of depth 3', make: () => makeBlackPng({ depth: 3 }) },
    { name: 'PNG of colour 5', make: () => makeBlackPng({ colour: 5 }) },
    { name: 'PNG with an unknown interlacing', make: () => makeBlackPng({ interlace: 9 }) },
    {
      name: 'PNG of 25 Mpx with transparency of a palette, interlaced',
      make: () =>
        makeBlackPng({
          width: 5_000,
          height: 5_000,
          colour: 3,
          interlace: 1,
          before: [],
          data: [
            toChunk('tRNS', Buffer.alloc(2)),
            toChunk(
              'IDAT',
              deflateZeros(toDataBytes({ width: 5_000, height: 5_000, colour: 3, interlace: 1 })),
            ),
          ],
        }),
    },
  ];
}

/** Hostile PNGs. */
export const listHostilePngs = (): HostilePicture[] => [...listChunkFloods(), ...listData(), ...listShapes()];
