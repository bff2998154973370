import { expect, test } from 'vitest';
import { createPowerSpectrum } from '#server/media/analysis/fft.ts';
import { estimateKey } from '#server/media/analysis/musical-key.ts';
import { ANALYSED_SECONDS_MAX, FEATURE_NUMBERS } from '#server/media/analysis/sound-features.ts';
import { estimateTempo } from '#server/media/analysis/tempo.ts';
import { playChords } from '#support/files/music.ts';
import { RATE, analyse, silence, tone } from '#support/files/signals.ts';

test('a power spectrum has the power of a tone in its bin, and no aliases', () => {
  const powerOf = createPowerSpectrum(512);
  const spectrum = [...powerOf(tone(512 / RATE, 0, { hz: (RATE * 37) / 512 }))];
  expect(spectrum.indexOf(Math.max(...spectrum))).toBe(37);
  expect(spectrum[37]).toBeCloseTo(0.25, 1);
  expect(spectrum.filter((_, bin) => Math.abs(bin - 37) > 1).every((power) => power < 1e-9)).toBe(true);
});

test.each([
  { bpm: 84, tonic: 48, isMinor: false, key: 'C' },
  { bpm: 120, tonic: 57, isMinor: true, key: 'Am' },
  { bpm: 143.5, tonic: 54, isMinor: false, key: 'F#' },
  { bpm: 97, tonic: 61, isMinor: true, key: 'C#m' },
])('chords at $bpm in $key are recognised with confidence', ({ key, ...piece }) => {
  const { features } = analyse([playChords({ ...piece, seconds: 24 })]);
  expect(features?.key?.value).toBe(key);
  expect(features?.key?.confidence).toBeGreaterThan(0.6);
  expect(Math.abs((features?.bpm?.value ?? 0) / piece.bpm - 1)).toBeLessThan(0.01);
  expect(features?.bpm?.confidence).toBeGreaterThan(0.5);
});

test('a beat with a weak second half is not taken for two beats', () => {
  const onsets = new Float32Array(24 * 64);
  for (let half = 0; half < 110; half += 1) {
    onsets[Math.round((half * 30 * 64) / 140)] = [1, 0.1, 0.3, 0.1][half % 4] ?? 0;
  }
  expect(estimateTempo(onsets, 64)?.bpm).toBe(140);
});

test('a minor key with a major dominant is not taken for its relative key', () => {
  const chroma = Array.from({ length: 12 }, () => 0);
  // A minor, G, F and E.
  for (const note of [9, 0, 4, 7, 11, 2, 5, 9, 0, 4, 8, 11]) chroma[note] = (chroma[note] ?? 0) + 1 / 12;
  const found = estimateKey(chroma);
  expect(found?.key).toBe('Am');
  expect(found?.confidence).toBeGreaterThan(0.6);
});

test('a sound of a few seconds has no key', () => {
  const piece = { bpm: 120, tonic: 57, isMinor: true };
  expect(analyse([playChords({ ...piece, seconds: 5 })]).features?.key).toBeNull();
  expect(analyse([playChords({ ...piece, seconds: 7 })]).features?.key?.value).toBe('Am');
});

test('noise has no certain tempo or key', () => {
  let state = 1;
  const noise = Float32Array.from({ length: 20 * RATE }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return (state / 2_147_483_647 - 0.5) * 0.5;
  });
  const { features } = analyse([noise]);
  expect(features?.bpm?.confidence ?? 0).toBeLessThan(0.3);
  expect(features?.key?.confidence ?? 0).toBeLessThan(0.5);
});

test('silence has no features, and a short or damaged sound has finite numbers', () => {
  expect(analyse([silence(3)]).features).toBeNull();
  const damaged = tone(0.3, -6);
  damaged.fill(Number.NaN, 100, 2_000);
  damaged.fill(1e30, 4_000, 4_500);
  for (const samples of [tone(0.05, -6), damaged]) {
    const { features } = analyse([samples, samples]);
    expect(features).toMatchObject({ bpm: null, key: null });
    expect(features?.numbers).toHaveLength(FEATURE_NUMBERS);
    expect(features?.numbers.every(Number.isFinite)).toBe(true);
  }
});

test('the numbers hardly depend on the level, the channels and the size of the pieces', () => {
  const piece = playChords({ bpm: 110, tonic: 50, isMinor: false, seconds: 10 });
  const numbers = analyse([piece]).features?.numbers ?? [];
  const same = analyse([piece, piece], { pieceSamples: 1_152 }).features?.numbers ?? [];
  const quiet = analyse([piece.map((sample) => sample / 2)]).features?.numbers ?? [];
  for (const [index, value] of numbers.entries()) {
    expect(same[index]).toBeCloseTo(value, 3);
    expect(Math.abs((quiet[index] ?? 0) - value)).toBeLessThan(0.1 + Math.abs(value) * 0.1);
  }
});

test('only the beginning of a long sound is analysed', () => {
  const seconds = ANALYSED_SECONDS_MAX + 20;
  const long = tone(seconds, -12, { hz: 440, rate: 8_000 });
  const other = long.map((sample, at) => (at > (seconds - 15) * 8_000 ? -sample / 3 : sample));
  const [numbers, changed] = [long, other].map(
    (samples) => analyse([samples], { rate: 8_000 }).features?.numbers,
  );
  expect(numbers).toHaveLength(FEATURE_NUMBERS);
  expect(changed).toEqual(numbers);
});
