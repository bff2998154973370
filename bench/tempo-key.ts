/**
 * How often tempo and key are right on synthesised pieces with known values, and how often an estimate is shown.
 * Recorded music may differ: none is part of the repository.
 *
 * Run: node bench/tempo-key.ts [pieces]
 */
import { MUSICAL_KEYS } from '../contract/music.ts';
import { createFeatureMeter } from '../server/media/sound-features.ts';
import { addNote } from '../tests/support/music.ts';
import { RATE } from '../tests/support/signals.ts';

const PIECES = Number(process.argv[2] ?? 200);
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

const isNear = (found: number, wanted: number) => Math.abs(found / wanted - 1) < 0.04;
const share = (part: number, all: number) => (all === 0 ? '-' : `${Math.round((100 * part) / all)}%`);

for (const kind of KINDS) {
  const tempos: { confidence: number; fit: 'exact' | 'half or double' | 'wrong' }[] = [];
  const keys: { confidence: number; fit: 'exact' | 'relative or fifth' | 'wrong' }[] = [];
  for (let count = 0; count < PIECES / KINDS.length; count += 1) {
    const { samples, bpm, key } = compose(kind);
    const meter = createFeatureMeter(RATE);
    meter.add([samples]);
    const found = meter.finish();
    const tempo = found?.bpm?.value ?? 0;
    const isRight = bpm !== undefined && isNear(tempo, bpm);
    const isOctave = bpm !== undefined && (isNear(tempo * 2, bpm) || isNear(tempo / 2, bpm));
    tempos.push({
      confidence: found?.bpm?.confidence ?? 0,
      fit: isRight ? 'exact' : isOctave ? 'half or double' : 'wrong',
    });
    const guess = MUSICAL_KEYS.indexOf(found?.key?.value ?? 'C');
    keys.push({
      confidence: found?.key?.confidence ?? 0,
      fit: guess === key ? 'exact' : isRelated(guess, key) ? 'relative or fifth' : 'wrong',
    });
  }
  console.log(`\n${kind}: ${tempos.length} pieces`);
  report('tempo', tempos, 'half or double', [0, 0.4, 0.5, 0.6, 0.7]);
  report('key', keys, 'relative or fifth', [0, 0.5, 0.6, 0.7]);
}

function report(
  name: string,
  estimates: readonly { readonly confidence: number; readonly fit: string }[],
  near: string,
  thresholds: readonly number[],
): void {
  for (const threshold of thresholds) {
    const shown = estimates.filter(({ confidence }) => confidence >= threshold);
    const count = (fit: string) =>
      share(shown.filter((estimate) => estimate.fit === fit).length, shown.length);
    console.log(
      `  ${name} from ${threshold}: shown ${share(shown.length, estimates.length)}, exact ${count('exact')}, ${near} ${count(near)}, wrong ${count('wrong')}`,
    );
  }
}

/** The relative or parallel key, or one a fifth away. */
function isRelated(guess: number, key: number): boolean {
  const up = (guess - key + 24) % 12;
  if (guess < 12 === key < 12) return up === 5 || up === 7;
  return guess < 12 ? up === 3 || up === 0 : up === 9 || up === 0;
}
