import { integerBetween, pick, type Random } from '../random.ts';
import { BAR_BEATS, type Density } from './mood.ts';
import type { NoteEvent } from './patterns.ts';
import { type Chord, ladder, nearest } from './theory.ts';

/** Note lengths filling one bar, in beats; negative is a rest. */
const rhythms: Record<Density, readonly (readonly number[])[]> = {
  calm: [[2, 2], [3, 1], [1.5, 0.5, 2], [2, 1, 1], [-1, 1, 2], [1, 3]],
  middle: [[1, 1, 1, 1], [1.5, 0.5, 1, 1], [1, 0.5, 0.5, 2], [0.5, 0.5, 1, 2], [1.5, 1.5, 1], [-0.5, 0.5, 1, 1, 1], [0.5, 1, 0.5, 2]],
  busy: [[0.5, 0.5, 0.5, 0.5, 1, 1], [0.75, 0.75, 0.5, 1, 1], [1, 0.5, 0.5, 0.5, 0.5, 1], [0.5, 0.5, 1, 0.5, 0.5, 1], [-0.5, 0.5, 0.5, 0.5, 1, 1], [1.5, 0.5, 0.5, 0.5, 0.5, 0.5]],
}; // prettier-ignore

/** Semitones above the middle of its range that a melody may reach. */
const TOP = 11;

interface MotifNote {
  at: number;
  beats: number;
  /** Scale steps from the motif's first note. */
  step: number;
}

function makeBar(random: Random, density: Density, from: number): { notes: MotifNote[]; end: number } {
  const notes: MotifNote[] = [];
  let at = 0;
  let step = from;
  for (const beats of pick(random, rhythms[density])) {
    if (beats > 0) {
      notes.push({ at, beats, step });
      const leap = random() < 0.22;
      const away = leap ? integerBetween(random, 2, 3) : 1;
      const up = step <= -3 ? 1 : step >= 4 ? -1 : random() < 0.52 ? 1 : -1;
      step += random() < 0.12 ? 0 : up * away;
    }
    at += Math.abs(beats);
  }
  return { notes, end: step };
}

export interface MelodyPlan {
  density: Density;
  scale: readonly number[];
  /** MIDI middle of the range. */
  centre: number;
}

/** The chord at a beat of a bar. */
function chordAt(bar: readonly Chord[], at: number): Chord {
  return bar[Math.min(bar.length - 1, Math.floor((at / BAR_BEATS) * bar.length))] as Chord;
}

/**
 * Eight-bar sentences from a two-bar motif: motif, motif moved with the harmony, motif, close. Strong beats use chord
 * tones; weak ones use the scale, altered if the chord contradicts it.
 */
export function composeMelody(
  chords: readonly (readonly Chord[])[],
  firstBar: number,
  plan: MelodyPlan,
  lift: number,
  random: Random,
): NoteEvent[] {
  const { density, centre } = plan;
  const rungs = ladder(plan.scale, centre - 14, centre + TOP);
  const opening = makeBar(random, density, 0);
  const answer = makeBar(random, density, opening.end);
  const events: NoteEvent[] = [];
  const start = rungs.indexOf(nearest(rungs, centre + lift));
  let anchor = start;
  chords.forEach((bar, index) => {
    const place = index % 8;
    const closing = place === 7 || index === chords.length - 1;
    const half = place === 3;
    if (place === 0) anchor = start;
    if (place % 2 === 0) {
      const home = nearest(
        ladder((bar[0] as Chord).tones, centre - 12, centre + 12),
        (rungs[anchor] ?? centre) + (place === 4 ? 2 : 0),
      );
      anchor = rungs.indexOf(nearest(rungs, home));
      anchor = Math.max(4, Math.min(rungs.length - 6, anchor));
    }
    const material = place % 2 === 0 ? opening.notes : answer.notes;
    const notes = closing || half ? cadence(material, closing) : material;
    for (const { at, beats, step } of notes) {
      const chord = chordAt(bar, at);
      const wanted = rungs[Math.max(0, Math.min(rungs.length - 1, anchor + step))] ?? centre;
      const strong = at % 2 === 0 || beats >= 1.5;
      const midi = strong
        ? nearest(ladder(chord.tones.slice(0, 4), centre - 15, centre + TOP), wanted)
        : unbent(wanted, chord);
      events.push({
        beat: (firstBar + index) * BAR_BEATS + at,
        beats: beats * 0.96,
        midi,
        velocity: at === 0 ? 0.95 : strong ? 0.88 : 0.76,
      });
    }
  });
  return events;
}

/** Keeps the start of a bar and ends with a long note. */
function cadence(notes: readonly MotifNote[], closing: boolean): MotifNote[] {
  const from = closing ? 1 : 2;
  const kept = notes
    .filter((note) => note.at + 0.01 < from)
    .map((note) => ({ ...note, beats: Math.min(note.beats, from - note.at) }));
  const step = (kept.at(-1)?.step ?? 0) + (closing ? -1 : 1);
  return [...kept, { at: from, beats: BAR_BEATS - from - (closing ? 0.25 : 0), step }];
}

/** A scale note a semitone from an altered chord tone is dissonant; the chord's note is used. */
function unbent(midi: number, chord: Chord): number {
  const pitch = midi % 12;
  if (chord.tones.includes(pitch)) return midi;
  for (const away of [1, -1]) if (chord.tones.slice(1).includes((pitch + away + 12) % 12)) return midi + away;
  return midi;
}
