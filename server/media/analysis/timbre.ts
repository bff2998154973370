import { MEL_BANDS, createMelBands } from './mel-bands.ts';

const COEFFICIENTS = 20;
/** Of the loudness of a spectrum, below its `ROLLOFF`. */
const ROLLOFF = 0.85;
/** Powers below this are silence: −80 dBFS. */
const SILENT_POWER = 1e-8;
/** Quieter bands count as this loud, as a share of all: encoders leave them out at low bit rates. */
const FLOOR_SHARE = 1e-4;
/** Numbers of `createTimbreMeter().numbers()`. */
export const TIMBRE_NUMBERS = 3 * COEFFICIENTS + 6;
export const TIMBRE_WEIGHTS = Array.from({ length: TIMBRE_NUMBERS }, (_, index) =>
  index >= COEFFICIENTS && index < 3 * COEFFICIENTS ? 0.7 : 1,
);

/** What power spectra sound like, independent of their level: summed up as they arrive. */
export function createTimbreMeter(rateHz: number, spectrumBins: number) {
  const toMel = createMelBands(rateHz, spectrumBins);
  const cosines = Float64Array.from({ length: COEFFICIENTS * MEL_BANDS }, (_, index) => {
    const coefficient = Math.floor(index / MEL_BANDS) + 1;
    return Math.cos((Math.PI * coefficient * ((index % MEL_BANDS) + 0.5)) / MEL_BANDS);
  });
  const logs = new Float64Array(MEL_BANDS);
  const levels = new Float64Array(MEL_BANDS);
  const current = new Float64Array(COEFFICIENTS);
  const previous = new Float64Array(COEFFICIENTS);
  const sums = new Float64Array(COEFFICIENTS);
  const squares = new Float64Array(COEFFICIENTS);
  const changes = new Float64Array(COEFFICIENTS);
  const shapeSums = new Float64Array(3);
  const shapeSquares = new Float64Array(3);
  let spectra = 0;
  let heard = 0;
  let audible = 0;

  function takeLevels(): number {
    let rise = 0;
    for (let band = 0; band < MEL_BANDS; band += 1) {
      const level = Math.log((logs[band] ?? 0) + SILENT_POWER);
      if (spectra > 0) rise += Math.max(0, level - (levels[band] ?? 0));
      levels[band] = level;
    }
    return Number.isFinite(rise) ? rise / MEL_BANDS : 0;
  }

  function takeShape(powers: Float32Array, power: number): void {
    let weighted = 0;
    let below = 0;
    let rolloff = 0;
    for (let bin = 1; bin < powers.length; bin += 1) {
      const size = powers[bin] ?? 0;
      weighted += size * bin;
      if (below < ROLLOFF * power) rolloff = bin;
      below += size;
    }
    let bands = 0;
    let logSum = 0;
    for (const log of logs) {
      bands += Math.exp(log);
      logSum += log;
    }
    const hz = rateHz / 2 / powers.length;
    const values = [
      Math.log((weighted / power) * hz + 20),
      Math.log(rolloff * hz + 20),
      logSum / MEL_BANDS - Math.log(bands / MEL_BANDS),
    ];
    for (let index = 0; index < values.length; index += 1) {
      const value = values[index] ?? 0;
      shapeSums[index] = (shapeSums[index] ?? 0) + value;
      shapeSquares[index] = (shapeSquares[index] ?? 0) + value * value;
    }
  }

  function takeCoefficients(): void {
    for (let coefficient = 0; coefficient < COEFFICIENTS; coefficient += 1) {
      let value = 0;
      for (let band = 0; band < MEL_BANDS; band += 1) {
        value += (logs[band] ?? 0) * (cosines[coefficient * MEL_BANDS + band] ?? 0);
      }
      value /= MEL_BANDS;
      current[coefficient] = value;
      sums[coefficient] = (sums[coefficient] ?? 0) + value;
      squares[coefficient] = (squares[coefficient] ?? 0) + value * value;
      if (audible > 0) {
        changes[coefficient] = (changes[coefficient] ?? 0) + Math.abs(value - (previous[coefficient] ?? 0));
      }
    }
    previous.set(current);
  }

  return {
    /** Returns how much louder its bands are than those of the spectrum before: where sounds begin, it is high. */
    add(powers: Float32Array): number {
      toMel(powers, logs);
      let power = 0;
      for (let bin = 1; bin < powers.length; bin += 1) power += powers[bin] ?? 0;
      const onset = takeLevels();
      spectra += 1;
      if (power >= SILENT_POWER) heard += 1;
      // Every other one is enough for the timbre.
      if (spectra % 2 === 0 || power < SILENT_POWER || !Number.isFinite(power)) return onset;
      for (let band = 0; band < MEL_BANDS; band += 1) {
        logs[band] = Math.log((logs[band] ?? 0) + power * FLOOR_SHARE);
      }
      takeShape(powers, power);
      takeCoefficients();
      audible += 1;
      return onset;
    },
    /** The share of spectra that are not silent. */
    audibleShare: () => heard / Math.max(1, spectra),
    /** Mean, spread and change of the cepstral coefficients; mean and spread of centroid, rolloff and flatness. */
    numbers(): number[] {
      const count = Math.max(1, audible);
      return [
        ...sums.map((sum) => sum / count),
        ...squares.map((square, index) => spread(square, sums[index] ?? 0, count)),
        ...changes.map((change) => change / count),
        ...shapeSums.map((sum) => sum / count),
        ...shapeSquares.map((square, index) => spread(square, shapeSums[index] ?? 0, count)),
      ];
    },
  };
}

function spread(squares: number, sum: number, count: number): number {
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
}
