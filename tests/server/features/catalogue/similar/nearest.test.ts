import { describe, expect, test } from 'vitest';
import { toEigenvectors } from '#server/features/catalogue/similar/eigenvectors.ts';
import { FEW, NEIGHBOURS_MAX, createIndex } from '#server/features/catalogue/similar/nearest.ts';
import {
  VECTOR_NUMBERS,
  createFitter,
  decodeModel,
  encodeModel,
  writeVector,
} from '#server/features/catalogue/similar/vectors.ts';
import { createDecoder } from '#server/media/audio/decoder.ts';
import { FEATURE_NUMBERS, createFeatureMeter } from '#server/media/analysis/sound-features.ts';
import { playChords } from '#support/files/music.ts';
import { RATE, encodeMp3 } from '#support/files/signals.ts';

let state = 4_711;
function random(): number {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647 - 0.5;
}

function dot(one: ArrayLike<number>, other: ArrayLike<number>): number {
  return Array.from(one).reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}

function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
  return dot(one, other) / Math.sqrt(dot(one, one)) / Math.sqrt(dot(other, other));
}

describe('eigenvectors', () => {
  test('are orthonormal and ordered by how much varies along them', () => {
    const size = 12;
    const half = Array.from({ length: size }, () => Array.from({ length: size }, random));
    const matrix = half.map((row) => half.map((other) => dot(row, other)));
    const flat = toEigenvectors(Float64Array.from(matrix.flat()), size);
    const vectors = Array.from({ length: size }, (_, row) => [
      ...flat.subarray(row * size, (row + 1) * size),
    ]);
    const values = vectors.map((vector) => {
      const image = matrix.map((row) => dot(row, vector));
      const value = dot(image, vector);
      for (const [index, part] of image.entries()) expect(part).toBeCloseTo(value * (vector[index] ?? 0), 5);
      return value;
    });
    for (const [index, vector] of vectors.entries()) {
      for (const [other, second] of vectors.entries())
        expect(dot(vector, second)).toBeCloseTo(index === other ? 1 : 0, 5);
    }
    expect(values).toEqual(values.toSorted((a, b) => b - a));
  });
});

describe('vectors', () => {
  /** Three things vary in them, and one number is always the same. */
  const makeSound = () => {
    const [a, b, c] = [random(), random(), random()];
    return Float32Array.from({ length: FEATURE_NUMBERS }, (_, index) =>
      index === 7 ? 3 : 1_000 + a * index + b * (index % 5) + c * (index % 3) + 0.01 * random(),
    );
  };
  const sounds = Array.from({ length: 200 }, makeSound);
  const fitter = createFitter();
  for (const sound of sounds) fitter.add(sound);
  const model = fitter.finish();
  const toVector = (numbers: Float32Array, used = model) => {
    const vector = new Int8Array(VECTOR_NUMBERS);
    writeVector(used, numbers, vector);
    return vector;
  };

  test('have the angles that the sounds have in standard deviations', () => {
    const toDeviations = (numbers: Float32Array) =>
      [...numbers].map(
        (value, index) => (value - (model.means[index] ?? 0)) * (model.inverseDeviations[index] ?? 0),
      );
    for (let pair = 0; pair < 50; pair += 1) {
      const [one, other] = [makeSound(), makeSound()];
      const exact = cosine(toDeviations(one), toDeviations(other));
      expect(Math.abs(cosine(toVector(one), toVector(other)) - exact)).toBeLessThan(0.03);
    }
  });

  test('are not ruled by one odd number', () => {
    const [sound = new Float32Array()] = sounds;
    const odd = Float32Array.from(sound);
    odd[20] = 1e9;
    expect(cosine(toVector(sound), toVector(odd))).toBeGreaterThan(0.7);
  });

  test('are the same with a model that was stored', () => {
    const stored = decodeModel(encodeModel(model));
    for (const sound of sounds.slice(0, 5)) expect(toVector(sound, stored)).toEqual(toVector(sound));
  });
});

describe('copies', () => {
  /** Pieces that differ little, with hiss up to the highest frequencies at each beat, as that of cymbals. */
  function play(piece: number): Float32Array {
    const bpm = 100 + piece;
    const chords = playChords({ bpm, tonic: 48, isMinor: piece % 2 === 0, seconds: 6 });
    const beat = (60 / bpm) * RATE;
    let last = 0;
    return chords.map((sample, at) => {
      const noise = random();
      const hiss = 0.003 * (1 + 0.1 * (piece % 5)) * (noise - 0.3 * (piece % 3) * last);
      last = noise;
      return sample + hiss * (1 + 6 * Math.exp((-8 * (at % beat)) / beat));
    });
  }

  function measure(samples: Float32Array): number[] {
    const meter = createFeatureMeter(RATE);
    meter.add([samples]);
    return meter.finish()?.numbers ?? [];
  }

  test('at 64 kbit/s are the nearest of their original, though they lack what is above 10 kHz', async () => {
    const pieces = Array.from({ length: 24 }, (_, piece) => play(piece));
    const originals = pieces.map((samples) => Float32Array.from(measure(samples)));
    const fitter = createFitter();
    for (const numbers of originals) fitter.add(numbers);
    const model = fitter.finish();
    const index = createIndex();
    for (const [seq, numbers] of originals.entries())
      index.add(seq, seq, (vector) => writeVector(model, numbers, vector));
    const copied = [5, 10, 15];
    const decoder = createDecoder();
    for (const [place, piece] of copied.entries()) {
      const samples = pieces[piece] ?? new Float32Array();
      const decoded = await decoder.decode(await encodeMp3([samples, samples], 64));
      const numbers = decoded.state === 'decoded' ? decoded.features?.numbers : undefined;
      index.add(24 + place, 24 + place, (vector) =>
        writeVector(model, Float32Array.from(numbers ?? []), vector),
      );
    }
    const nearest = copied.map((piece) => index.nearest(piece, -1)?.[0]);
    expect(nearest.map((neighbour) => neighbour?.seq)).toEqual(copied.map((_, place) => 24 + place));
    for (const neighbour of nearest) expect(neighbour?.similarity).toBeGreaterThan(0.7);
  });
});

describe('the nearest', () => {
  const COUNT = 9_000;
  const artistOf = (seq: number) => seq % 400;
  const vectors = Array.from({ length: COUNT }, (_, seq) => {
    // Some directions are common, as in a catalogue.
    const family = seq % 40;
    return Int8Array.from({ length: VECTOR_NUMBERS }, (_axis, axis) =>
      Math.round((90 * Math.sin(family * 13 + axis * 7) + 70 * random()) / (1 + axis / 8)),
    );
  });
  const index = createIndex();
  for (const [seq, vector] of vectors.entries())
    index.add(seq * 2, artistOf(seq), (target) => target.set(vector));

  function findSlowly(seq: number, threshold: number): number[] {
    const own = vectors[seq] ?? new Int8Array();
    const sorted = vectors
      .map((vector, other) => ({ other, similarity: cosine(vector, own) }))
      .filter(({ other, similarity }) => other !== seq && similarity >= Math.min(0, threshold))
      .sort((a, b) => b.similarity - a.similarity);
    const ofArtist = new Map<number, number>();
    const kept = sorted.filter(({ other }) => {
      const count = (ofArtist.get(artistOf(other)) ?? 0) + 1;
      ofArtist.set(artistOf(other), count);
      return count <= 2;
    });
    const near = kept.filter(({ similarity }, place) => place < FEW || similarity >= threshold);
    return near.slice(0, NEIGHBOURS_MAX).map(({ other }) => other * 2);
  }

  test.each([-1, 0.5, 0.8, 0.97])('are those of a plain scan, from %f', (threshold) => {
    for (const seq of [0, 1, 4_000, 8_191, 8_192, COUNT - 1]) {
      const found = index.nearest(seq * 2, threshold) ?? [];
      expect(found.map((neighbour) => neighbour.seq)).toEqual(findSlowly(seq, threshold));
    }
  });

  test('are unknown for a sound that is not there, and none for one without a direction', () => {
    expect(index.nearest(1, 0)).toBeUndefined();
    expect(index.nearest(COUNT * 2, 0)).toBeUndefined();
    const silent = createIndex();
    for (const seq of [1, 2]) silent.add(seq, seq, () => undefined);
    expect(silent.nearest(1, -1)).toEqual([]);
  });
});
