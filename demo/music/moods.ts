import type { Mood } from './mood.ts';
import { calmMoods } from './moods-calm.ts';
import { livelyMoods } from './moods-lively.ts';

export const moods = { ...calmMoods, ...livelyMoods } satisfies Record<string, Mood>;

export type MoodName = keyof typeof moods;
