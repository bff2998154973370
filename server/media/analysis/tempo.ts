/** A tempo with its confidence from 0 to 1. */
export interface TempoEstimate {
  readonly bpm: number;
  readonly confidence: number;
}

/** A tempo with less confidence is neither shown nor filtered by. */
export const BPM_CERTAIN = 0.6;

const SLOWEST = 45;
const FASTEST = 220;
/** Of two tempos that fit equally well, such as half and double, the one nearer to this is taken. */
const USUAL_BPM = 115;
const USUAL_OCTAVES = 0.65;
/** Most beats divide into halves: onsets half a beat apart make a tempo more likely. */
const HALF_BEAT_WEIGHT = 0.2;
/** Ratio of neighbouring candidates. */
const CANDIDATE_RATIO = 1.004;
/** Weights of one to four beats. */
const BEAT_WEIGHTS = [1, 0.8, 0.8, 0.8];
/** Beats across which the tempo is measured exactly. */
const EXACT_BEATS = [4, 8, 16];
/** Shorter sounds have no tempo. */
const SECONDS_MIN = 6;
const PART_SECONDS = 12;
/** Tempos of the parts of a sound that differ by less count as the same. */
const SAME_TEMPO = 0.04;

/** The tempo of `onsets`, which say how much sound begins at each of `rateHz` moments in a second. */
export function estimateTempo(onsets: Float32Array, rateHz: number): TempoEstimate | undefined {
  if (onsets.length < SECONDS_MIN * rateHz) return undefined;
  const beats = toBeats(onsets, rateHz);
  const whole = toSimilarity(beats, Math.min(beats.length / 2, (16.5 * 60 * rateHz) / SLOWEST));
  const found = findTempo(whole, rateHz);
  if (found === undefined) return undefined;
  const bpm = refine(whole, found.bpm, rateHz);
  const periodicity = Math.max(0, Math.min(1, found.strength));
  return { bpm, confidence: Math.sqrt(periodicity * measureAgreement(beats, rateHz, bpm)) };
}

/** How strongly the onsets are alike at each distance: 1 at none, 0 on average. */
export function toSimilarity(beats: Float32Array, lags: number): Float32Array {
  const similarity = new Float32Array(Math.max(1, Math.floor(lags)));
  let scale = 0;
  for (let lag = 0; lag < similarity.length; lag += 1) {
    let sum = 0;
    for (let at = lag; at < beats.length; at += 1) sum += (beats[at] ?? 0) * (beats[at - lag] ?? 0);
    const level = sum / (beats.length - lag);
    if (lag === 0) scale = level;
    similarity[lag] = scale > 0 ? level / scale : 0;
  }
  return similarity;
}

/** Onsets relative to those around them, smoothed so that swung or imprecise beats still correlate; their mean is 0. */
export function toBeats(onsets: Float32Array, rateHz: number): Float32Array {
  const reach = Math.round(rateHz / 2);
  const sums = new Float64Array(onsets.length + 1);
  for (let at = 0; at < onsets.length; at += 1) sums[at + 1] = (sums[at] ?? 0) + (onsets[at] ?? 0);
  const sharp = onsets.map((onset, at) => {
    const from = Math.max(0, at - reach);
    const to = Math.min(onsets.length, at + reach + 1);
    return Math.max(0, onset - ((sums[to] ?? 0) - (sums[from] ?? 0)) / (to - from));
  });
  const smooth = sharp.map((onset, at) => onset / 2 + (sharp[at - 1] ?? 0) / 4 + (sharp[at + 1] ?? 0) / 4);
  const mean = smooth.reduce((sum, onset) => sum + onset, 0) / smooth.length;
  return smooth.map((onset) => onset - mean);
}

function findTempo(similarity: Float32Array, rateHz: number): { bpm: number; strength: number } | undefined {
  let best: { readonly bpm: number; readonly strength: number; readonly score: number } | undefined;
  for (let bpm = SLOWEST; bpm <= FASTEST; bpm *= CANDIDATE_RATIO) {
    const lag = (60 * rateHz) / bpm;
    let sum = 0;
    let weights = 0;
    for (const [index, weight] of BEAT_WEIGHTS.entries()) {
      if ((index + 1) * lag >= similarity.length - 2) break;
      sum += weight * interpolate(similarity, (index + 1) * lag);
      weights += weight;
    }
    if (weights === 0) continue;
    const strength = sum / weights;
    const octaves = Math.log2(bpm / USUAL_BPM) / USUAL_OCTAVES;
    const halves = Math.max(0, interpolate(similarity, lag / 2));
    const score = (strength + HALF_BEAT_WEIGHT * halves) * Math.exp(-0.5 * octaves * octaves);
    if (best === undefined || score > best.score) best = { bpm, strength, score };
  }
  return best !== undefined && best.score > 0 ? best : undefined;
}

/** The tempo nearby that fits best over many beats, to a tenth. */
function refine(similarity: Float32Array, coarse: number, rateHz: number): number {
  let bpm = coarse;
  for (const beats of EXACT_BEATS) {
    const lag = (beats * 60 * rateHz) / bpm;
    const reach = Math.max(2, lag * (beats === EXACT_BEATS[0] ? 0.012 : 0.006));
    if (lag + reach + 1 >= similarity.length) break;
    let top = Math.round(lag - reach);
    for (let near = top; near <= lag + reach; near += 1) {
      if ((similarity[near] ?? 0) > (similarity[top] ?? 0)) top = near;
    }
    const offset = peakOffset(similarity[top - 1] ?? 0, similarity[top] ?? 0, similarity[top + 1] ?? 0);
    bpm = (beats * 60 * rateHz) / (top + offset);
  }
  return Math.round(bpm * 10) / 10;
}

/** The share of parts of the sound with the same tempo, or half or double. */
function measureAgreement(beats: Float32Array, rateHz: number, bpm: number): number {
  const length = Math.round(PART_SECONDS * rateHz);
  if (beats.length < 2 * length) return 1;
  let parts = 0;
  let same = 0;
  for (let start = 0; start + length <= beats.length; start += length) {
    const part = toSimilarity(beats.subarray(start, start + length), length / 2);
    const octaves = Math.log2((findTempo(part, rateHz)?.bpm ?? 1) / bpm);
    parts += 1;
    if (Math.abs(octaves - Math.round(octaves)) < SAME_TEMPO && Math.abs(octaves) < 1.5) same += 1;
  }
  return same / parts;
}

function interpolate(values: Float32Array, position: number): number {
  const low = Math.floor(position);
  const share = position - low;
  return (values[low] ?? 0) * (1 - share) + (values[low + 1] ?? 0) * share;
}

/** The distance of the top of a parabola through three neighbouring values from the middle one. */
export function peakOffset(left: number, top: number, right: number): number {
  const bend = left - 2 * top + right;
  return bend < 0 ? Math.max(-0.5, Math.min(0.5, (0.5 * (left - right)) / bend)) : 0;
}
