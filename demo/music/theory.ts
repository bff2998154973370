/**
 * Harmony is written in C major / A minor and transposed when rendered, so that progressions read like a chord sheet.
 */
const PITCH_CLASSES: Record<string, number> = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };

const QUALITIES: Record<string, readonly number[]> = {
  '': [0, 4, 7],
  m: [0, 3, 7],
  '7': [0, 4, 7, 10],
  M7: [0, 4, 7, 11],
  m7: [0, 3, 7, 10],
  m9: [0, 3, 7, 10, 14],
  M9: [0, 4, 7, 11, 14],
  '9': [0, 4, 7, 10, 14],
  '6': [0, 4, 7, 9],
  m6: [0, 3, 7, 9],
  dim: [0, 3, 6, 9],
  '5': [0, 7],
};

export interface Chord {
  root: number;
  /** Pitch classes 0-11, root first. */
  tones: number[];
}

export function parseChord(symbol: string): Chord {
  const match = /^([A-G])([b#]?)(.*)$/.exec(symbol);
  const intervals = match && QUALITIES[match[3] ?? ''];
  if (!match || !intervals) throw new Error(`Unknown chord ${symbol}`);
  const root =
    ((PITCH_CLASSES[match[1] ?? ''] ?? 0) + (match[2] === '#' ? 1 : match[2] === 'b' ? 11 : 0)) % 12;
  return { root, tones: intervals.map((interval) => (root + interval) % 12) };
}

/** One token per bar; two chords in a bar are joined by a slash: 'Dm7/G7 CM7'. */
export function parseProgression(text: string): Chord[][] {
  return text.split(' ').map((bar) => bar.split('/').map(parseChord));
}

/** Pitch classes; the wa scales are those of the koto and of folk song. */
export const scales = {
  major: [0, 2, 4, 5, 7, 9, 11],
  minor: [9, 11, 0, 2, 4, 5, 7],
  harmonicMinor: [9, 11, 0, 2, 4, 5, 8],
  dorian: [9, 11, 0, 2, 4, 6, 7],
  lydian: [0, 2, 4, 6, 7, 9, 11],
  miyakobushi: [4, 5, 9, 11, 0],
  octatonic: [9, 11, 0, 2, 3, 5, 6, 8],
} satisfies Record<string, readonly number[]>;

export type ScaleName = keyof typeof scales;

export function midiToHertz(midi: number): number {
  return 440 * 2 ** ((midi - 69) / 12);
}

/** All MIDI numbers from `low` to `high` whose pitch class is in `classes`. */
export function ladder(classes: readonly number[], low: number, high: number): number[] {
  const notes: number[] = [];
  for (let midi = low; midi <= high; midi++) if (classes.includes(((midi % 12) + 12) % 12)) notes.push(midi);
  return notes;
}

export function nearest(notes: readonly number[], midi: number): number {
  return notes.reduce(
    (best, note) => (Math.abs(note - midi) < Math.abs(best - midi) ? note : best),
    notes[0] ?? midi,
  );
}

/** Chord tones close to the last voicing, for small movements. `centre` is the MIDI middle of the range. */
export function voice(chord: Chord, previous: readonly number[], centre: number): number[] {
  const anchor =
    previous.length > 0 ? previous.reduce((sum, note) => sum + note, 0) / previous.length : centre;
  const pull = anchor * 0.6 + centre * 0.4;
  const wanted = chord.tones.length > 4 ? chord.tones.slice(1) : chord.tones;
  return wanted
    .map((tone) => nearest(ladder([tone], Math.round(pull) - 7, Math.round(pull) + 7), pull))
    .sort((a, b) => a - b);
}
