import type { Genre } from '../../../contract/sounds/genres.ts';
import type { PlannedField } from '../../stores/many-sounds/many-sounds.ts';
import { FACT_TEXTS } from '../../lib/fact-texts.ts';
import { CHIP_TEXTS, FACT_CHOICES } from '../my-sounds/SoundFactFields.tsx';

export type ListField = 'sub_genres' | 'moods' | 'licence_uses';
export type ChoiceField = Exclude<PlannedField, ListField | 'title' | 'description' | 'bpm'>;

export const FIELD_NAMES: Readonly<Record<PlannedField, string>> = {
  is_published: 'ステータス',
  title: 'タイトル',
  is_ai_generated: 'AI制作',
  description: '説明',
  sub_genres: 'サブジャンル',
  bpm: 'BPM',
  key: FACT_CHOICES.key.label,
  is_loopable: FACT_CHOICES.is_loopable.label,
  has_vocals: FACT_CHOICES.has_vocals.label,
  moods: '雰囲気',
  licence_uses: FACT_TEXTS.use.name,
  content_id: FACT_CHOICES.content_id.label,
};

export const CHOICE_FIELDS: Readonly<Record<ChoiceField, readonly (readonly [string, string])[]>> = {
  is_published: [
    ['true', '公開'],
    ['false', '非公開'],
  ],
  is_ai_generated: [
    ['true', 'AI使用'],
    ['false', 'AI不使用'],
  ],
  key: FACT_CHOICES.key.options,
  is_loopable: FACT_CHOICES.is_loopable.options,
  has_vocals: FACT_CHOICES.has_vocals.options,
  content_id: FACT_CHOICES.content_id.options,
};

/** The display text of a sub-genre, mood or use. */
export function toText(value: string, genres: readonly Genre[]): string {
  const genre = genres.flatMap(({ sub_genres }) => sub_genres).find(({ id }) => id === value);
  return genre?.name ?? (CHIP_TEXTS as Readonly<Record<string, string>>)[value] ?? value;
}
