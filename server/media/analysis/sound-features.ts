import type { MusicalKey } from '../../../contract/sounds/music.ts';
import { createPowerSpectrum } from './fft.ts';
import { createDecimator } from './decimation.ts';
import { PITCH_STEPS, estimateKey, toChroma } from './musical-key.ts';
import { estimateTempo, peakOffset, toBeats, toSimilarity } from './tempo.ts';
import { TIMBRE_NUMBERS, TIMBRE_WEIGHTS, createTimbreMeter } from './timbre.ts';

/** Tempo, key and comparable numbers of a sound. */
export interface SoundFeatures {
  readonly bpm: { readonly value: number; readonly confidence: number } | null;
  readonly key: { readonly value: MusicalKey; readonly confidence: number } | null;
  /** `FEATURE_NUMBERS` numbers by which sounds are compared: timbre, chroma, rhythm, dynamics, length. */
  readonly numbers: number[];
}

/** Increase it when the numbers change, in a migration that has sounds measured again (`measureAnew`). */
export const FEATURES_VERSION = 2;
const TEMPOGRAM_NUMBERS = 10;
const DYNAMICS_NUMBERS = 8;
export const FEATURE_NUMBERS = TIMBRE_NUMBERS + 12 + TEMPOGRAM_NUMBERS + DYNAMICS_NUMBERS;
/** How much each number counts in comparisons. The many spreads and changes of the timbre must not outweigh the rest. */
export const FEATURE_WEIGHTS: readonly number[] = [
  ...TIMBRE_WEIGHTS,
  ...Array.from({ length: 12 + TEMPOGRAM_NUMBERS }, () => 1),
  ...Array.from({ length: DYNAMICS_NUMBERS }, () => 1.4),
];

/** The beginning of a sound is analysed: bounds time and memory. */
export const ANALYSED_SECONDS_MAX = 60;
const SPECTRA_A_SECOND = 64;
const PITCH_SPECTRA_A_SECOND = 4;
const SPECTRUM_SECONDS = 0.04;
const PITCH_SPECTRUM_SECONDS = 0.35;
const PITCH_HZ = { min: 60, max: 2_000 };
const QUIET_POWER = 1e-8;
/** Quieter samples at the beginning are left out: how many there are depends on the encoder. */
const AUDIBLE = 3e-4;
/** Shorter sounds have no key. */
const KEY_SECONDS_MIN = 6;

/** Measures a sound while it is decoded, from its channels mixed down. */
export function createFeatureMeter(sampleRateHz: number) {
  const decimator = createDecimator(sampleRateHz);
  const { rateHz } = decimator;
  const spectrum = createWindows(rateHz, SPECTRUM_SECONDS, SPECTRA_A_SECOND);
  const pitches = createWindows(rateHz, PITCH_SPECTRUM_SECONDS, PITCH_SPECTRA_A_SECOND);
  const timbre = createTimbreMeter(rateHz, spectrum.bins);
  const histogram = new Float64Array(PITCH_STEPS);
  const onsets: number[] = [];
  const levels: number[] = [];
  const samplesMax = ANALYSED_SECONDS_MAX * rateHz;
  let samples = 0;
  let inputSamples = 0;
  let silentSeconds = 0;

  return {
    add(channels: readonly Float32Array[]): void {
      inputSamples += channels[0]?.length ?? 0;
      if (samples >= samplesMax) return;
      const mixed = decimator.add(channels);
      const begin = samples > 0 ? 0 : mixed.findIndex((sample) => Math.abs(sample) >= AUDIBLE);
      const mono = mixed.subarray(begin === -1 ? mixed.length : begin);
      silentSeconds += (mixed.length - mono.length) / rateHz;
      samples += mono.length;
      spectrum.add(mono, (powers, level) => {
        onsets.push(timbre.add(powers));
        levels.push(level);
      });
      pitches.add(mono, (powers, level) => {
        if (level > QUIET_POWER) addPitches(histogram, powers, rateHz);
      });
    },
    /** Null if there was too little sound to measure. */
    finish(): SoundFeatures | null {
      if (timbre.audibleShare() === 0) return null;
      const chroma = toChroma(histogram);
      const envelope = Float32Array.from(onsets);
      const beats = toBeats(envelope, spectrum.rateHz);
      const tempo = estimateTempo(envelope, spectrum.rateHz);
      const key = samples < KEY_SECONDS_MIN * rateHz ? undefined : estimateKey(chroma);
      return {
        bpm: tempo ? { value: tempo.bpm, confidence: round(tempo.confidence, 3) } : null,
        key: key ? { value: key.key, confidence: round(key.confidence, 3) } : null,
        numbers: [
          ...timbre.numbers(),
          ...chroma,
          ...toTempogram(beats, spectrum.rateHz),
          ...toDynamics(levels, spectrum.rateHz),
          toOnsetRate(beats, spectrum.rateHz),
          onsets.reduce((sum, onset) => sum + onset, 0) / onsets.length,
          timbre.audibleShare(),
          Math.log(Math.max(0, inputSamples / sampleRateHz - silentSeconds) + 0.05),
        ].map((value) => (Number.isFinite(value) ? round(value, 5) : 0)),
      };
    },
  };
}

/** Cuts samples into overlapping windows and gives the power spectrum and mean power of each. */
function createWindows(rateHz: number, seconds: number, perSecond: number) {
  // Equally long at all sample rates, so that the spectra of a copy at another rate are the same.
  const length = Math.round(rateHz * seconds);
  const size = 2 ** Math.ceil(Math.log2(length));
  const hop = Math.round(rateHz / perSecond);
  const powerOf = createPowerSpectrum(size, length);
  const recent = new Float32Array(size);
  // The first window ends after one hop, so that a short sound has spectra.
  let missing = hop;
  return {
    bins: size / 2,
    rateHz: rateHz / hop,
    add(mono: Float32Array, take: (powers: Float32Array, level: number) => void): void {
      for (let at = 0; at < mono.length;) {
        const taken = Math.min(missing, mono.length - at);
        recent.copyWithin(0, taken);
        recent.set(mono.subarray(at, at + taken), size - taken);
        at += taken;
        missing -= taken;
        if (missing > 0) continue;
        missing = hop;
        let sum = 0;
        for (let index = Math.max(0, size - hop); index < size; index += 1) sum += (recent[index] ?? 0) ** 2;
        take(powerOf(recent), sum / Math.min(hop, size));
      }
    },
  };
}

/** Adds the peaks of a spectrum to the histogram of pitch classes. */
function addPitches(histogram: Float64Array, powers: Float32Array, rateHz: number): void {
  const hz = rateHz / 2 / powers.length;
  const last = Math.min(powers.length - 2, Math.floor(PITCH_HZ.max / hz));
  let loudest = 0;
  for (let bin = Math.ceil(PITCH_HZ.min / hz); bin <= last; bin += 1)
    loudest = Math.max(loudest, powers[bin] ?? 0);
  for (let bin = Math.ceil(PITCH_HZ.min / hz); bin <= last; bin += 1) {
    const top = powers[bin] ?? 0;
    const left = powers[bin - 1] ?? 0;
    const right = powers[bin + 1] ?? 0;
    if (top < loudest * 1e-4 || top <= left || top < right) continue;
    const offset = peakOffset(Math.log(left + 1e-20), Math.log(top + 1e-20), Math.log(right + 1e-20));
    const pitch = 12 * Math.log2(((bin + offset) * hz) / 440) + 9;
    const step = Math.round(pitch * (PITCH_STEPS / 12));
    const index = ((step % PITCH_STEPS) + PITCH_STEPS) % PITCH_STEPS;
    histogram[index] = (histogram[index] ?? 0) + Math.sqrt(top / loudest);
  }
}

/** How alike the onsets are at distances from 0.15 to 2 seconds. */
function toTempogram(beats: Float32Array, rateHz: number): number[] {
  const similarity = toSimilarity(beats, Math.min(beats.length / 2, 2.2 * rateHz));
  return Array.from({ length: TEMPOGRAM_NUMBERS }, (_, index) => {
    const seconds = 0.15 * (2 / 0.15) ** (index / (TEMPOGRAM_NUMBERS - 1));
    const lag = Math.round(seconds * rateHz);
    const near = [similarity[lag - 1] ?? 0, similarity[lag] ?? 0, similarity[lag + 1] ?? 0];
    return Math.max(...near);
  });
}

/** Attack and decay in log seconds, where the middle of its energy lies, and how much its level varies in dB. */
function toDynamics(levels: readonly number[], rateHz: number): number[] {
  let top = 0;
  for (const [index, level] of levels.entries()) if (level > (levels[top] ?? 0)) top = index;
  const loudest = levels[top] ?? 0;
  let start = top;
  while (start > 0 && (levels[start - 1] ?? 0) > loudest * 0.01) start -= 1;
  let end = top;
  while (end < levels.length && (levels[end] ?? 0) > loudest * 0.01) end += 1;
  let weighted = 0;
  let total = 0;
  for (const [index, level] of levels.entries()) {
    weighted += level * index;
    total += level;
  }
  const sorted = levels.map((level) => 10 * Math.log10(level / loudest + 1e-6)).toSorted((a, b) => a - b);
  const percentile = (share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? 0;
  return [
    Math.log((top - start + 1) / rateHz),
    Math.log((end - top + 1) / rateHz),
    percentile(0.95) - percentile(0.5),
    total === 0 ? 0.5 : weighted / total / levels.length,
  ];
}

/** Clear onsets in a second. */
function toOnsetRate(beats: Float32Array, rateHz: number): number {
  const spread = Math.sqrt(beats.reduce((sum, beat) => sum + beat * beat, 0) / beats.length);
  let count = 0;
  for (const [index, beat] of beats.entries()) {
    if (beat > spread && beat > (beats[index - 1] ?? 0) && beat >= (beats[index + 1] ?? 0)) count += 1;
  }
  return count / (beats.length / rateHz);
}

function round(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}
