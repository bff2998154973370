import type { DrumName } from '../synth/drums.ts';
import type { InstrumentName } from '../synth/instruments.ts';
import type { ScaleName } from './theory.ts';

/** How a part converts chords into notes; see music/patterns.ts. */
// prettier-ignore
export type CompPattern =
  | 'hold' | 'halves' | 'pulse' | 'offbeat' | 'stabs' | 'bossa' | 'strum' | 'charleston';
export type ArpPattern = 'up' | 'upDown' | 'alberti' | 'sixteenths' | 'slow' | 'sparse';
// prettier-ignore
export type BassPattern =
  | 'root' | 'rootFifth' | 'eighths' | 'octaves' | 'walking' | 'syncopated' | 'pedal' | 'bossa';

interface PartBase {
  /** One of these is chosen by the piece's seed. */
  instruments: readonly InstrumentName[];
  level: number;
  /** -1 left to 1 right. */
  pan?: number;
  /** How far alternate notes are panned to either side. */
  spread?: number;
  /** Reverb send; 1: normal. */
  send?: number;
  /** The part plays in sections at least this intense (0-1). */
  from?: number;
  /** MIDI middle of the range. */
  centre: number;
}

export type Part =
  | (PartBase & { role: 'chords'; pattern: CompPattern })
  | (PartBase & { role: 'arpeggio'; pattern: ArpPattern })
  | (PartBase & { role: 'bass'; pattern: BassPattern })
  | (PartBase & { role: 'melody'; density: Density });

export type Density = 'calm' | 'middle' | 'busy';

/** One character per sixteenth: `X` accent, `x` normal, `-` soft, `.` none; spaces are ignored. */
export interface Groove {
  from?: number;
  lanes: Partial<Record<DrumName, string>>;
}

/** Beats (quarter notes) in a bar, in every mood. */
export const BAR_BEATS = 4;

export interface Mood {
  scale: ScaleName;
  /** Progressions for the first and the second theme; one of each is chosen by the seed. */
  first: readonly string[];
  second: readonly string[];
  /** The final chord of a piece. */
  home: string;
  /** The delay of every second eighth (or sixteenth): 0 straight to 0.33 triplet. */
  swing?: number;
  swingUnit?: 'eighth' | 'sixteenth';
  parts: readonly Part[];
  grooves: readonly Groove[];
  drumLevel?: number;
  room: { decaySeconds: number; damping: number; wet: number };
  /** A fill at the end of each section. */
  fills?: readonly DrumName[];
  /** Random timing deviation in seconds. */
  loose?: number;
  /** Record hiss and crackle. */
  vinyl?: boolean;
}
