const SWEEPS_MAX = 30;
const PRECISION = 1e-12;

/**
 * The eigenvectors of a symmetric matrix by Jacobi's rotations, as rows, that of the largest eigenvalue first. Takes some
 * milliseconds for a hundred rows. Changes `matrix`.
 */
export function toEigenvectors(matrix: Float64Array, size: number): Float32Array {
  const vectors = new Float64Array(size * size);
  for (let row = 0; row < size; row += 1) vectors[row * size + row] = 1;
  for (let sweep = 0; sweep < SWEEPS_MAX && sumOutside(matrix, size) > PRECISION; sweep += 1) {
    for (let row = 0; row < size - 1; row += 1) {
      for (let column = row + 1; column < size; column += 1) rotate(matrix, vectors, size, row, column);
    }
  }
  const order = Array.from({ length: size }, (_, index) => index).sort(
    (a, b) => (matrix[b * size + b] ?? 0) - (matrix[a * size + a] ?? 0),
  );
  return Float32Array.from(order.flatMap((index) => [...vectors.subarray(index * size, (index + 1) * size)]));
}

function sumOutside(matrix: Float64Array, size: number): number {
  let sum = 0;
  for (const [index, value] of matrix.entries()) {
    if (index % size !== Math.floor(index / size)) sum += value * value;
  }
  return sum;
}

/** Makes the element at row `p` and column `q` 0. */
function rotate(matrix: Float64Array, vectors: Float64Array, size: number, p: number, q: number): void {
  const element = matrix[p * size + q] ?? 0;
  if (element === 0) return;
  const half = ((matrix[q * size + q] ?? 0) - (matrix[p * size + p] ?? 0)) / (2 * element);
  const tangent = (half >= 0 ? 1 : -1) / (Math.abs(half) + Math.sqrt(half * half + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  for (let index = 0; index < size; index += 1) {
    turn(matrix, index * size + p, index * size + q, cosine, sine);
  }
  for (let index = 0; index < size; index += 1) {
    turn(matrix, p * size + index, q * size + index, cosine, sine);
    turn(vectors, p * size + index, q * size + index, cosine, sine);
  }
}

function turn(values: Float64Array, one: number, other: number, cosine: number, sine: number): void {
  const [a, b] = [values[one] ?? 0, values[other] ?? 0];
  values[one] = cosine * a - sine * b;
  values[other] = sine * a + cosine * b;
}
