/** Bounds of a tempo that an artist enters. */
export const BPM_MIN = 20;
export const BPM_MAX = 300;

/** The 24 keys: twelve major ones from C upwards, then the minor ones in the same order. */
export const MUSICAL_KEYS = [
  ...(['C', 'Db', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B'] as const),
  ...(['Cm', 'C#m', 'Dm', 'Ebm', 'Em', 'Fm', 'F#m', 'Gm', 'G#m', 'Am', 'Bbm', 'Bm'] as const),
] as const;
export type MusicalKey = (typeof MUSICAL_KEYS)[number];
