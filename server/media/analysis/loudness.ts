import { mean } from './mean.ts';

/** Loudness according to ITU-R BS.1770-4 as used by EBU R 128: K-weighted, in overlapping blocks, gated twice. */
export interface LoudnessMeter {
  /** Processes the next 100 ms of every channel. */
  add(channels: readonly Float32Array[]): void;
  /** LUFS; null for a sound shorter than one block, or nowhere louder than the absolute gate. */
  integrated(): number | null;
}

/** A block is 400 ms and overlaps the next by 75 %: four steps of 100 ms. */
const STEPS_A_BLOCK = 4;
const ABSOLUTE_GATE_LUFS = -70;
const RELATIVE_GATE_LU = -10;
/** BS.1770-4 equation 2: compensates for the gain of the weighting at 997 Hz. */
const OFFSET = -0.691;
/** BS.1770-4 table 3: channels beside and behind the listener have a weight of 1.41, low-frequency effects of 0. */
const SURROUND = 1.41;
/**
 * Weights by AAC channel configuration (ISO 14496-3 table 1.19), in the decoder's order: it puts 3 to 6 in WAV order
 * (L R C LFE Ls Rs) and leaves 7 in stream order (C L R … LFE). The rear pair of 7.1 counts as FFmpeg counts it.
 */
const WEIGHTS: Readonly<Record<number, readonly number[]>> = {
  4: [1, 1, 1, SURROUND],
  5: [1, 1, 1, SURROUND, SURROUND],
  6: [1, 1, 1, 0, SURROUND, SURROUND],
  7: [1, 1, 1, SURROUND, SURROUND, SURROUND, SURROUND, 0],
};
/** Configuration 0 is a layout defined in the file: by number of channels, in FFmpeg's WAV order. */
const OWN_LAYOUT_WEIGHTS: Readonly<Record<number, readonly number[]>> = {
  3: [1, 1, 0],
  4: [1, 1, SURROUND, SURROUND],
  5: [1, 1, 1, SURROUND, SURROUND],
  6: [1, 1, 1, 0, SURROUND, SURROUND],
  7: [1, 1, 1, 0, SURROUND, SURROUND, SURROUND],
  8: [1, 1, 1, 0, SURROUND, SURROUND, SURROUND, SURROUND],
};
/** Small filter states are flushed to zero, because denormal numbers slow the processor down. */
const NOTHING = 1e-30;

/** `configuration` is the file's AAC channel configuration; 1 and 2 also mean mono and stereo MP3. */
export function createLoudnessMeter(sampleRateHz: number, configuration: number): LoudnessMeter {
  const filters: ((samples: Float32Array) => number)[] = [];
  /** Mean squares of the steps, summed over the weighted channels. */
  const steps: number[] = [];
  return {
    add(channels) {
      const weights = configuration === 0 ? OWN_LAYOUT_WEIGHTS[channels.length] : WEIGHTS[configuration];
      let power = 0;
      for (const [index, samples] of channels.entries()) {
        const weight = weights?.[index] ?? 1;
        if (weight > 0) power += weight * (filters[index] ??= createWeighting(sampleRateHz))(samples);
      }
      steps.push(power);
    },
    integrated() {
      const blocks = toBlocks(steps).filter((power) => toLufs(power) > ABSOLUTE_GATE_LUFS);
      if (blocks.length === 0) return null;
      const gate = toLufs(mean(blocks)) + RELATIVE_GATE_LU;
      return toLufs(mean(blocks.filter((power) => toLufs(power) > gate)));
    },
  };
}

function toBlocks(steps: readonly number[]): number[] {
  const blocks: number[] = [];
  for (let last = STEPS_A_BLOCK; last <= steps.length; last += 1) {
    blocks.push(mean(steps.slice(last - STEPS_A_BLOCK, last)));
  }
  return blocks;
}

function toLufs(power: number): number {
  return OFFSET + 10 * Math.log10(power);
}

/** K-weights consecutive samples of one channel, and returns the mean square of each run. */
function createWeighting(sampleRateHz: number): (samples: Float32Array) => number {
  const { b0, b1, b2, a1, a2 } = toHighShelf(sampleRateHz);
  const pass = toHighPass(sampleRateHz);
  const c1 = pass.a1;
  const c2 = pass.a2;
  const state = new Float64Array(4);
  return (samples) => {
    // Local variables are several times as fast.
    let [s1 = 0, s2 = 0, p1 = 0, p2 = 0] = state;
    let sum = 0;
    // Both filters in transposed direct form II.
    for (let index = 0; index < samples.length; index += 1) {
      const sample = samples[index] ?? 0;
      const bright = b0 * sample + s1;
      s1 = b1 * sample - a1 * bright + s2;
      s2 = b2 * sample - a2 * bright;
      const weighted = bright + p1;
      p1 = p2 - 2 * bright - c1 * weighted;
      p2 = bright - c2 * weighted;
      sum += weighted * weighted;
    }
    state.set([flush(s1), flush(s2), flush(p1), flush(p2)]);
    // The decoder may produce NaN for a damaged frame, which must not affect the rest.
    return Number.isFinite(sum) ? sum / samples.length : 0;
  };
}

function flush(value: number): number {
  return Math.abs(value) > NOTHING && Number.isFinite(value) ? value : 0;
}

/**
 * BS.1770-4 lists coefficients for 48 kHz only; these are the underlying analogue filters, warped to any rate. At 48
 * kHz they yield the listed ones.
 */
function toHighShelf(sampleRateHz: number) {
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRateHz);
  const q = 0.7071752369554196;
  const high = 10 ** (3.999843853973347 / 20);
  const band = high ** 0.4996667741545416;
  const a0 = 1 + k / q + k * k;
  return {
    b0: (high + (band * k) / q + k * k) / a0,
    b1: (2 * (k * k - high)) / a0,
    b2: (high - (band * k) / q + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / q + k * k) / a0,
  };
}

function toHighPass(sampleRateHz: number) {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRateHz);
  const q = 0.5003270373238773;
  const a0 = 1 + k / q + k * k;
  return { a1: (2 * (k * k - 1)) / a0, a2: (1 - k / q + k * k) / a0 };
}
