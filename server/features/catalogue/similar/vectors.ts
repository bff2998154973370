import { FEATURE_NUMBERS, FEATURE_WEIGHTS } from '../../../media/analysis/sound-features.ts';
import { toEigenvectors } from './eigenvectors.ts';

/** Numbers of a vector, each of one byte. */
export const VECTOR_NUMBERS = 48;
/** A single odd number must not outweigh all others. In standard deviations. */
const DEVIATION_MAX = 4;

/** How the sounds of a type vary: what their vectors are made with. */
export interface SimilarityModel {
  readonly means: Float32Array;
  /** Times `FEATURE_WEIGHTS`; 0 for a number that is the same for all sounds. */
  readonly inverseDeviations: Float32Array;
  /** `VECTOR_NUMBERS` rows of `FEATURE_NUMBERS`, those along which sounds vary most first. */
  readonly axes: Float32Array;
}

/** Finds the model of sounds that are added one by one; memory does not grow with them. */
export function createFitter() {
  const sums = new Float64Array(FEATURE_NUMBERS);
  const products = new Float64Array(FEATURE_NUMBERS * FEATURE_NUMBERS);
  /** The first sound, subtracted from all: keeps the sums precise. */
  let origin: Float32Array | undefined;
  const shifted = new Float64Array(FEATURE_NUMBERS);
  let count = 0;
  return {
    add(numbers: Float32Array): void {
      origin ??= Float32Array.from(numbers);
      count += 1;
      for (let row = 0; row < FEATURE_NUMBERS; row += 1) {
        const value = (numbers[row] ?? 0) - (origin[row] ?? 0);
        shifted[row] = value;
        sums[row] = (sums[row] ?? 0) + value;
        const at = row * FEATURE_NUMBERS;
        for (let column = 0; column <= row; column += 1) {
          products[at + column] = (products[at + column] ?? 0) + value * (shifted[column] ?? 0);
        }
      }
    },
    finish(): SimilarityModel {
      const mean = (row: number) => (sums[row] ?? 0) / Math.max(1, count);
      const covariance = (row: number, column: number) =>
        (products[Math.max(row, column) * FEATURE_NUMBERS + Math.min(row, column)] ?? 0) /
          Math.max(1, count) -
        mean(row) * mean(column);
      const numbers = Array.from({ length: FEATURE_NUMBERS }, (_, row) => row);
      const inverses = numbers.map((row) => {
        const variance = covariance(row, row);
        return variance > 1e-10 ? (FEATURE_WEIGHTS[row] ?? 1) / Math.sqrt(variance) : 0;
      });
      const correlations = Float64Array.from({ length: products.length }, (_, index) => {
        const row = Math.floor(index / FEATURE_NUMBERS);
        const column = index % FEATURE_NUMBERS;
        return covariance(row, column) * (inverses[row] ?? 0) * (inverses[column] ?? 0);
      });
      return {
        means: Float32Array.from(numbers, (row) => mean(row) + (origin?.[row] ?? 0)),
        inverseDeviations: Float32Array.from(inverses),
        axes: toEigenvectors(correlations, FEATURE_NUMBERS).subarray(0, VECTOR_NUMBERS * FEATURE_NUMBERS),
      };
    },
  };
}

/** Writes the vector of a sound, scaled to bytes: only the direction of a vector matters. */
export function writeVector(
  { means, inverseDeviations, axes }: SimilarityModel,
  numbers: Float32Array,
  vector: Int8Array,
): void {
  const deviations = numbers.map((value, index) => {
    const deviation = (value - (means[index] ?? 0)) * (inverseDeviations[index] ?? 0);
    return Math.max(-DEVIATION_MAX, Math.min(DEVIATION_MAX, deviation));
  });
  const projected = Float64Array.from({ length: VECTOR_NUMBERS }, (_, axis) => {
    let sum = 0;
    for (let index = 0; index < FEATURE_NUMBERS; index += 1) {
      sum += (deviations[index] ?? 0) * (axes[axis * FEATURE_NUMBERS + index] ?? 0);
    }
    return sum;
  });
  const largest = projected.reduce((top, value) => Math.max(top, Math.abs(value)), 0);
  for (let axis = 0; axis < VECTOR_NUMBERS; axis += 1) {
    vector[axis] = largest === 0 ? 0 : Math.round(((projected[axis] ?? 0) / largest) * 127);
  }
}

/** For the database. */
export function encodeModel({ means, inverseDeviations, axes }: SimilarityModel): string {
  return encodeNumbers([...means, ...inverseDeviations, ...axes]);
}

/** Reads `encodeModel`. */
export function decodeModel(text: string): SimilarityModel {
  const numbers = decodeNumbers(text);
  return {
    means: numbers.subarray(0, FEATURE_NUMBERS),
    inverseDeviations: numbers.subarray(FEATURE_NUMBERS, 2 * FEATURE_NUMBERS),
    axes: numbers.subarray(2 * FEATURE_NUMBERS),
  };
}

/** Numbers as the database has them: base64 of 32-bit floats. */
export function encodeNumbers(numbers: readonly number[]): string {
  return Buffer.from(Float32Array.from(numbers).buffer).toString('base64');
}

/** Reads `encodeNumbers`. */
export function decodeNumbers(text: string): Float32Array {
  const bytes = Uint8Array.from(Buffer.from(text, 'base64'));
  return new Float32Array(bytes.buffer, 0, Math.floor(bytes.byteLength / 4));
}
