import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findAudioTitle } from '#server/media/audio/titles.ts';
import { UnsupportedAudioError, UnusableAudioError, probeAudio } from '#server/media/audio/audio.ts';
import { decodeAudio, clean, readFixture } from '#support/files/audio-files.ts';
import { depth } from '#support/depth.ts';
import { measureProcessorMs } from '#support/processes/processor-time.ts';

const MP3 = 'audio/mpeg';
const M4A = 'audio/mp4';

describe('of another encoder', () => {
  test.each<[name: string, mime: string, durationMs: number, sampleRateHz: number, title: string]>([
    ['lame-vbr-utf16.mp3', MP3, 500, 22_050, '雨の音'],
    // Nothing in it describes the padding.
    ['lame-cbr-without-xing.mp3', MP3, 340, 44_100, '雨の音'],
    ['lame-8k.mp3', MP3, 648, 8_000, ''],
    ['lame-320-32k.mp3', MP3, 80, 32_000, ''],
    ['ffmpeg-cover.mp3', MP3, 400, 24_000, '夜の市'],
    ['shine.mp3', MP3, 432, 32_000, 'Prélude'],
    ['moov-last.m4a', M4A, 300, 48_000, '風の音'],
    ['moov-first-96k.m4a', M4A, 200, 96_000, '波'],
    ['itunes-padding.m4a', M4A, 500, 22_050, ''],
    ['he-aac-announced.m4a', M4A, 500, 44_100, '夜'],
  ])('%s is read, and sounds the same without its tags', async (name, mime, durationMs, rate, title) => {
    const file = readFixture(name);
    expect(await probeAudio(file)).toMatchObject({ mime, durationMs, sampleRateHz: rate });
    expect(await findAudioTitle(file)).toBe(title);

    const cleaned = await clean(file);
    expect(await findAudioTitle(cleaned)).toBe('');
    expect(await probeAudio(cleaned)).toEqual(await probeAudio(file));
    expect((await clean(cleaned)).equals(cleaned)).toBe(true);
    const [before, after] = [await decodeAudio(file), await decodeAudio(cleaned)];
    expect(after).toEqual(before);
    expect(Math.max(...(after.channels[0] ?? []))).toBeGreaterThan(0.05);
  });

  test.each([
    ['alac.m4a', 'Apple Lossless（ALAC）'],
    ['mp2.mp3', 'MP2'],
  ])('%s is refused as a format that is not supported', async (name, format) => {
    const refusal = probeAudio(readFixture(name));
    await expect(refusal).rejects.toBeInstanceOf(UnsupportedAudioError);
    await expect(refusal).rejects.toMatchObject({ format });
  });

  test('a damaged file is not recognised as another format', async () => {
    const damaged = readFixture('moov-last.m4a').subarray(0, -500);
    await expect(probeAudio(damaged)).rejects.not.toBeInstanceOf(UnsupportedAudioError);
    await expect(probeAudio(Buffer.from('MZ a program'))).rejects.not.toBeInstanceOf(UnsupportedAudioError);
  });

  test('an MP3 that continues at another rate, or far behind a gap, is refused rather than truncated', async () => {
    const [start, other] = [readFixture('lame-8k.mp3'), readFixture('shine.mp3')];
    await expect(probeAudio(Buffer.concat([start, other]))).rejects.toBeInstanceOf(UnusableAudioError);
    const apart = Buffer.concat([start, Buffer.alloc(5 * 1024 * 1024), start]);
    await expect(probeAudio(apart)).rejects.toBeInstanceOf(UnusableAudioError);
    const cutShort = Buffer.concat([start, start.subarray(0, -20)]);
    expect((await probeAudio(cutShort)).durationMs).toBe(648 * 2 - 72);
  });
});

describe('the padding of an encoder', () => {
  test('remains in the first frame of an MP3', async () => {
    const cleaned = await clean(readFixture('lame-vbr-utf16.mp3'));
    const noteAt = cleaned.indexOf('LAME');
    expect(noteAt).toBeGreaterThan(0);
    const both = cleaned.readUIntBE(noteAt + 21, 3);
    const heard = 22_050 / 2;
    expect(((both >> 12) + (both & 0xfff) + heard) % 576).toBe(0);
  });

  test('remains in the edit list of an M4A', async () => {
    const cleaned = await clean(readFixture('moov-last.m4a'));
    expect(readEdit(cleaned)).toEqual({ duration: 300, start: 1_024 });
  });

  test('from an iTunes tag is written into an edit list, since tags are removed', async () => {
    const cleaned = await clean(readFixture('itunes-padding.m4a'));
    expect(cleaned.includes('iTunSMPB')).toBe(false);
    expect(readEdit(cleaned)).toEqual({ duration: 500, start: 1_024 });
  });

  test('is ignored when it exceeds the sound', async () => {
    const file = readFixture('itunes-padding.m4a');
    const at = file.indexOf(' 00000000 00000400');
    file.write('0000FFFF', at + 10, 'latin1');
    expect((await clean(file)).includes('elst')).toBe(false);
    const mp3 = readFixture('lame-320-32k.mp3');
    mp3.writeUIntBE(0xff_ffff, mp3.indexOf('LAME') + 21, 3);
    expect((await probeAudio(mp3)).durationMs).toBe(144);
  });
});

/** The only edit, of version 1: in milliseconds, and in samples. */
function readEdit(m4a: Buffer): { duration: number; start: number } {
  const at = m4a.indexOf('elst') + 4;
  expect(m4a.readUInt32BE(at + 4)).toBe(1);
  return { duration: Number(m4a.readBigUInt64BE(at + 8)), start: Number(m4a.readBigInt64BE(at + 16)) };
}

test('an M4A does not contain its creation time', async () => {
  const file = readFixture('moov-last.m4a');
  for (const type of ['mvhd', 'tkhd', 'mdhd']) file.writeUInt32BE(0xe0_00_00_00, file.indexOf(type) + 8);
  expect((await clean(file)).equals(await clean(readFixture('moov-last.m4a')))).toBe(true);
});

/** Bytes are overwritten, removed, doubled or moved, as by a faulty disk or line, or by an attacker. */
const damage = fc.array(
  fc.record({
    kind: fc.constantFrom('write', 'cut', 'double', 'end'),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    value: fc.nat(255),
    length: fc.oneof(fc.nat(8), fc.nat(2_000)),
  }),
  { minLength: 1, maxLength: 3 },
);
type Damage = typeof damage extends fc.Arbitrary<infer Value> ? Value : never;

function harm(bytes: Buffer, changes: Damage): Buffer {
  return changes.reduce((file: Buffer, { kind, at, value, length }) => {
    const place = Math.floor(at * Math.max(0, file.byteLength - 1));
    const [before, behind] = [file.subarray(0, place), file.subarray(place)];
    if (kind === 'end') return value < 32 ? before : file;
    if (kind === 'cut') return Buffer.concat([before, behind.subarray(length)]);
    if (kind === 'double') return Buffer.concat([before, behind.subarray(0, length), behind]);
    return Buffer.concat([before, Buffer.from([value]), behind.subarray(1)]);
  }, bytes);
}

async function measureReading(file: Buffer): Promise<number> {
  let outcome: unknown;
  const tookMs = await measureProcessorMs(async () => {
    outcome = await clean(file).catch((error: unknown) => error);
    await findAudioTitle(file);
  });
  if (outcome instanceof UnusableAudioError) return tookMs;
  if (!(outcome instanceof Buffer)) throw outcome;
  expect((await clean(outcome)).equals(outcome)).toBe(true);
  return tookMs;
}

test.each([
  ['U9', 'lame-vbr-utf16.mp3'],
  ['U9', 'ffmpeg-cover.mp3'],
  ['U8', 'moov-last.m4a'],
  ['U8', 'itunes-padding.m4a'],
])(
  '%s: %s, damaged in 2,000 ways, is refused or read within 50 ms, and then clean',
  { timeout: 120_000 },
  async (_, name) => {
    const whole = readFixture(name);
    await measureReading(whole);
    await fc.assert(
      fc.asyncProperty(damage, async (changes) => {
        const file = harm(whole, changes);
        // What a file costs, it costs each time; a collection of garbage comes once.
        const times = [await measureReading(file), await measureReading(file), await measureReading(file)];
        expect(Math.min(...times)).toBeLessThan(50);
      }),
      { numRuns: depth(300, 2_000) },
    );
  },
);
