/**
 * How well similar sounds are found. Of the ten nearest, how many are of the same family (precision at 10, of those
 * possible), and how many times as many as with shuffled labels (lift), against the means of the cepstral coefficients
 * alone. Then what different thresholds show, and whether copies find their original.
 *
 * Run: node bench/similar.ts [folder of recorded pieces] [folder of recorded effects]; takes half an hour
 */
import { dirname } from 'node:path';
import { createFitter, writeVector } from '../server/features/catalogue/similar/vectors.ts';
import { createIndex } from '../server/features/catalogue/similar/nearest.ts';
import type { SimilarityModel } from '../server/features/catalogue/similar/vectors.ts';
import {
  compress,
  cut,
  listRecordings,
  measure,
  readRecording,
  synthesise,
  toKind,
} from './similar/material.ts';
import type { Audio, Item } from './similar/material.ts';

const [pieces, effects] = process.argv.slice(2);
const NEAREST = 10;
const THRESHOLDS = [0.3, 0.4, 0.5, 0.55, 0.6, 0.7, 0.8];
const PIECES_MAX = 75;
const EFFECTS_MAX = 720;

for (const kind of ['effect', 'music'] as const) {
  const { known, heldOut } = synthesise(kind, kind === 'effect' ? 11 : 5);
  evaluate(`synthesised ${kind}, held-out parameters`, heldOut, toModel(known));
}
if (pieces !== undefined) {
  const segments: Item[] = [];
  const whole: Copied[] = [];
  for (const path of await listRecordings(pieces, PIECES_MAX)) {
    const audio = await readRecording(path);
    segments.push(...cut(path, audio));
    whole.push(...(await copy(path, audio)));
  }
  evaluate('segments of recorded pieces', segments, toModel(segments));
  evaluate('recorded pieces, by folder', toItems(whole, dirname), toModel(toItems(whole)));
  findOriginals(whole);
}
if (effects !== undefined) {
  const recorded: Copied[] = [];
  for (const path of await listRecordings(effects, EFFECTS_MAX)) {
    recorded.push(...(await copy(path, await readRecording(path))));
  }
  evaluate('recorded effects, by name', toItems(recorded, toKind), toModel(toItems(recorded)));
  findOriginals(recorded);
}

/** A sound and its copies by name; none of silence. */
interface Copied {
  readonly original: Item;
  readonly copies: Readonly<Record<string, Item>>;
}

async function copy(path: string, audio: Audio): Promise<Copied[]> {
  const original = measure(path, audio);
  if (original === undefined) return [];
  const copies = {
    '64 kbit/s, resampled': measure(path, await compress(audio, false)) ?? original,
    '64 kbit/s': measure(path, await compress(audio, true)) ?? original,
    '+6 dB': measure(path, audio, 2) ?? original,
    '-6 dB': measure(path, audio, 0.5) ?? original,
  };
  return [{ original, copies }];
}

function toItems(sounds: readonly Copied[], toFamily = (path: string) => path): Item[] {
  return sounds.map(({ original }) => ({ ...original, family: toFamily(original.family) }));
}

function toModel(items: readonly Item[]): SimilarityModel {
  const fitter = createFitter();
  for (const { numbers } of items) fitter.add(numbers);
  return fitter.finish();
}

function toIndex(items: readonly Item[], model: SimilarityModel) {
  const index = createIndex();
  for (const [seq, { numbers }] of items.entries())
    index.add(seq, seq, (vector) => writeVector(model, numbers, vector));
  return index;
}

function evaluate(name: string, items: readonly Item[], model: SimilarityModel): void {
  const index = toIndex(items, model);
  const families = items.map(({ family }) => family);
  const nearest = items.map((_, seq) => index.nearest(seq, -1) ?? []);
  const seqsOf = (lists: typeof nearest) => lists.map((list) => list.map(({ seq }) => seq));
  const ours = precision(families, seqsOf(nearest));
  const random = precision(shuffle(families), seqsOf(nearest));
  const plain = precision(
    families,
    items.map((_, seq) => nearestByMeans(items, seq)),
  );
  console.log(`\n${name}: ${items.length} sounds, ${new Set(families).size} families`);
  console.log(
    `  precision at ${NEAREST}: ${show(ours)}, of cepstral means ${show(plain)}, of chance ${show(random)}`,
  );
  console.log(`  lift: ${(ours / random).toFixed(1)}, of cepstral means ${(plain / random).toFixed(1)}`);
  const hasMates = families.map((family) => families.indexOf(family) !== families.lastIndexOf(family));
  for (const threshold of THRESHOLDS) {
    const shown = nearest.map((list) =>
      list.slice(0, NEAREST).filter(({ similarity }) => similarity >= threshold),
    );
    const judged = shown.filter((_, seq) => hasMates[seq]);
    const all = shown.flatMap((list, seq) =>
      hasMates[seq] ? list.map(({ seq: other }) => families[other] === families[seq]) : [],
    );
    const some = judged.filter((list) => list.length > 0).length;
    console.log(
      `  from ${threshold}: ${show(some / judged.length)} have neighbours, of which ${show(all.filter(Boolean).length / Math.max(1, all.length))} are of the same family`,
    );
  }
}

/** The share of the nearest that are of the same family, of those that could be. */
function precision(families: readonly string[], nearest: readonly (readonly number[])[]): number {
  let sum = 0;
  let judged = 0;
  for (const [seq, list] of nearest.entries()) {
    const mates = families.filter((family) => family === families[seq]).length - 1;
    if (mates === 0) continue;
    const possible = Math.min(NEAREST, mates);
    judged += 1;
    sum += list.slice(0, NEAREST).filter((other) => families[other] === families[seq]).length / possible;
  }
  return sum / judged;
}

function nearestByMeans(items: readonly Item[], seq: number): number[] {
  const COEFFICIENTS = 20;
  const own = items[seq]?.numbers ?? new Float32Array();
  const distances = items.map(({ numbers }) => {
    let sum = 0;
    for (let index = 0; index < COEFFICIENTS; index += 1)
      sum += ((own[index] ?? 0) - (numbers[index] ?? 0)) ** 2;
    return sum;
  });
  return [...distances.keys()]
    .filter((other) => other !== seq)
    .sort((a, b) => (distances[a] ?? 0) - (distances[b] ?? 0))
    .slice(0, NEAREST);
}

function findOriginals(sounds: readonly Copied[]): void {
  const originals = toItems(sounds);
  const model = toModel(originals);
  for (const name of Object.keys(sounds[0]?.copies ?? {})) {
    const copies = sounds.flatMap((sound) => sound.copies[name] ?? []);
    const index = toIndex([...originals, ...copies], model);
    const first = copies.map((_, place) =>
      index.nearest(originals.length + place, -1)?.find(({ seq }) => seq < originals.length),
    );
    const found = first.filter((neighbour, place) => neighbour?.seq === place);
    const least = Math.min(...found.map((neighbour) => neighbour?.similarity ?? 0));
    console.log(
      `\ncopies ${name}: ${found.length} of ${copies.length} find their original; similarity from ${least.toFixed(2)}`,
    );
  }
}

function shuffle<Value>(values: readonly Value[]): Value[] {
  let state = 20_261;
  const shuffled = [...values];
  for (let index = shuffled.length - 1; index > 0; index -= 1) {
    state = (state * 48_271) % 2_147_483_647;
    const other = state % (index + 1);
    [shuffled[index], shuffled[other]] = [shuffled[other] as Value, shuffled[index] as Value];
  }
  return shuffled;
}

function show(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
