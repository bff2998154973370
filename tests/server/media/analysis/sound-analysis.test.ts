import { describe, expect, test } from 'vitest';
import { type SoundFindings, CLIPS_MAX } from '#contract/sounds/sound-findings.ts';
import { createDecoder } from '#server/media/audio/decoder.ts';
import { createSoundAnalysis } from '#server/media/analysis/sound-analysis.ts';
import { harmAtRandom, makeGarbage, overwrite } from '#support/files/damage.ts';
import { depth } from '#support/depth.ts';
import { collectGarbage } from '#support/processes/garbage.ts';
import { makeLongMp3 } from '#support/files/long-mp3.ts';
import { makeM4a } from '#support/files/sound-fixtures.ts';
import { RATE, analyse, encodeMp3, join, shape, silence, tone } from '#support/files/signals.ts';
import { readFixture } from '#support/files/audio-files.ts';

const findingsOf = (...channels: readonly Float32Array[]) => analyse(channels).findings;

/** The start of a thread takes longer than most measurements. */
const decoder = createDecoder();

/** Measures like the host measures an upload: encoded, then decoded in the thread. */
async function findingsOfMp3(...channels: readonly Float32Array[]): Promise<SoundFindings> {
  const decoded = await decoder.decode(await encodeMp3(channels));
  if (decoded.state !== 'decoded') throw new Error(decoded.state);
  return decoded.findings;
}

/** A tone with the given number of samples at full scale from a second on, like an overdriven limiter's. */
function clipAt(samples: Float32Array, second: number, count: number, value = 1): Float32Array {
  return samples.slice().fill(value, Math.round(second * RATE), Math.round(second * RATE) + count);
}

test.each([4, -40, 1e30, Infinity, Number.NaN])('samples of %d, of a damaged frame, are ignored', (value) => {
  const whole = tone(5, -20);
  const damaged = whole.slice().fill(value, 2 * RATE, 2 * RATE + 100);
  const [{ findings, peaks }, expected] = [analyse([damaged]), analyse([whole])];
  const { loudness_lufs, true_peak_dbtp, ...others } = expected.findings;
  expect(findings).toMatchObject(others);
  expect(findings.loudness_lufs).toBeCloseTo(loudness_lufs ?? 0, 0);
  expect(findings.true_peak_dbtp).toBeLessThan((true_peak_dbtp ?? 0) + 6);
  expect(Math.min(...peaks)).toBeGreaterThan(0.9);
});

describe('silence at the beginning', () => {
  test('ends at the first sample above −60 dBFS', () => {
    expect(findingsOf(join(silence(0.8), tone(1, -20))).silent_head_ms).toBe(800);
    expect(findingsOf(join(tone(0.8, -62), tone(1, -20))).silent_head_ms).toBe(800);
    expect(findingsOf(join(tone(0.8, -58), tone(1, -20))).silent_head_ms).toBe(0);
  });

  test('ends as soon as one channel is audible', () => {
    const left = join(silence(1.2), tone(1, -20));
    expect(findingsOf(left, join(silence(0.3), tone(1.9, -20))).silent_head_ms).toBe(300);
  });

  test('excludes the padding of an encoder', async () => {
    expect((await findingsOfMp3(tone(1, -20))).silent_head_ms).toBe(0);
    const measured = (await findingsOfMp3(join(silence(0.8), tone(1, -20)))).silent_head_ms;
    expect(measured).toBeGreaterThan(770);
    expect(measured).toBeLessThan(860);
  });

  test('can cover the whole file', () => {
    expect(findingsOf(silence(1.5))).toEqual({
      silent_head_ms: 1_500,
      is_silent: true,
      clips_ms: [],
      clip_count: 0,
      is_tail_cut: false,
      loudness_lufs: null,
      true_peak_dbtp: null,
    });
  });

  test('is not the whole of a short effect that begins late', async () => {
    const late = join(silence(0.19), tone(0.08, -12));
    expect(findingsOf(late)).toMatchObject({ silent_head_ms: 190, is_silent: false });
    expect(await findingsOfMp3(late)).toMatchObject({ is_silent: false });
    expect(await findingsOfMp3(silence(0.27))).toMatchObject({ is_silent: true });
  });
});

describe('clipping', () => {
  test('is three consecutive samples at full scale, not two', () => {
    const quiet = tone(1, -20);
    expect(findingsOf(clipAt(quiet, 0.5, 2)).clip_count).toBe(0);
    expect(findingsOf(clipAt(quiet, 0.5, 3))).toMatchObject({ clip_count: 1, clips_ms: [500] });
    expect(findingsOf(clipAt(quiet, 0.5, 3, -0.9995)).clip_count).toBe(1);
    expect(findingsOf(clipAt(quiet, 0.5, 3, 0.998)).clip_count).toBe(0);
  });

  test('is found beyond full scale, where a decoder overshoots, and in either channel alone', () => {
    const quiet = tone(1, -20);
    expect(findingsOf(quiet, clipAt(quiet, 0.25, 5, -1.3))).toMatchObject({ clip_count: 1, clips_ms: [250] });
  });

  test('is one range when it recurs within 100 ms', () => {
    const twice = (second: number) => clipAt(clipAt(tone(2, -20), 0.5, 4), second, 4);
    expect(findingsOf(twice(0.59)).clips_ms).toEqual([500]);
    expect(findingsOf(twice(0.61)).clips_ms).toEqual([500, 610]);
  });

  test('is found across the borders of decoded blocks', () => {
    const clipped = clipAt(tone(1, -20), 0.1, 3).copyWithin(0, 2);
    for (const pieceSamples of [1, 4_409, 4_410, 10_007]) {
      expect(analyse([clipped], { pieceSamples }).findings.clip_count).toBe(1);
    }
  });

  test(`is counted everywhere and told of in the first ${CLIPS_MAX} places`, () => {
    const samples = tone(30, -20);
    for (let place = 0; place < 50; place += 1) samples.fill(1, place * RATE * 0.5, place * RATE * 0.5 + 4);
    const { clip_count, clips_ms } = findingsOf(samples);
    expect(clip_count).toBe(50);
    expect(clips_ms).toEqual(Array.from({ length: CLIPS_MAX }, (_, place) => place * 500));
  });

  test('is found in an MP3 of a sound beyond full scale, and not in one that is only loud', async () => {
    const loud = shape(tone(2, 0), (second) => (second > 1 && second < 1.1 ? 1.3 : 0.7));
    const { clip_count, clips_ms } = await findingsOfMp3(loud);
    expect(clip_count).toBe(1);
    expect(clips_ms[0]).toBeGreaterThan(980);
    expect(clips_ms[0]).toBeLessThan(1_060);
    expect((await findingsOfMp3(tone(2, -1.5))).clip_count).toBe(0);
  });
});

const fadeIn = (second: number) => Math.min(1, second / 0.3);
const song = shape(tone(3, -12), fadeIn);
const click = shape(tone(0.05, -3), (second) => Math.exp(-second * 150));

describe('a cut tail', () => {
  test.each<[what: string, sound: Float32Array]>([
    ['a song that ends in the middle', song],
    ['one that is cut, and the player plays the padding', join(song, silence(0.04))],
    ['a decay that is cut while it is loud', shape(song, (second) => Math.exp(-second * 0.5))],
    ['a low tone', shape(tone(2, -12, { hz: 50 }), fadeIn)],
    ['a fade of 5 ms, which is only there against a crack', fadedOut(song, 0.005)],
  ])('%s', async (_, sound) => {
    expect(findingsOf(sound).is_tail_cut).toBe(true);
    expect((await findingsOfMp3(sound)).is_tail_cut).toBe(true);
  });

  test.each<[what: string, sound: Float32Array]>([
    ['a fade of a second', fadedOut(song, 1)],
    ['a fade of 40 ms', fadedOut(song, 0.04)],
    ['a bell that dies away', shape(tone(3, -6), (second) => Math.exp(-second * 4))],
    ['a bell that was cut when it was quiet', shape(tone(1.2, -6), (second) => Math.exp(-second * 4))],
    ['silence at the end', join(song, silence(0.2))],
    ['a loop, which begins as loud as it ends', tone(2, -12)],
    ['a loop whose player plays the delay along', join(silence(0.025), tone(2, -12), silence(0.03))],
    ['a click', click],
    ['a click after silence', join(silence(0.5), click)],
    ['two clicks', join(silence(0.5), click, click, silence(0.01))],
    ['drums', join(...Array.from({ length: 8 }, () => join(click, silence(0.2))), click)],
    ['rain that is hardly heard', shape(tone(2, -46), fadeIn)],
    ['less than there is to judge', shape(tone(0.08, -6), (second) => second / 0.08)],
    ['silence', silence(1)],
  ])('is not: %s', async (_, sound) => {
    expect(findingsOf(sound).is_tail_cut).toBe(false);
    expect((await findingsOfMp3(sound)).is_tail_cut).toBe(false);
  });
});

function fadedOut(samples: Float32Array, lastSeconds: number): Float32Array {
  return shape(samples, (second, seconds) => Math.min(1, (seconds - second) / lastSeconds));
}

describe('a file in the thread', () => {
  test('a single channel counts once, two identical ones twice', async () => {
    const samples = tone(3, -20);
    // The encoder lowers the level by a third of a decibel.
    expect((await findingsOfMp3(samples)).loudness_lufs).toBeCloseTo(-23.3, 1);
    expect((await findingsOfMp3(samples, samples)).loudness_lufs).toBeCloseTo(-20.3, 1);
  });

  test('AAC is measured as well', async () => {
    const decoded = await decoder.decode(makeM4a());
    expect(decoded).toMatchObject({ state: 'decoded', findings: { loudness_lufs: null, clip_count: 0 } });
  });

  test('the low-frequency channel of a 5.1 file does not count, and its surrounds have a higher weight', async () => {
    const decoded = await decoder.decode(readFixture('surround-51.m4a'));
    // The value of FFmpeg's ebur128 filter.
    expect(decoded).toMatchObject({ findings: { loudness_lufs: expect.closeTo(-11.6, 1) as number } });
  });

  test('a passage of AAC that cannot be decoded is reported with its position, none in an intact file', async () => {
    const gapsOf = async (file: Buffer) => {
      const decoded = await decoder.decode(file);
      return decoded.state === 'decoded' ? decoded.findings.gaps_ms : decoded.state;
    };
    const frames = 12_000;
    const whole = Buffer.from(makeM4a(frames));
    expect(await gapsOf(whole)).toBeUndefined();
    const frameBytes = 6;
    const sounds = whole.byteLength - frames * frameBytes;
    const damaged = overwrite(whole, sounds + 5_000 * frameBytes, makeGarbage(2_000 * frameBytes));
    expect(await gapsOf(damaged)).toEqual([expect.closeTo((5_000 * 1_024) / 44.1, -4)]);
  });

  test('decoding failures are distinguished from timeouts', async () => {
    const hurried = createDecoder({ timeLimitMs: 0 });
    expect(await decoder.decode(Buffer.from('broken'))).toEqual({ state: 'unreadable' });
    expect(await hurried.decode(await encodeMp3([song]), 0)).toEqual({ state: 'interrupted' });
    expect(await decoder.decode(await encodeMp3([song]))).toMatchObject({ state: 'decoded' });
  });
});

test.each(['moov-last.m4a', 'surround-51.m4a', 'lame-vbr-utf16.mp3', 'shine.mp3'])(
  '%s, damaged in many ways, is read or refused in time, and never ends the thread',
  { timeout: 60_000 },
  async (name) => {
    const whole = readFixture(name);
    for (let variant = 0; variant < depth(20, 100); variant += 1) {
      const decoded = await decoder.decode(harmAtRandom(whole, `${name} ${variant}`));
      expect(decoded.state, `${variant}`).not.toBe('interrupted');
      if (decoded.state !== 'decoded') continue;
      const { silent_head_ms, clips_ms, gaps_ms = [], loudness_lufs } = decoded.findings;
      for (const value of [silent_head_ms, ...clips_ms, ...gaps_ms, loudness_lufs ?? 0]) {
        expect(Number.isFinite(value), `${variant}`).toBe(true);
      }
    }
  },
);

test('a stopped measurement ends at once, and the next one runs', async () => {
  const stop = new AbortController();
  const long = decoder.decode(makeLongMp3(40_000_000, 1), undefined, stop.signal);
  const waiting = decoder.decode(makeLongMp3(40_000_000, 2), undefined, stop.signal);
  const next = decoder.decode(await encodeMp3([song]), undefined, new AbortController().signal);
  stop.abort();
  expect([await long, await waiting]).toEqual([{ state: 'stopped' }, { state: 'stopped' }]);
  expect(await next).toMatchObject({ state: 'decoded' });
});

test('a long sound is measured without keeping its samples', () => {
  const analysis = createSoundAnalysis(RATE, { count: 1, configuration: 1 });
  const second = tone(1, -20);
  collectGarbage();
  const before = process.memoryUsage().arrayBuffers;
  for (let count = 0; count < depth(300, 3_600); count += 1) analysis.add([second]);
  collectGarbage();
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60 * second.byteLength);
  expect(analysis.finish()?.findings.loudness_lufs).toBeCloseTo(-23, 1);
});
