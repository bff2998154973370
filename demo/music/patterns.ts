import { pick, type Random } from '../random.ts';
import type { ArpPattern, BassPattern, CompPattern } from './mood.ts';
import { type Chord, ladder, nearest } from './theory.ts';

/** Beats count from the start of the piece. */
export interface NoteEvent {
  beat: number;
  beats: number;
  midi: number;
  /** 0-1 */
  velocity: number;
}

type Hit = readonly [beat: number, beats: number, velocity: number];

const compHits: Record<CompPattern, (length: number) => Hit[]> = {
  hold: (length) => [[0, length, 0.8]],
  halves: (length) => (length < 3 ? [[0, length, 0.8]] : [[0, 1.9, 0.85], [2.5, length - 2.5, 0.7]]),
  pulse: (length) => every(length, 0.5).map((beat) => [beat, 0.4, beat % 1 === 0 ? 0.9 : 0.65]),
  offbeat: (length) => every(length, 1).map((beat) => [beat + 0.5, 0.35, 0.8]),
  stabs: (length) => (length < 4 ? [[0, 0.5, 1]] : [[0, 0.4, 1], [0.75, 0.3, 0.8], [1.5, 0.4, 0.9], [3, 0.5, 0.9]]),
  bossa: (length) =>
    length < 4 ? [[0, 0.6, 0.9], [1, 0.8, 0.8]] : [[0, 0.6, 0.9], [1, 0.6, 0.75], [1.5, 0.9, 0.85], [2.5, 0.5, 0.75], [3, 0.9, 0.9]],
  strum: (length) => every(length, 1).flatMap((beat): Hit[] => [[beat, 0.6, 0.9], [beat + 0.5, 0.45, beat % 2 === 1 ? 0.8 : 0.5]]),
  charleston: (length) => (length < 3 ? [[0, 0.5, 0.85], [1.5, 0.4, 0.75]] : [[0, 0.9, 0.85], [1.5, 0.5, 0.75]]),
}; // prettier-ignore

function every(length: number, step: number): number[] {
  return Array.from({ length: Math.round(length / step) }, (_, i) => i * step);
}

/** `notes` is the voicing, low to high; strums spread it by a few hundredths of a beat. */
export function comp(
  pattern: CompPattern,
  notes: readonly number[],
  beat: number,
  length: number,
): NoteEvent[] {
  return compHits[pattern](length).flatMap(([at, beats, velocity], stroke) => {
    const order = pattern === 'strum' && stroke % 2 === 1 ? notes.toReversed() : notes;
    const lag = pattern === 'strum' || pattern === 'halves' ? 0.03 : 0;
    return order.map((midi, i) => ({
      beat: beat + at + i * lag,
      beats: Math.min(beats, length - at),
      midi,
      velocity,
    }));
  });
}

const arpSteps: Record<ArpPattern, { step: number; order: readonly (number | null)[]; hold: number }> = {
  up: { step: 0.5, order: [0, 1, 2, 3], hold: 1 },
  upDown: { step: 0.5, order: [0, 1, 2, 3, 4, 3, 2, 1], hold: 1.5 },
  alberti: { step: 0.5, order: [0, 2, 1, 2], hold: 0.9 },
  sixteenths: { step: 0.25, order: [0, 1, 2, 3, 2, 1, 2, 1], hold: 0.24 },
  slow: { step: 0.5, order: [0, null, 2, null, 3, 2, 1, null], hold: 1.8 },
  sparse: { step: 0.75, order: [3, null, null, 1, null, 4, null, null, 2, null, null], hold: 2 },
};

/** `notes` is the voicing; indices past its end go up an octave. */
export function arpeggiate(
  pattern: ArpPattern,
  notes: readonly number[],
  beat: number,
  length: number,
): NoteEvent[] {
  const { step, order, hold } = arpSteps[pattern];
  const start = pattern === 'sparse' ? Math.round(beat / step) : 0;
  return every(length, step).flatMap((at, i) => {
    const index = order[(start + i) % order.length];
    if (index === null || index === undefined) return [];
    const midi = (notes[index % notes.length] ?? 60) + 12 * Math.floor(index / notes.length);
    return [{ beat: beat + at, beats: hold, midi, velocity: i === 0 ? 0.9 : i % 2 === 0 ? 0.75 : 0.62 }];
  });
}

/** `next` is the following chord: walking lines lead into it. */
export function bassLine(
  pattern: BassPattern,
  chord: Chord,
  next: Chord,
  beat: number,
  length: number,
  centre: number,
  random: Random,
): NoteEvent[] {
  const root = nearest(ladder([chord.root], centre - 7, centre + 6), centre);
  const fifthClass = chord.tones[2] ?? chord.root + 7;
  const fifth = nearest(ladder([fifthClass % 12], centre - 5, centre + 9), root + 5);
  const note = (at: number, beats: number, midi: number, velocity = 0.85): NoteEvent => {
    return { beat: beat + at, beats: Math.min(beats, length - at), midi, velocity };
  };
  switch (pattern) {
    case 'root':
    case 'pedal':
      return [note(0, length * 0.98, root)];
    case 'rootFifth':
      return every(length, 2).flatMap((at, i) => [
        note(at, 0.9, i % 2 === 0 ? root : fifth),
        ...(length > 2 && i % 2 === 1 ? [note(at + 1.5, 0.4, root, 0.7)] : []),
      ]);
    case 'eighths':
      return every(length, 0.5).map((at) => note(at, 0.42, root, at % 1 === 0 ? 0.95 : 0.75));
    case 'octaves':
      return every(length, 0.5).map((at) =>
        note(at, 0.4, at % 1 === 0 ? root : root + 12, at % 1 === 0 ? 0.9 : 0.7),
      );
    case 'syncopated':
      return length < 4
        ? [note(0, 1.4, root), note(1.5, 0.4, root, 0.7)]
        : [
            note(0, 1.4, root),
            note(1.75, 0.5, root, 0.65),
            note(2.5, 1, fifth, 0.8),
            note(3.5, 0.4, root + 12, 0.6),
          ];
    case 'bossa':
      return every(length, 2).flatMap((at, i) => [
        note(at, 1.4, i % 2 === 0 ? root : fifth),
        note(at + 1.5, 0.45, fifth, 0.7),
      ]);
    case 'walking': {
      const target = nearest(ladder([next.root], centre - 7, centre + 6), root);
      const inner = ladder(chord.tones, centre - 8, centre + 10);
      const middle = every(length, 1)
        .slice(1, -1)
        .map((at) =>
          note(
            at,
            0.92,
            pick(
              random,
              inner.filter((midi) => Math.abs(midi - root) <= 9 && midi !== root),
            ) ?? fifth,
            0.78,
          ),
        );
      return [
        note(0, 0.92, root, 0.9),
        ...middle,
        note(length - 1, 0.92, target + (random() < 0.5 ? 1 : -1), 0.78),
      ];
    }
  }
}
