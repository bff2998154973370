import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { UnusableAudioError, probeAudio } from '#server/media/audio/audio.ts';
import {
  clean,
  makeApe,
  makeBox,
  makeId3,
  makeId3v1,
  makeTaggedM4a,
  toU32,
} from '#support/files/audio-files.ts';
import { makeGarbage } from '#support/files/damage.ts';
import { makeFolder } from '#support/files/folders.ts';
import { makeM4a } from '#support/files/sound-fixtures.ts';
import { measureProcessorMs } from '#support/processes/processor-time.ts';
import { FRAGMENTS_FOLLOW, changeBox, makeFragment } from './m4a-boxes.ts';

const FRAME_BYTES = 6;

describe('what a tagger put behind the last box of an M4A is ignored', () => {
  test.each<[what: string, bytes: Buffer]>([
    ['ID3v1', makeId3v1(Buffer.from('a'))],
    ['ID3v2 with a picture', makeId3([['APIC', makeGarbage(2_000_000)]])],
    ['APE', makeApe('a'.repeat(3_000))],
    ['three zeros', Buffer.alloc(3)],
    ['many zeros', Buffer.alloc(5_000)],
    ['less than the head of a box', Buffer.from('abcdefg')],
    ['garbage', makeGarbage(5_000)],
    ['bytes of 255', Buffer.alloc(5_000, 0xff)],
  ])('%s', async (_, bytes) => {
    for (const isMovieLast of [true, false]) {
      const file = makeTaggedM4a([], [], { isMovieLast });
      expect((await clean(Buffer.concat([file, bytes]))).equals(await clean(file))).toBe(true);
    }
  });

  test('but frames there are no frames', async () => {
    const cut = Buffer.from(makeM4a());
    cut.writeUInt32BE(4, cut.indexOf('mdat') - 4);
    await expect(probeAudio(cut)).rejects.toBeInstanceOf(UnusableAudioError);
  });
});

describe('an M4A with compact sizes', () => {
  const file = makeTaggedM4a([], [], { isMovieLast: true });
  const frames = 43;
  const withSizes = (type: string, content: Buffer) => {
    const changed = changeBox(file, 'stsz', () => content);
    changed.write(type, changed.indexOf('stsz'));
    return changed;
  };
  const listed = withSizes('stsz', toU32([0, 0, frames, ...Array<number>(frames).fill(FRAME_BYTES)]));

  test.each([
    [4, Buffer.from('66'.repeat(21) + '60', 'hex')],
    [8, Buffer.alloc(frames, FRAME_BYTES)],
    [16, Buffer.alloc(frames * 2, Buffer.from([0, FRAME_BYTES]))],
  ])('of %i bits is the same as with a list of sizes', async (bits, sizes) => {
    const compact = withSizes('stz2', Buffer.concat([toU32([0, bits, frames]), sizes]));
    expect((await clean(compact)).equals(await clean(listed))).toBe(true);
  });

  test.each([
    ['of 5 bits', 5, frames, frames],
    ['that are missing', 8, frames, frames - 1],
    ['for a hundred million frames', 4, 100_000_000, frames],
  ])('U8: %s is refused', async (_, bits, count, bytes) => {
    const compact = withSizes(
      'stz2',
      Buffer.concat([toU32([0, bits, count]), Buffer.alloc(bytes, FRAME_BYTES)]),
    );
    await expect(probeAudio(compact)).rejects.toBeInstanceOf(UnusableAudioError);
  });
});

describe('an M4A in fragments', () => {
  const toFrames = (first: number, count: number) =>
    Array.from({ length: count }, (_, frame) => Buffer.alloc(FRAME_BYTES, first + frame));
  const later = [toFrames(1, 20), toFrames(21, 20)] as const;
  const [, second] = later;
  /** Tables without frames. */
  const empty = ['stts', 'stsc', 'stsz', 'stco'].reduce<Buffer>(
    (file, type) => changeBox(file, type, () => toU32(type === 'stsz' ? [0, 0, 0] : [0, 0])),
    changeBox(Buffer.from(makeM4a()), 'moov', (content) => Buffer.concat([content, FRAGMENTS_FOLLOW])),
  );
  const announced = makeTaggedM4a([FRAGMENTS_FOLLOW], []);
  const fragmented = (...fragments: readonly Buffer[]) => Buffer.concat([empty, ...fragments]);

  test('is read as if it were whole', async () => {
    const file = fragmented(makeFragment(later[0], 0), makeFragment(second, 20 * 1_024));
    const cleaned = await clean(file);
    expect(cleaned.subarray(-40 * FRAME_BYTES)).toEqual(Buffer.concat(later.flat()));
    expect((await probeAudio(file)).durationMs).toBe(Math.round((40 * 1_024_000) / 44_100));
    expect(['moof', 'mvex'].some((type) => cleaned.includes(type))).toBe(false);
    expect((await clean(cleaned)).equals(cleaned)).toBe(true);
    expect((await probeAudio(cleaned)).durationMs).toBe((await probeAudio(file)).durationMs);
  });

  test('behind complete tables continues them', async () => {
    const file = Buffer.concat([announced, makeFragment(second, 43 * 1_024)]);
    expect((await probeAudio(file)).durationMs).toBe(Math.round((63 * 1_024_000) / 44_100));
    expect((await clean(file)).subarray(-20 * FRAME_BYTES)).toEqual(Buffer.concat(second));
  });

  test.each<[what: string, file: Buffer]>([
    ['are empty', Buffer.concat([makeM4a(), makeBox('moof')])],
    ['have no track', Buffer.concat([makeM4a(), makeBox('moof', makeBox('mfhd', toU32([0, 1])))])],
    ['are not announced', Buffer.concat([makeM4a(), makeFragment(second, 43 * 1_024)])],
    ['repeat the tables', Buffer.concat([announced, makeFragment(second, 0)])],
  ])('that %s is the sound of its tables', async (_, file) => {
    expect((await clean(file)).equals(await clean(makeM4a()))).toBe(true);
  });

  test.each<[what: string, make: () => Buffer]>([
    ['of 2^32 frames', () => fragmented(makeFragment(second, 0, 2 ** 32 - 1))],
    ['of more frames than it lists', () => fragmented(makeFragment(second, 0, 30))],
    ['in 20,000 fragments', () => fragmented(...Array<Buffer>(20_000).fill(makeFragment(second, 0)))],
    [
      'whose data lies outside of it',
      () => changeBox(fragmented(makeFragment(second, 0)), 'trun', (run) => run.fill(0x7f, 8, 12)),
    ],
  ])('U8: %s is refused within 500 ms', async (_, make) => {
    const path = join(await makeFolder(), 'sound');
    await writeFile(path, make());
    let outcome: unknown;
    const tookMs = await measureProcessorMs(async () => {
      outcome = await probeAudio({ path }).catch((error: unknown) => error);
    });
    expect(outcome).toBeInstanceOf(UnusableAudioError);
    expect(tookMs).toBeLessThan(500);
  });
});
