import type { EffectName } from '../effects/perform.ts';
import type { MusicRecipe } from '../music/form.ts';
import type { MoodName } from '../music/moods.ts';
import type { PaletteName } from '../pictures/palettes.ts';
import type { MotifName } from '../pictures/picture.ts';

interface Entry {
  title: string;
  text: string;
  /** Names of sub-genres and moods (`genres.ts`). */
  tags: readonly string[];
  /** Username. */
  by: string;
  art: readonly [MotifName, PaletteName] | null;
  ai?: true;
  hidden?: true;
}

export interface MusicEntry extends Entry {
  mood: MoodName;
  bpm: number;
  /** Semitones from C major / A minor. */
  key: number;
  bars: number;
  ending: MusicRecipe['ending'];
}

export interface EffectEntry extends Entry {
  effect: EffectName;
  seconds: number;
  pitch?: number;
}
