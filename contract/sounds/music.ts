/** Bounds of a tempo that an artist enters. */
export const BPM_MIN = 20;
export const BPM_MAX = 300;

/** The 24 keys: twelve major ones from C upwards, then the minor ones in the same order. */
export const MUSICAL_KEYS = [
  ...(['C', 'Db', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B'] as const),
  ...(['Cm', 'C#m', 'Dm', 'Ebm', 'Em', 'Fm', 'F#m', 'Gm', 'G#m', 'Am', 'Bbm', 'Bm'] as const),
] as const;
export type MusicalKey = (typeof MUSICAL_KEYS)[number];

const NOTE_NAMES = { C: 'ハ', D: 'ニ', E: 'ホ', F: 'ヘ', G: 'ト', A: 'イ', B: 'ロ' } as const;

/** The name of a key for people: `変ニ長調 D♭`, `嬰ヘ短調 F♯m`. */
export function toKeyName(key: MusicalKey): string {
  const note = NOTE_NAMES[key[0] as keyof typeof NOTE_NAMES];
  const sign = key[1] === 'b' ? '変' : key[1] === '#' ? '嬰' : '';
  const symbol = key.replace('b', '♭').replace('#', '♯');
  return `${sign}${note}${key.endsWith('m') ? '短調' : '長調'} ${symbol}`;
}
