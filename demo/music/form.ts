import type { MoodName } from './moods.ts';
import { BAR_BEATS } from './mood.ts';

export interface MusicRecipe {
  kind: 'music';
  mood: MoodName;
  seed: number;
  /** Beats (quarter notes) per minute. */
  bpm: number;
  /** Semitones from C major / A minor. */
  transpose: number;
  bars: number;
  /** `loop` joins its own start; `fade` fades out; `final` ends on a last chord. */
  ending: 'loop' | 'fade' | 'final';
}

/** Silence-free tail after the last chord, in seconds. */
const FINAL_TAIL_SECONDS = 1.1;

export function barSeconds(recipe: MusicRecipe): number {
  return (BAR_BEATS * 60) / recipe.bpm;
}

export function musicSeconds(recipe: MusicRecipe): number {
  const last = recipe.ending === 'final' ? barSeconds(recipe) + FINAL_TAIL_SECONDS : 0;
  return recipe.bars * barSeconds(recipe) + last;
}

export interface Section {
  firstBar: number;
  bars: number;
  theme: 'intro' | 'first' | 'second';
  /** 0-1: which parts play. */
  intensity: number;
}

/** Introduction, first theme, second theme, first theme at full strength, as far as there are bars. */
export function sectionsOf(bars: number): Section[] {
  const plan: [number, Section['theme'], number][] =
    bars <= 8
      ? [[bars, 'first', 1]]
      : bars <= 12
        ? [[4, 'intro', 0.35], [bars - 4, 'first', 1]]
        : [[4, 'intro', 0.35], [8, 'first', 0.7], [8, 'second', 0.85], [8, 'first', 1], [8, 'second', 1]]; // prettier-ignore
  const sections: Section[] = [];
  let firstBar = 0;
  for (const [wanted, theme, intensity] of plan) {
    const length = Math.min(wanted, bars - firstBar);
    if (length <= 0) break;
    sections.push({ firstBar, bars: length, theme, intensity });
    firstBar += length;
  }
  if (firstBar < bars) sections.push({ firstBar, bars: bars - firstBar, theme: 'first', intensity: 1 });
  return sections;
}
