/**
 * Power spectra of real samples by a radix-2 transform: `size` is a power of two, and each spectrum has `size / 2` bins,
 * written to the same array every time. The last `length` samples are weighted by a Hann window, those before by 0; the
 * power of noise is the same for any length.
 */
export function createPowerSpectrum(size: number, length = size): (samples: Float32Array) => Float32Array {
  const half = size / 2;
  const scale = Math.sqrt(size / length) / 2;
  const window = Float32Array.from({ length: size }, (_, at) => {
    const index = at - (size - length);
    return index < 0 ? 0 : scale * (1 - Math.cos((2 * Math.PI * index) / length));
  });
  const cosines = Float64Array.from({ length: half }, (_, at) => Math.cos((2 * Math.PI * at) / size));
  const sines = Float64Array.from({ length: half }, (_, at) => -Math.sin((2 * Math.PI * at) / size));
  const reversedIndexes = toReversedBits(half);
  const re = new Float64Array(half);
  const im = new Float64Array(half);
  const powers = new Float32Array(half);

  function transform(): void {
    for (let width = 2; width <= half; width *= 2) {
      const reach = width / 2;
      const stride = size / width;
      for (let start = 0; start < half; start += width) {
        for (let step = 0; step < reach; step += 1) {
          const even = start + step;
          const odd = even + reach;
          const cos = cosines[step * stride] ?? 0;
          const sin = sines[step * stride] ?? 0;
          const oddRe = re[odd] ?? 0;
          const oddIm = im[odd] ?? 0;
          const turnedRe = oddRe * cos - oddIm * sin;
          const turnedIm = oddRe * sin + oddIm * cos;
          const evenRe = re[even] ?? 0;
          const evenIm = im[even] ?? 0;
          re[even] = evenRe + turnedRe;
          im[even] = evenIm + turnedIm;
          re[odd] = evenRe - turnedRe;
          im[odd] = evenIm - turnedIm;
        }
      }
    }
  }

  return (samples) => {
    // Even samples are the real part and odd ones the imaginary part of a transform of half the size.
    for (let at = 0; at < half; at += 1) {
      const index = reversedIndexes[at] ?? 0;
      re[index] = (samples[2 * at] ?? 0) * (window[2 * at] ?? 0);
      im[index] = (samples[2 * at + 1] ?? 0) * (window[2 * at + 1] ?? 0);
    }
    transform();
    for (let bin = 0; bin < half; bin += 1) {
      const mirror = bin === 0 ? 0 : half - bin;
      const evenRe = ((re[bin] ?? 0) + (re[mirror] ?? 0)) / 2;
      const evenIm = ((im[bin] ?? 0) - (im[mirror] ?? 0)) / 2;
      const oddRe = ((im[bin] ?? 0) + (im[mirror] ?? 0)) / 2;
      const oddIm = ((re[mirror] ?? 0) - (re[bin] ?? 0)) / 2;
      const cos = cosines[bin] ?? 0;
      const sin = sines[bin] ?? 0;
      const real = evenRe + oddRe * cos - oddIm * sin;
      const imaginary = evenIm + oddRe * sin + oddIm * cos;
      powers[bin] = (real * real + imaginary * imaginary) / (half * half);
    }
    return powers;
  };
}

function toReversedBits(size: number): Uint32Array {
  const reversedIndexes = new Uint32Array(size);
  for (let at = 1; at < size; at += 1) {
    reversedIndexes[at] = ((reversedIndexes[at >> 1] ?? 0) >> 1) | ((at & 1) * (size / 2));
  }
  return reversedIndexes;
}
