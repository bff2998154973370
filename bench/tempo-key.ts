/**
 * How often tempo and key are right, and how often they are shown, at each confidence.
 *
 * Synthesised pieces with known values: `node bench/tempo-key.ts [pieces]`
 * Sounds of your own: `node bench/tempo-key.ts FOLDER LABELS`, where LABELS is a CSV file with a header line and the
 * columns path (in FOLDER, without commas), bpm and key (each empty if unknown; a key as in `MUSICAL_KEYS`). Further
 * columns are ignored. The first folder of a path is the kind of the sound; kinds are reported separately. Of sounds
 * without any value it says how many get a tempo or a key, which effects and ambience should not. Recorded music is not
 * part of the repository; decision 111 names what was measured.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MUSICAL_KEYS } from '../contract/sounds/music.ts';
import { KEY_CERTAIN } from '../server/media/analysis/musical-key.ts';
import { decodeSound } from '../demo/store-sound.ts';
import { createFeatureMeter } from '../server/media/analysis/sound-features.ts';
import type { SoundFeatures } from '../server/media/analysis/sound-features.ts';
import { BPM_CERTAIN } from '../server/media/analysis/tempo.ts';
import { addNote } from '../tests/support/files/music.ts';
import { RATE } from '../tests/support/files/signals.ts';

const [FIRST = '200', LABELS] = process.argv.slice(2);
const SEEN_AT = [0, 0.3, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9];
const SECONDS = 24;
const KINDS = ['chords', 'drums and chords', 'swing', 'noisy', 'sparse', 'no beat'] as const;
type Kind = (typeof KINDS)[number];

const MAJOR = [0, 2, 4, 5, 7, 9, 11];
const MINOR = [0, 2, 3, 5, 7, 8, 10];
const PROGRESSIONS = [
  [0, 3, 4, 0],
  [0, 5, 3, 4],
  [5, 3, 0, 4],
  [0, 4, 5, 3],
  [3, 4, 0, 5],
];

let state = 20_261;
function random(): number {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
}
const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;

interface Piece {
  readonly samples: Float32Array;
  readonly bpm: number | undefined;
  readonly key: number;
}

function compose(kind: Kind): Piece {
  const bpm = 65 + random() * 110;
  const key = Math.floor(random() * MUSICAL_KEYS.length);
  const scale = key < 12 ? MAJOR : MINOR;
  const beat = 60 / bpm;
  const samples = new Float32Array(SECONDS * RATE);
  const progression = pick(PROGRESSIONS);
  const harmonics = pick([2, 4, 8]);
  const arpeggio = random() < 0.5;
  const swing = kind === 'swing' ? 0.58 + random() * 0.09 : 0.5;
  const noteOf = (degree: number) => 48 + (key % 12) + (scale[degree % 7] ?? 0) + 12 * Math.floor(degree / 7);
  for (let step = 0; step * beat * 0.5 < SECONDS - 1; step += 1) {
    const second = (Math.floor(step / 2) + (step % 2) * swing) * beat + (random() - 0.5) * 0.012;
    const place = kind === 'no beat' ? random() * (SECONDS - 1) : Math.max(0, second);
    const root = progression[Math.floor(step / 8) % progression.length] ?? 0;
    if (kind === 'sparse' && random() < 0.5) continue;
    if (arpeggio)
      addNote(samples, { second: place, note: noteOf(root + pick([0, 2, 4, 7])), harmonics, seconds: beat });
    else if (step % 4 === 0)
      for (const third of [0, 2, 4])
        addNote(samples, { second: place, note: noteOf(root + third), harmonics, seconds: 2 * beat });
    else if (random() < 0.6)
      addNote(samples, { second: place, note: noteOf(7 + Math.floor(random() * 8)), harmonics, level: 0.12 });
    if (kind !== 'chords' && kind !== 'no beat' && kind !== 'sparse') addDrum(samples, place, step);
  }
  const noise = kind === 'noisy' ? 0.1 : 0.002;
  for (let at = 0; at < samples.length; at += 1) samples[at] = (samples[at] ?? 0) + (random() - 0.5) * noise;
  return { samples, bpm: kind === 'no beat' ? undefined : bpm, key };
}

function addDrum(samples: Float32Array, second: number, step: number): void {
  const isKick = step % 4 === 0;
  const isSnare = step % 4 === 2;
  const from = Math.round(second * RATE);
  for (let at = 0; at < RATE / 8; at += 1) {
    const time = at / RATE;
    const hit = (random() - 0.5) * Math.exp(-time * (isSnare ? 25 : 90)) * (isSnare ? 0.5 : 0.15);
    const kick = isKick
      ? 0.7 * Math.sin(2 * Math.PI * (50 + 80 * Math.exp(-40 * time)) * time) * Math.exp(-20 * time)
      : 0;
    samples[from + at] = (samples[from + at] ?? 0) + hit + kick;
  }
}

/** What is known of a sound, and what was found. */
interface Measured {
  readonly bpm: number | undefined;
  readonly key: number | undefined;
  readonly found: SoundFeatures | null;
}

function* synthesise(pieces: number): Generator<[string, Measured]> {
  for (const kind of KINDS) {
    for (let count = 0; count < pieces / KINDS.length; count += 1) {
      const { samples, bpm, key } = compose(kind);
      const meter = createFeatureMeter(RATE);
      meter.add([samples]);
      yield [kind, { bpm, key, found: meter.finish() }];
    }
  }
}

async function measureFiles(folder: string, labels: string): Promise<[string, Measured][]> {
  const [, ...lines] = (await readFile(labels, 'utf8')).split(/\r?\n/);
  const measured = lines.filter(Boolean).map(async (line): Promise<[string, Measured]> => {
    const [path = '', bpm = '', name = ''] = line.split(',');
    const key = MUSICAL_KEYS.findIndex((each) => each === name);
    if (name !== '' && key === -1) throw new Error(`Not a key: ${name}`);
    const decoded = await decodeSound({ path: join(folder, path) });
    if (decoded.state !== 'decoded') console.warn(`${path}: ${decoded.state}`);
    const found = decoded.state === 'decoded' ? decoded.features : null;
    const known = { bpm: bpm === '' ? undefined : Number(bpm), key: key === -1 ? undefined : key };
    return [path.split('/')[0] ?? '', { ...known, found }];
  });
  return Promise.all(measured);
}

const isNear = (found: number, wanted: number) => Math.abs(found / wanted - 1) < 0.04;
const share = (part: number, all: number) => (all === 0 ? '-' : `${Math.round((100 * part) / all)}%`);

function rateTempo(found: number, bpm: number): string {
  if (isNear(found, bpm)) return 'exact';
  return isNear(found * 2, bpm) || isNear(found / 2, bpm) ? 'half or double' : 'wrong';
}

function rateKey(guess: number, key: number): string {
  if (guess === key) return 'exact';
  const up = (guess - key + 24) % 12;
  if (guess < 12 === key < 12) return up === 5 || up === 7 ? 'a fifth away' : 'wrong';
  if (up === 0) return 'parallel';
  return up === (guess < 12 ? 3 : 9) ? 'relative' : 'wrong';
}

/** Prints the fits of those with enough confidence, for every threshold. */
function report(
  name: string,
  threshold: number,
  estimates: readonly { readonly confidence: number; readonly fit: string }[],
): void {
  if (estimates.length === 0) return;
  const fits = [...new Set(estimates.map(({ fit }) => fit))].filter((fit) => fit !== 'unknown').toSorted();
  console.log(`  ${name} of ${estimates.length}, ${threshold} needed`);
  for (const least of [...new Set([...SEEN_AT, threshold])].toSorted((left, right) => left - right)) {
    const shown = estimates.filter(({ confidence }) => confidence > 0 && confidence >= least);
    const count = (fit: string) => shown.filter((each) => each.fit === fit).length;
    const parts = [
      `shown ${share(shown.length, estimates.length)}`,
      ...fits.map((fit) => `${fit} ${share(count(fit), shown.length)}`),
    ];
    console.log(`  ${least === threshold ? '>' : ' '} ${least.toFixed(2)}: ${parts.join(', ')}`);
  }
}

const kinds = new Map<string, Measured[]>();
const sounds = LABELS === undefined ? synthesise(Number(FIRST)) : await measureFiles(FIRST, LABELS);
for (const [kind, sound] of sounds) kinds.set(kind, [...(kinds.get(kind) ?? []), sound]);
for (const [kind, measured] of kinds) {
  console.log(`\n${kind}: ${measured.length} sounds`);
  const tempos = measured.map(({ bpm, found }) => ({
    confidence: found?.bpm?.confidence ?? 0,
    fit: bpm === undefined ? 'unknown' : rateTempo(found?.bpm?.value ?? 0, bpm),
  }));
  const keys = measured.map(({ key, found }) => ({
    confidence: found?.key?.confidence ?? 0,
    fit: key === undefined ? 'unknown' : rateKey(MUSICAL_KEYS.indexOf(found?.key?.value ?? 'C'), key),
  }));
  const isKnown = ({ fit }: { readonly fit: string }) => fit !== 'unknown';
  report('tempo', BPM_CERTAIN, tempos.filter(isKnown));
  report('key', KEY_CERTAIN, keys.filter(isKnown));
  report(
    'unknown tempo',
    BPM_CERTAIN,
    tempos.filter((each) => !isKnown(each)),
  );
  report(
    'unknown key',
    KEY_CERTAIN,
    keys.filter((each) => !isKnown(each)),
  );
}
