import type { Mood } from './mood.ts';
import * as brightMoods from './moods-bright.ts';
import * as calmMoods from './moods-calm.ts';
import * as intenseMoods from './moods-intense.ts';

export const moods = { ...brightMoods, ...calmMoods, ...intenseMoods } satisfies Record<string, Mood>;

export type MoodName = keyof typeof moods;

export function getMood(name: MoodName): Mood {
  return moods[name];
}
