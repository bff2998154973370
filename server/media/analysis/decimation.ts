const TARGET_HZ = 22_050;
const TAPS_A_STEP = 8;

/** Mixes channels to one and reduces the sample rate to less than 44,100 Hz by a whole number, without aliasing. */
export function createDecimator(sampleRateHz: number) {
  const factor = Math.max(1, Math.floor(sampleRateHz / TARGET_HZ));
  const taps = factor === 1 ? Float64Array.of(1) : toLowPass(factor);
  /** The last samples of the piece before. */
  let remainder = new Float32Array(taps.length - 1);
  /** Of the next result in the next piece. */
  let offset = 0;
  return {
    rateHz: sampleRateHz / factor,
    add(channels: readonly Float32Array[]): Float32Array {
      const length = channels[0]?.length ?? 0;
      const input = new Float32Array(remainder.length + length);
      input.set(remainder);
      const start = remainder.length;
      const share = 1 / channels.length;
      for (const samples of channels) {
        for (let at = 0; at < length; at += 1) {
          const sample = (samples[at] ?? 0) * share;
          // The decoder may produce NaN or huge values for a damaged frame.
          if (sample > -16 && sample < 16) input[start + at] = (input[start + at] ?? 0) + sample;
        }
      }
      const output = new Float32Array(Math.max(0, Math.ceil((length - offset) / factor)));
      for (let at = 0; at < output.length; at += 1) {
        const from = offset + at * factor;
        let sum = 0;
        for (let tap = 0; tap < taps.length; tap += 1) sum += (taps[tap] ?? 0) * (input[from + tap] ?? 0);
        output[at] = sum;
      }
      offset += output.length * factor - length;
      remainder = input.slice(input.length - remainder.length);
      return output;
    },
  };
}

/** A windowed sinc with its cut-off a little below half of the new rate; its taps have a sum of 1. */
function toLowPass(factor: number): Float64Array {
  const length = TAPS_A_STEP * factor;
  const taps = Float64Array.from({ length }, (_, tap) => {
    const x = tap - (length - 1) / 2;
    const angle = (Math.PI * x * 0.9) / factor;
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * (tap + 0.5)) / length);
    return (angle === 0 ? 1 : Math.sin(angle) / angle) * window;
  });
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => tap / sum);
}
