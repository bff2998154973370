import { VECTOR_NUMBERS } from './vectors.ts';

/** Maximum number of neighbours of a sound. More than are listed, because some may be withdrawn. */
export const NEIGHBOURS_MAX = 24;
/** A sound has this many although they may be less similar than the threshold. */
export const FEW = 4;
const OF_ONE_ARTIST_MAX = 2;
/** Vectors in one block of memory. */
const BLOCK = 8_192;
/** The first numbers vary most. When they show that a sound cannot be near, the others are skipped. */
const FIRST_NUMBERS = 16;

interface Block {
  readonly vectors: Int8Array;
  readonly norms: Float32Array;
  /** Norms of the numbers after the first ones. */
  readonly restNorms: Float32Array;
  readonly seqs: Int32Array;
  readonly artists: Int32Array;
}

/** A sound that is near another one. */
export interface Neighbour {
  readonly seq: number;
  /** The cosine: 1 for the same direction. */
  readonly similarity: number;
  readonly artist: number;
}

/** The vectors of the sounds of a type; 64 bytes a sound. */
export function createIndex() {
  const blocks: Block[] = [];
  let count = 0;

  const seqAt = (position: number) => blocks[Math.floor(position / BLOCK)]?.seqs[position % BLOCK] ?? 0;

  function findPosition(seq: number): number | undefined {
    let [low, high] = [0, count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (seqAt(middle) < seq) low = middle + 1;
      else high = middle;
    }
    return low < count && seqAt(low) === seq ? low : undefined;
  }

  function scan(query: Int8Array, position: number, threshold: number): Neighbour[] {
    const found: Neighbour[] = [];
    const norm = toNorm(query, 0, VECTOR_NUMBERS);
    const restNorm = toNorm(query, FIRST_NUMBERS, VECTOR_NUMBERS);
    if (norm === 0) return found;
    // Below the threshold only until a few are found, and none that is the opposite.
    let least = Math.min(0, threshold);
    for (const [number, { vectors, norms, restNorms, seqs, artists }] of blocks.entries()) {
      const last = Math.min(BLOCK, count - number * BLOCK);
      for (let index = 0; index < last; index += 1) {
        const at = index * VECTOR_NUMBERS;
        const wanted = least * norm * (norms[index] ?? 0);
        let sum = 0;
        for (let axis = 0; axis < FIRST_NUMBERS; axis += 1)
          sum += (query[axis] as number) * (vectors[at + axis] as number);
        if (sum + restNorm * (restNorms[index] ?? 0) < wanted) continue;
        for (let axis = FIRST_NUMBERS; axis < VECTOR_NUMBERS; axis += 1)
          sum += (query[axis] as number) * (vectors[at + axis] as number);
        if (sum < wanted || number * BLOCK + index === position || norms[index] === 0) continue;
        const similarity = sum / norm / (norms[index] ?? 1);
        insertNeighbour(found, { seq: seqs[index] ?? 0, similarity, artist: artists[index] ?? 0 });
        while (found.length > FEW && (found.at(-1)?.similarity ?? 0) < threshold) found.pop();
        const last = found.at(-1)?.similarity ?? 0;
        if (found.length === NEIGHBOURS_MAX) least = last;
        else if (found.length >= FEW) least = Math.min(threshold, last);
      }
    }
    return found;
  }

  return {
    /** Add sounds in the order of their seqs. `write` fills in the vector. */
    add(seq: number, artist: number, write: (vector: Int8Array) => void): void {
      const index = count % BLOCK;
      if (index === 0) blocks.push(createBlock());
      const block = blocks.at(-1) as Block;
      const vector = block.vectors.subarray(index * VECTOR_NUMBERS, (index + 1) * VECTOR_NUMBERS);
      write(vector);
      block.norms[index] = toNorm(vector, 0, VECTOR_NUMBERS);
      block.restNorms[index] = toNorm(vector, FIRST_NUMBERS, VECTOR_NUMBERS);
      block.seqs[index] = seq;
      block.artists[index] = artist;
      count += 1;
    },
    /**
     * The most similar sounds, nearest first: those from `threshold` on, and others up to `FEW`; `NEIGHBOURS_MAX` at most,
     * at most two of one artist. undefined for a sound that has not been added.
     */
    nearest(seq: number, threshold: number): Neighbour[] | undefined {
      const position = findPosition(seq);
      if (position === undefined) return undefined;
      const at = (position % BLOCK) * VECTOR_NUMBERS;
      const query = blocks[Math.floor(position / BLOCK)]?.vectors.subarray(at, at + VECTOR_NUMBERS);
      return query && scan(query, position, threshold);
    },
  };
}

/** Inserts a sound where it belongs; removes the least similar one of its artist, or of all, when there are too many. */
function insertNeighbour(found: Neighbour[], next: Neighbour): void {
  const ofArtist = found.filter(({ artist }) => artist === next.artist);
  const worst = ofArtist.at(-1);
  if (ofArtist.length === OF_ONE_ARTIST_MAX && worst !== undefined) {
    if (worst.similarity >= next.similarity) return;
    found.splice(found.indexOf(worst), 1);
  }
  const position = found.findIndex(({ similarity }) => similarity < next.similarity);
  found.splice(position === -1 ? found.length : position, 0, next);
  if (found.length > NEIGHBOURS_MAX) found.pop();
}

function createBlock(): Block {
  return {
    vectors: new Int8Array(BLOCK * VECTOR_NUMBERS),
    norms: new Float32Array(BLOCK),
    restNorms: new Float32Array(BLOCK),
    seqs: new Int32Array(BLOCK),
    artists: new Int32Array(BLOCK),
  };
}

function toNorm(vector: Int8Array, from: number, to: number): number {
  let sum = 0;
  for (let axis = from; axis < to; axis += 1) sum += (vector[axis] ?? 0) ** 2;
  return Math.sqrt(sum);
}
