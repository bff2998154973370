import type { Mood } from '../../../contract/sounds/sound-facts.ts';

/** What the words of an artist say about a tempo that is as likely as its half or double. */
export type Pace = 'slow' | 'fast';

const WORDS: readonly (readonly [Pace, RegExp])[] = [
  [
    'slow',
    /スロー|バラード|ゆっくり|ゆったり|遅い|静か|アンビエント|ヒーリング|癒し|睡眠|子守(唄|歌|うた)|オルゴール|ローファイ|チル|\b(slow|ballad|lullaby|ambient|lo-?fi|chill(out)?)\b/,
  ],
  [
    'fast',
    /速い|高速|疾走|アップテンポ|戦闘|バトル|メタル|ドラムンベース|\b(fast|up-?tempo|battle|metal|drum ?(and|&|n) ?bass)\b/,
  ],
];
const SLOW_MOODS: readonly Mood[] = ['calm', 'sad'];
const LIVELY_MOODS: readonly Mood[] = ['bright', 'comical', 'cute', 'brave', 'tense'];

/** A slow sound is not as fast as this, nor is a fast one slower. Beats a minute. */
export const SLOW_BELOW = 135;
export const FAST_FROM = 95;

/** By title and sub-genres, or else by moods; undefined if they say nothing, or both. */
export function toPace(texts: readonly string[], moods: readonly string[]): Pace | undefined {
  const text = texts.join('\n').normalize('NFKC').toLowerCase();
  const found = WORDS.filter(([, words]) => words.test(text)).map(([pace]) => pace);
  if (found.length > 0) return found.length === 1 ? found[0] : undefined;
  const isAny = (some: readonly Mood[]) => some.some((mood) => moods.includes(mood));
  return isAny(SLOW_MOODS) && !isAny(LIVELY_MOODS) ? 'slow' : undefined;
}

/**
 * Whether sounds of a type with this icon can be music, which the staff says by the icon. Effects have no tempo, though a
 * purr or an engine seems to, and nothing follows them in the player.
 */
export function isMusic(icon: string): boolean {
  return icon === '' || icon === 'music';
}
