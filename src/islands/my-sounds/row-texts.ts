import type { Genre } from '../../../contract/sounds/genres.ts';
import { CHOICE_FIELDS, FIELD_NAMES, toText } from '../many-sounds/fields.ts';
import type { ListField } from '../many-sounds/fields.ts';

export const ROW_NAMES = { ...FIELD_NAMES, filename: 'ファイル' };
/** The options of rows that have some, by row. */
export const CHOICES: Readonly<Record<string, readonly (readonly [string, string])[]>> = CHOICE_FIELDS;

const LISTS: readonly string[] = ['sub_genres', 'moods', 'licence_uses'] satisfies ListField[];

/** The display text of a value of a row, or of one in its list. */
export function toValueText(row: string, value: string, genres: readonly Genre[]): string {
  if (LISTS.includes(row)) return toText(value, genres);
  return CHOICES[row]?.find(([option]) => option === value)?.[1] ?? value;
}
