/** Number of bands. They have equal widths on the mel scale, and their triangles overlap by half. */
export const MEL_BANDS = 40;
const LOWEST_HZ = 40;
/** Encoders remove what is above 10 kHz at low bit rates, and thin out what is a little below. */
const HIGHEST_HZ = 8_000;

/** A function that writes the power of each band. Bands above half the sample rate stay 0. */
export function createMelBands(
  rateHz: number,
  spectrumBins: number,
): (powers: Float32Array, bands: Float64Array) => void {
  const edges = Array.from({ length: MEL_BANDS + 2 }, (_, edge) => {
    const mel = toMel(LOWEST_HZ) + (edge / (MEL_BANDS + 1)) * (toMel(HIGHEST_HZ) - toMel(LOWEST_HZ));
    return (toHz(mel) / (rateHz / 2)) * spectrumBins;
  });
  const triangles = Array.from({ length: MEL_BANDS }, (_, band) => {
    const [left = 0, top = 0, right = 0] = edges.slice(band, band + 3);
    const first = Math.max(1, Math.ceil(left));
    const last = Math.min(spectrumBins - 1, Math.floor(right));
    const weights = Array.from({ length: Math.max(0, last - first + 1) }, (_bin, index) => {
      const bin = first + index;
      return bin <= top ? (bin - left) / (top - left) : (right - bin) / (right - top);
    });
    // Narrower than a bin.
    if (weights.length === 0 && Math.round(top) < spectrumBins)
      return { first: Math.round(top), weights: [1] };
    return { first, weights };
  });
  return (powers, bands) => {
    for (const [band, { first, weights }] of triangles.entries()) {
      let sum = 0;
      for (let index = 0; index < weights.length; index += 1) {
        sum += (weights[index] ?? 0) * (powers[first + index] ?? 0);
      }
      bands[band] = sum;
    }
  };
}

function toMel(hz: number): number {
  return 2595 * Math.log10(1 + hz / 700);
}

function toHz(mel: number): number {
  return 700 * (10 ** (mel / 2595) - 1);
}
