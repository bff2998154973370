import type { Mood } from './mood.ts';
import { brightMoods } from './moods-bright.ts';
import { calmMoods } from './moods-calm.ts';
import { intenseMoods } from './moods-intense.ts';

export const moods = { ...brightMoods, ...calmMoods, ...intenseMoods } satisfies Record<string, Mood>;

export type MoodName = keyof typeof moods;

export function getMood(name: MoodName): Mood {
  return moods[name];
}
