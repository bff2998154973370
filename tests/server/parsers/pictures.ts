import { crc32 } from 'node:zlib';
import { cleanPicture } from '#server/media/pictures/checks.ts';
import { UnusablePictureError } from '#server/media/pictures/faults.ts';
import { isSoak } from '#support/depth.ts';
import { listHostilePictures } from '#support/files/hostile-pictures.ts';
import { makeNoise, makeTellingJpeg } from '#support/files/pictures.ts';
import { type Target, toTokens } from '#support/fuzzing/target.ts';

const BYTES_MAX = 32 * 1024;
const SIGNATURE_BYTES = 8;

/** Pictures as people send them, and in a soak the hostile ones that are short: making all of them takes seconds. */
async function makeSeeds(isOfFormat: (bytes: Buffer) => boolean): Promise<Buffer[]> {
  const noise = makeNoise(16, 16);
  const { member, staff } = listHostilePictures();
  const made = await Promise.all([
    noise.clone().png().toBuffer(),
    noise.clone().png({ palette: true, progressive: true }).toBuffer(),
    noise.clone().jpeg().toBuffer(),
    noise.clone().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
    noise.clone().withIccProfile('p3').png().toBuffer(),
    makeTellingJpeg(24, 16),
    noise.clone().webp().toBuffer(),
    noise.clone().webp({ lossless: true }).toBuffer(),
    noise.clone().gif().toBuffer(),
    noise.clone().avif().toBuffer(),
  ]);
  const hostile: Buffer[] = [];
  for (const { make } of isSoak ? [...member, ...staff] : []) hostile.push(await make());
  return [...made, ...hostile].filter((bytes) => bytes.byteLength <= BYTES_MAX && isOfFormat(bytes));
}

/** Sets the checksums of chunks, as far as their lengths lead. */
function repairChunks(input: Buffer): Buffer {
  for (let at = SIGNATURE_BYTES; at + 12 <= input.byteLength;) {
    const end = at + 8 + input.readUInt32BE(at);
    if (end + 4 > input.byteLength) break;
    input.writeUInt32BE(crc32(input.subarray(at + 4, end)), end);
    at = end + 4;
  }
  return input;
}

const startsWith =
  (mark: string, at = 0) =>
  (bytes: Buffer) =>
    bytes.toString('latin1', at, at + mark.length) === mark;

const common = {
  bytesMax: BYTES_MAX,
  read: (input: Buffer) => cleanPicture(input, 'staff').bytes.byteLength,
  isRefusal: (error: unknown) => error instanceof UnusablePictureError,
  outputMax: (bytes: number) => bytes,
};

export const TARGETS: readonly Target[] = [
  {
    ...common,
    name: 'PNG',
    files: ['picture-png', 'picture-exif', 'picture-cuts', 'picture-checks'].map(
      (file) => `/media/${file}.ts`,
    ),
    seeds: () => makeSeeds(startsWith('PNG', 1)),
    tokens: toTokens('IHDR PLTE tRNS iCCP eXIf IDAT IEND acTL tEXt II*\0 MM\0* \x01\x12'),
    repair: repairChunks,
  },
  {
    ...common,
    name: 'JPEG',
    files: ['picture-jpeg', 'picture-exif', 'picture-cuts', 'picture-checks'].map(
      (file) => `/media/${file}.ts`,
    ),
    seeds: () => makeSeeds(startsWith('\xff\xd8\xff')),
    tokens: [
      ...toTokens('Exif\0\0 ICC_PROFILE\0 Adobe JFIF\0 II*\0 MM\0* \x01\x12 \xff\0 \xff\xff'),
      ...toTokens('d8 d9 da c0 c1 c2 c3 c4 c9 db dd d0 d7 e0 e1 e2 ee fe').map((code) =>
        Buffer.from(`ff${code}`, 'hex'),
      ),
    ],
  },
  {
    ...common,
    name: 'WebP',
    files: ['/media/picture-webp.ts'],
    seeds: () => makeSeeds(startsWith('WEBP', 8)),
    tokens: [...toTokens('RIFF WEBP VP8L VP8X ANIM ANMF ALPH ICCP EXIF \x9d\x01\x2a \x2f'), 'VP8 ', 'XMP '],
  },
  {
    ...common,
    name: 'GIF',
    files: ['/media/picture-gif.ts'],
    seeds: () => makeSeeds(startsWith('GIF8')),
    tokens: toTokens('GIF89a GIF87a \x21\xf9\x04 \x21\xff\x0bNETSCAPE2.0 \x21\xfe \x2c \x3b \0'),
  },
  {
    ...common,
    name: 'AVIF',
    files: ['/media/picture-avif.ts'],
    seeds: () => makeSeeds(startsWith('ftyp', 4)),
    tokens: toTokens(
      'ftyp avif avis mif1 meta hdlr pict pitm iinf infe iloc iprp ipco ipma ispe av1C pixi grid iref dimg auxC irot colr mdat moov',
    ),
  },
];
