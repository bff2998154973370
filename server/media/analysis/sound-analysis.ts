import { PEAK_BARS } from '../../../contract/sounds/peaks.ts';
import type { SoundFindings } from '../../../contract/sounds/sound-findings.ts';
import { CLIPPED, createClipDetector } from './clipping.ts';
import { ENVELOPE_MS, isTailCut } from './cut-tail.ts';
import { createLoudnessMeter } from './loudness.ts';
import { createFeatureMeter } from './sound-features.ts';
import type { SoundFeatures } from './sound-features.ts';
import { SOUND_MAX, createTruePeakMeter } from './true-peak.ts';

/** The channels according to a sound file's header. */
export interface Channels {
  /** 2 for two or more; the decoder merges two identical channels into one. */
  readonly count: 1 | 2;
  /** AAC channel configuration (ISO 14496-3 table 1.19); 1 or 2 for an MP3, 0 for a layout defined in the file. */
  readonly configuration: number;
}

export interface SoundAnalysis {
  /** `PEAK_BARS` numbers, the loudest 1; all 0 for silence. */
  readonly peaks: number[];
  readonly findings: SoundFindings;
  /** Null for silence. */
  readonly features: SoundFeatures | null;
}

/** Sound is processed in hops of 100 ms, for loudness, and drawn in steps of about 3 ms. */
const HOPS_A_SECOND = 10;
const STEPS_A_HOP = 32;
const STEP_MS = 1000 / HOPS_A_SECOND / STEPS_A_HOP;
const ENVELOPE_STEPS = Math.ceil(ENVELOPE_MS / STEP_MS);
/** −60 dBFS: anything quieter at the start counts as silence. */
const AUDIBLE = 0.001;
/** Encoders insert this much at the start of many MP3 files: not reported. */
const DELAY_MS_MAX = 50;

/**
 * Measures a sound while it is decoded; the whole sound is never in memory. The decoder may deliver one channel for a
 * file with two identical ones.
 */
export function createSoundAnalysis(sampleRateHz: number, { count, configuration }: Channels) {
  const hopSamples = Math.round(sampleRateHz / HOPS_A_SECOND);
  const hop = Array.from({ length: count }, () => new Float32Array(hopSamples));
  const loudness = createLoudnessMeter(sampleRateHz, configuration);
  const truePeak = createTruePeakMeter();
  const clipping = createClipDetector(sampleRateHz);
  const features = createFeatureMeter(sampleRateHz);
  const peaks: number[] = [];
  const head: number[] = [];
  const tail: number[] = [];
  let loudest = 0;
  /** The first audible sample. */
  let onset: number | undefined;
  let filled = 0;
  let taken = 0;

  function takeHop(): void {
    const channels = filled === hopSamples ? hop : hop.map((samples) => samples.subarray(0, filled));
    let top = 0;
    for (let step = 0; step < STEPS_A_HOP; step += 1) {
      const from = Math.floor((step * hopSamples) / STEPS_A_HOP);
      const to = Math.min(filled, Math.floor(((step + 1) * hopSamples) / STEPS_A_HOP));
      if (to > from) top = Math.max(top, takeStep(channels, from, to));
    }
    if (top >= CLIPPED) clipping.add(channels, taken);
    else clipping.pass();
    if (onset === undefined && top >= AUDIBLE) onset = taken + findAudible(channels);
    if (filled === hopSamples) loudness.add(channels);
    truePeak.add(channels);
    taken += filled;
    filled = 0;
    tail.splice(0, tail.length - ENVELOPE_STEPS);
  }

  function takeStep(channels: readonly Float32Array[], from: number, to: number): number {
    let top = 0;
    let sum = 0;
    for (const samples of channels) {
      for (let index = from; index < to; index += 1) {
        const sample = samples[index] ?? 0;
        const size = sample < 0 ? -sample : sample;
        if (size > top) {
          if (size >= SOUND_MAX) {
            samples[index] = 0;
            continue;
          }
          top = size;
        }
        sum += sample * sample;
      }
    }
    peaks.push(top);
    const power = sum / ((to - from) * channels.length) || 0;
    if (power > loudest) loudest = power;
    if (head.length < ENVELOPE_STEPS) head.push(power);
    tail.push(power);
    return top;
  }

  return {
    add(channelData: readonly Float32Array[]): void {
      const [first] = channelData;
      if (first === undefined) return;
      features.add(channelData);
      while (hop.length < channelData.length) hop.push(new Float32Array(hopSamples));
      for (let at = 0; at < first.length;) {
        const end = Math.min(first.length, at + hopSamples - filled);
        for (const [index, samples] of hop.entries()) {
          samples.set((channelData[index] ?? first).subarray(at, end), filled);
        }
        filled += end - at;
        at = end;
        if (filled === hopSamples) takeHop();
      }
    },
    /** Null if there was no sample. */
    finish(): SoundAnalysis | null {
      if (filled > 0) takeHop();
      if (peaks.length === 0) return null;
      const silentMs = Math.round(((onset ?? taken) * 1000) / sampleRateHz);
      const lufs = loudness.integrated();
      const dbtp = truePeak.finish();
      return {
        peaks: toBars(peaks),
        findings: {
          silent_head_ms: silentMs > DELAY_MS_MAX ? silentMs : 0,
          is_silent: onset === undefined,
          ...clipping.clips(),
          is_tail_cut: isTailCut({ stepMs: STEP_MS, head, tail, loudest, sampleRateHz }),
          loudness_lufs: lufs === null ? null : Math.round(lufs * 10) / 10,
          // Rounded up, so that no sound exceeds it.
          true_peak_dbtp: dbtp === null ? null : Math.ceil(dbtp * 10) / 10,
        },
        features: features.finish(),
      };
    },
  };
}

function findAudible(channels: readonly Float32Array[]): number {
  const found = channels.map((samples) => samples.findIndex((sample) => Math.abs(sample) >= AUDIBLE));
  return Math.min(...found.filter((index) => index !== -1));
}

/** Combines the steps into bars, scaled so that the loudest is 1; silence stays 0. */
function toBars(steps: readonly number[]): number[] {
  const bars = Array.from({ length: PEAK_BARS }, (_, bar) => {
    const start = Math.floor((bar * steps.length) / PEAK_BARS);
    const end = Math.max(start + 1, Math.floor(((bar + 1) * steps.length) / PEAK_BARS));
    return steps.slice(start, end).reduce((loudest, step) => Math.max(loudest, step), 0);
  });
  const top = Math.max(...bars);
  return top === 0 ? bars : bars.map((bar) => bar / top);
}
