import { withCleanAudio, UnusableAudioError } from '#server/media/audio/audio.ts';
import { toByteSource } from '#server/media/audio/source.ts';
import { findAudioTitle } from '#server/media/audio/titles.ts';
import { readMp4Facts } from '#server/media/videos/mp4.ts';
import { readWebmFacts } from '#server/media/videos/webm.ts';
import {
  clean,
  makeApe,
  makeId3,
  makeId3v1,
  makeItunesTags,
  makeTaggedM4a,
  readFixture,
  toId3Text,
} from '#support/files/audio-files.ts';
import { makeM4a } from '#support/files/sound-fixtures.ts';
import { makeMp4Video, makeWebmVideo } from '#support/files/videos.ts';
import { type Target, toTokens } from '#support/fuzzing/target.ts';
import { FRAGMENTS_FOLLOW, changeBox, makeFragment, makeM4aOf, toLong } from '../media/audio/m4a-boxes.ts';

const frame = Buffer.from([0x00, 0xc8, 0x00, 0x80, 0x23, 0x80]);
const m4a = Buffer.from(makeM4a());
const withTag = (title: string) => makeTaggedM4a([makeItunesTags(title)]);

const M4A_SEEDS = [
  m4a,
  makeTaggedM4a([makeItunesTags('雨'), FRAGMENTS_FOLLOW], [], { isMovieLast: true }),
  Buffer.concat([makeTaggedM4a([FRAGMENTS_FOLLOW]), makeFragment([frame, frame, frame], 43 * 1_024)]),
  changeBox(makeTaggedM4a([], [], { isMovieLast: true }), 'mvhd', toLong(16)),
  changeBox(m4a, 'mdhd', (content) => content.fill(0, 12, 16)),
  changeBox(m4a, 'stts', (content) => content.fill(0, 12)),
  makeM4aOf(40, frame, { perChunk: 4, gap: Buffer.from([9]) }),
  ...['alac', 'he-aac-announced', 'itunes-padding', 'moov-first-96k', 'moov-last', 'surround-51'].map(
    (name) => readFixture(`${name}.m4a`),
  ),
];

const MP3_SEEDS = [
  ...[
    'ffmpeg-cover',
    'lame-320-32k',
    'lame-8k',
    'lame-cbr-without-xing',
    'lame-vbr-utf16',
    'mp2',
    'shine',
  ].map((name) => readFixture(`${name}.mp3`)),
  Buffer.concat([
    makeId3([['TIT2', toId3Text('題')]]),
    readFixture('lame-8k.mp3'),
    makeApe('x'),
    makeId3v1(Buffer.from('x')),
  ]),
];

const MP4_TOKENS = [
  ...toTokens(
    'ftyp moov mdat trak mdia minf stbl stsd stts stsc stsz stz2 stco co64 mvhd tkhd mdhd hdlr soun vide edts elst',
  ),
  ...toTokens(
    'mvex trex moof traf tfhd tfdt trun udta meta ilst ---- name data iTunSMPB mp4a esds free uuid avc1',
  ),
  'M4A ',
  '\xa9nam',
  ' 00000000 00000840 000001C0 00000000000A0000',
];
const ID3_TOKENS = toTokens(
  'ID3\x03\0\0 ID3\x04\0\0 ID3\x02\0\0 TIT2 TT2 APIC TAG APETAGEX LYRICSBEGIN \0\0 \x01 \x01\xff\xfe \xff\0 \x83\x73\x83\x41',
);
const MP3_TOKENS = [
  ...toTokens('\xff\xfb\x90\x64 \xff\xf3\x40\xc4 \xff\xe3 Xing Info VBRI LAME Lavf'),
  ...ID3_TOKENS,
];
const WEBM_TOKENS = [
  ...toTokens(
    '1a45dfa3 18538067 1549a966 1654ae6b 1f43b675 a0 e7 a3 a1 ae 83 86 d7 e0 b0 ba 4282 2ad7b1 4489 ec 01ffffffffffffff ff 81 84',
  ).map((id) => Buffer.from(id, 'hex').toString('latin1')),
  ...toTokens('webm V_VP8 V_AV1'),
];

/** The stored form has facts that make sense, and is its own stored form. */
async function readSound(input: Buffer): Promise<number> {
  const stored = await withCleanAudio(input, async ({ facts, gapsMs, bytes }) => {
    const numbers = [facts.durationMs, facts.bitRateKbps, facts.sampleRateHz, ...gapsMs];
    if (!numbers.every((number) => Number.isSafeInteger(number) && number >= 0))
      throw new Error(`impossible facts ${JSON.stringify({ facts, gapsMs })}`);
    return Buffer.concat(await Array.fromAsync(bytes()));
  });
  if (!(await clean(stored)).equals(stored)) throw new Error('the stored form changes when it is read again');
  return stored.byteLength;
}

const isUnusable = (error: unknown) => error instanceof UnusableAudioError;
/** Checks of videos throw sentences for the staff, and no errors of the language. */
const isSentence = (error: unknown) =>
  isUnusable(error) || (error instanceof Error && Object.getPrototypeOf(error) === Error.prototype);

export const TARGETS: readonly Target[] = [
  {
    name: 'MP3',
    files: ['/media/audio-mp3.ts', '/media/audio-mp3-frames.ts', '/media/audio-facts.ts'],
    seeds: () => MP3_SEEDS,
    tokens: MP3_TOKENS,
    bytesMax: 64 * 1024,
    read: readSound,
    isRefusal: isUnusable,
    outputMax: (bytes) => bytes,
  },
  {
    name: 'M4A',
    files: ['boxes', 'codec', 'edits', 'fragments', 'headers', 'items', 'lengths', 'sizes', 'tables', 'times']
      .map((part) => `/media/audio-m4a-${part}.ts`)
      .concat('/media/audio-m4a.ts'),
    seeds: () => M4A_SEEDS,
    tokens: MP4_TOKENS,
    bytesMax: 64 * 1024,
    read: readSound,
    isRefusal: isUnusable,
    outputMax: (bytes) => 12 * bytes + 4_096,
  },
  {
    name: 'titles of sounds',
    files: ['/media/audio-titles.ts', '/media/audio-title-texts.ts', '/media/audio-m4a-items.ts'],
    seeds: () => [
      ...MP3_SEEDS,
      withTag('風の音'),
      makeId3([
        ['TALB', toId3Text('盤')],
        ['TIT2', toId3Text('雨')],
      ]),
    ],
    tokens: [...ID3_TOKENS, ...MP4_TOKENS],
    bytesMax: 64 * 1024,
    read: async (input) => (await findAudioTitle(input)).length,
    isRefusal: () => false,
    outputMax: () => 4_096,
  },
  {
    name: 'MP4 videos',
    files: ['/media/video-mp4.ts'],
    seeds: () => [makeMp4Video(), makeMp4Video({ codec: 'av01' }), m4a],
    tokens: MP4_TOKENS,
    bytesMax: 64 * 1024,
    read: async (input) => void (await readMp4Facts(toByteSource(input))),
    isRefusal: isSentence,
  },
  {
    name: 'WebM videos',
    files: ['/media/video-webm.ts'],
    seeds: () => [makeWebmVideo(), makeWebmVideo({ pictures: 2, codec: 'V_AV1' })],
    tokens: WEBM_TOKENS,
    bytesMax: 64 * 1024,
    read: (input) => void readWebmFacts(input),
    isRefusal: isSentence,
  },
];
