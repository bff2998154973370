import type { DrumName } from '../synth/drums.ts';
import type { InstrumentName } from '../synth/instruments.ts';
import type { ScaleName } from './theory.ts';

/** How a part turns chords into notes; see music/patterns.ts. */
// prettier-ignore
export type CompPattern =
  | 'hold' | 'halves' | 'pulse' | 'offbeat' | 'stabs' | 'bossa' | 'strum' | 'waltz' | 'charleston' | 'quarter';
export type ArpPattern = 'up' | 'upDown' | 'alberti' | 'sixteenths' | 'slow' | 'waltz' | 'octaves' | 'sparse';
// prettier-ignore
export type BassPattern =
  | 'root' | 'rootFifth' | 'eighths' | 'octaves' | 'walking' | 'syncopated' | 'waltz' | 'pedal' | 'bossa';

interface PartBase {
  /** One of these is chosen by the piece's seed. */
  instruments: readonly InstrumentName[];
  level: number;
  /** -1 left to 1 right. */
  pan?: number;
  /** How far alternate notes go to either side. */
  spread?: number;
  /** Reverb send, 1 as usual. */
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
  | (PartBase & { role: 'melody'; density: Density })
  /** The melody's long notes a third below, for thickness. */
  | (PartBase & { role: 'harmony' });

export type Density = 'calm' | 'middle' | 'busy';

/** One character a sixteenth: `X` accent, `x` normal, `-` soft, `.` none; spaces only for reading. */
export interface Groove {
  from?: number;
  lanes: Partial<Record<DrumName, string>>;
}

export interface Mood {
  meter: 3 | 4;
  scale: ScaleName;
  /** Progressions for the first and the second theme; one of each is chosen by the seed. */
  first: readonly string[];
  second: readonly string[];
  /** The chord a piece comes to rest on. */
  home: string;
  /** 0 straight to 0.33 triplet: how late every second eighth (or sixteenth) comes. */
  swing?: number;
  swingUnit?: 'eighth' | 'sixteenth';
  parts: readonly Part[];
  grooves: readonly Groove[];
  drumLevel?: number;
  room: { decaySeconds: number; damping: number; wet: number };
  echo?: { beats: number; feedback: number; wet: number };
  /** A fill at the end of each section. */
  fills?: readonly DrumName[];
  /** Timing looseness in seconds. */
  loose?: number;
  /** Record hiss and crackle. */
  vinyl?: boolean;
}
