import { MUSICAL_KEYS } from '../../../contract/sounds/music.ts';
import type { MusicalKey } from '../../../contract/sounds/music.ts';
import { mean } from './mean.ts';

/** A key with its confidence from 0 to 1. */
export interface KeyEstimate {
  readonly key: MusicalKey;
  readonly confidence: number;
}

/** A key with less confidence is neither shown nor filtered by. */
export const KEY_CERTAIN = 0.5;

/** The pitch classes are counted in tenths of a semitone, because not all recordings are tuned to 440 Hz. */
export const PITCH_STEPS = 120;
const STEPS_A_SEMITONE = PITCH_STEPS / 12;

/**
 * How often the notes of a scale occur, from its tonic (Albrecht and Shanahan, The Use of Large Corpora to Train a New
 * Type of Key-Finding Algorithm, 2013).
 */
const MAJOR = [0.238, 0.006, 0.111, 0.006, 0.137, 0.094, 0.016, 0.214, 0.009, 0.08, 0.008, 0.081];
const MINOR = [0.22, 0.006, 0.104, 0.123, 0.019, 0.103, 0.012, 0.214, 0.062, 0.022, 0.061, 0.052];
/** With this lead over the best key of other notes, an estimate is certain. */
const CERTAIN_LEAD = 0.25;

/** Twelve shares from C upwards with a sum of 1, after correcting the tuning; all 0 without any pitch. */
export function toChroma(pitches: Float64Array): number[] {
  const total = pitches.reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return Array.from({ length: 12 }, () => 0);
  let tuning = 0;
  let best = -Infinity;
  for (let shift = -STEPS_A_SEMITONE / 2; shift < STEPS_A_SEMITONE / 2; shift += 1) {
    let centred = 0;
    for (let note = 0; note < 12; note += 1) {
      for (let off = -2; off <= 2; off += 1)
        centred += takeStep(pitches, note, shift + off) * (3 - Math.abs(off));
    }
    // Ties go to the common tuning.
    const score = centred - Math.abs(shift) * 1e-9 * total;
    if (score > best) [best, tuning] = [score, shift];
  }
  return Array.from({ length: 12 }, (_, note) => {
    let sum = 0;
    for (let off = -3; off <= 3; off += 1) sum += takeStep(pitches, note, tuning + off);
    return sum / total;
  });
}

function takeStep(pitches: Float64Array, note: number, off: number): number {
  return pitches[(note * STEPS_A_SEMITONE + off + PITCH_STEPS) % PITCH_STEPS] ?? 0;
}

/**
 * The key whose profile correlates best. Its confidence is the correlation, reduced when another key is almost as good;
 * undefined without any pitch.
 */
export function estimateKey(chroma: readonly number[]): KeyEstimate | undefined {
  const ranked = MUSICAL_KEYS.map((key, index) => ({
    key,
    fit: correlate(chroma, index < 12 ? MAJOR : MINOR, index % 12),
  })).toSorted((left, right) => right.fit - left.fit);
  const [best, second] = ranked;
  if (best === undefined || second === undefined || !(best.fit > 0)) return undefined;
  const lead = Math.min(1, (best.fit - second.fit) / CERTAIN_LEAD);
  return { key: best.key, confidence: best.fit * Math.sqrt(lead) };
}

function correlate(chroma: readonly number[], profile: readonly number[], tonic: number): number {
  const chromaMean = mean(chroma);
  const profileMean = mean(profile);
  let product = 0;
  let chromaSquares = 0;
  let profileSquares = 0;
  for (let note = 0; note < 12; note += 1) {
    const left = (chroma[(note + tonic) % 12] ?? 0) - chromaMean;
    const right = (profile[note] ?? 0) - profileMean;
    product += left * right;
    chromaSquares += left * left;
    profileSquares += right * right;
  }
  return chromaSquares === 0 ? 0 : product / Math.sqrt(chromaSquares * profileSquares);
}
