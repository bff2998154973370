import { RATE } from './signals.ts';

/** Frequency of a MIDI note. */
export function toHz(note: number): number {
  return 440 * 2 ** ((note - 69) / 12);
}

/** Adds a decaying note with some harmonics. */
export function addNote(
  to: Float32Array,
  {
    second,
    note,
    seconds = 0.4,
    level = 0.2,
    harmonics = 4,
  }: {
    readonly second: number;
    readonly note: number;
    readonly seconds?: number;
    readonly level?: number;
    readonly harmonics?: number;
  },
): void {
  const from = Math.round(second * RATE);
  const end = Math.min(to.length, from + Math.round(seconds * RATE));
  for (let at = from; at < end; at += 1) {
    const time = (at - from) / RATE;
    let sum = 0;
    for (let harmonic = 1; harmonic <= harmonics; harmonic += 1) {
      sum += Math.sin(2 * Math.PI * toHz(note) * harmonic * time) / harmonic;
    }
    to[at] = (to[at] ?? 0) + level * Math.exp((-3 * time) / seconds) * sum;
  }
}

/** Chords I, IV, V and I of a key, one note of a chord at each beat. */
export function playChords({
  bpm,
  tonic,
  isMinor,
  seconds,
}: {
  readonly bpm: number;
  /** A MIDI note. */
  readonly tonic: number;
  readonly isMinor: boolean;
  readonly seconds: number;
}): Float32Array {
  const samples = new Float32Array(seconds * RATE);
  const third = isMinor ? 3 : 4;
  for (let beat = 0; (beat * 60) / bpm < seconds; beat += 1) {
    const root = tonic + ([0, 5, 7, 0][Math.floor(beat / 4) % 4] ?? 0);
    // The dominant of a minor key is a major chord.
    const chord = [0, Math.floor(beat / 4) % 4 === 2 ? 4 : third, 7];
    for (const step of chord) addNote(samples, { second: (beat * 60) / bpm, note: root + step });
  }
  return samples;
}
