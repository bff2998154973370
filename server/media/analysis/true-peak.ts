/** The true peak according to ITU-R BS.1770-4, annex 2: of the sound at four times its sample rate. */
export interface TruePeakMeter {
  /** Processes the next samples of every channel. */
  add(channels: readonly Float32Array[]): void;
  /** dBTP of the loudest channel; null for digital silence. */
  finish(): number | null;
}

const TAPS = 16;
/** A sample is between these taps; three points after it are interpolated. */
const CENTRE = TAPS / 2 - 1;
const POINTS = [0.25, 0.5, 0.75].map(toTaps);
/** No interpolated point exceeds the largest sample around it by more. */
const GROWTH_MAX = Math.max(...POINTS.map((taps) => taps.reduce((sum, tap) => sum + Math.abs(tap), 0)));
/** +12 dBFS. The decoder may produce more, or NaN, for a damaged frame only. */
export const SOUND_MAX = 4;

export function createTruePeakMeter(): TruePeakMeter {
  /** Samples of each channel whose successors are still to come: a block and a part of one, of `TAPS` samples each. */
  const history: Float32Array[] = [];
  let peak = 0;

  function measure(samples: Float32Array, before: Float32Array): Float32Array {
    const input = new Float32Array(before.length + samples.length);
    input.set(before);
    input.set(samples, before.length);
    let top = takeBlock(input, 0);
    let from = 0;
    for (; from + 2 * TAPS <= input.length; from += TAPS) {
      const next = takeBlock(input, from + TAPS);
      if (next > peak) peak = next;
      // Most blocks are too quiet to matter.
      if (Math.max(top, next) * GROWTH_MAX > peak) peak = interpolate(input, from, peak);
      top = next;
    }
    return input.slice(from);
  }

  return {
    add(channels) {
      for (const [index, samples] of channels.entries()) {
        history[index] = measure(samples, history[index] ?? new Float32Array(TAPS));
      }
    },
    finish() {
      for (const before of history) measure(new Float32Array(2 * TAPS), before);
      return peak === 0 ? null : 20 * Math.log10(peak);
    },
  };
}

/** The largest sample of a block, from which those of damaged frames are removed. */
function takeBlock(input: Float32Array, from: number): number {
  let top = 0;
  for (let at = from; at < from + TAPS; at += 1) {
    const sample = Math.abs(input[at] ?? 0);
    if (sample <= top) continue;
    if (sample < SOUND_MAX) top = sample;
    else input[at] = 0;
  }
  return top;
}

/** The largest of the points between the samples of a block, or `peak` if that is larger. */
function interpolate(input: Float32Array, from: number, peak: number): number {
  const [quarter, half, threeQuarters] = POINTS as [Float64Array, Float64Array, Float64Array];
  let top = peak;
  for (let at = from; at < from + TAPS; at += 1) {
    let one = 0;
    let two = 0;
    let three = 0;
    for (let tap = 0; tap < TAPS; tap += 1) {
      const sample = input[at + tap] ?? 0;
      one += (quarter[tap] ?? 0) * sample;
      two += (half[tap] ?? 0) * sample;
      three += (threeQuarters[tap] ?? 0) * sample;
    }
    top = Math.max(top, Math.abs(one), Math.abs(two), Math.abs(three));
  }
  return top;
}

/** A windowed sinc for the point this share of a sample after the centre; its taps have a sum of 1. */
function toTaps(share: number): Float64Array {
  const taps = Float64Array.from({ length: TAPS }, (_, tap) => {
    const x = tap - CENTRE - share;
    const window = Math.cos((Math.PI * x) / (TAPS + 1)) ** 2;
    return (Math.sin(Math.PI * x) / (Math.PI * x)) * window;
  });
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => tap / sum);
}
