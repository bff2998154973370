import type * as v from 'valibot';
import { CONTENT_ID_TEXTS, MOOD_TEXTS, USE_TEXTS } from '../../../contract/sounds/fact-labels.ts';
import { LICENCE_USES, MOODS } from '../../../contract/sounds/sound-facts.ts';
import type { ContentIdState } from '../../../contract/sounds/sound-facts.ts';
import type { SoundSchema } from '../../../contract/sounds/sounds.ts';
import { toFlag, toList } from '../../platform/database/tables/parts.ts';
import type { Flag } from '../../platform/database/tables/parts.ts';
import type { FieldColumns } from './tables.ts';

export type FieldName = keyof FieldColumns;
type FlagText = 'true' | 'false';

const FLAG = {
  toColumn: (given: boolean | FlagText) => toFlag(String(given) === 'true'),
  toText: (column: Flag): FlagText => (column === 1 ? 'true' : 'false'),
  toWire: (column: Flag) => column === 1,
  toCell: toYes,
};
/** null: not answered. */
const OPTIONAL_FLAG = {
  toColumn: (given: boolean | FlagText | '') => (given === '' ? null : FLAG.toColumn(given)),
  toText: (column: Flag | null) => (column === null ? '' : FLAG.toText(column)),
  toWire: (column: Flag | null) => (column === null ? undefined : column === 1),
  toCell: (column: Flag | null) => (column === null ? '' : toYes(column)),
};
/** Any of the words, stored in this order. */
const words = (order: readonly string[], texts: Readonly<Record<string, string>>, separator: string) => ({
  toColumn: (given: readonly string[]) =>
    [...new Set([...order, ...given])].filter((word) => given.includes(word)).join(' '),
  toText: (column: string): readonly string[] => toList(column),
  toWire: toList,
  toCell: (column: string) =>
    toList(column)
      .map((word) => texts[word] ?? word)
      .join(separator),
});

/** The fields that artists give of a sound. Adding one: docs/recipes.md. */
const FIELDS = {
  is_ai_generated: { label: 'AI制作', ...FLAG },
  is_loopable: { label: 'ループ', exportLabel: 'ループ可', unanswered: 'false', ...FLAG },
  has_vocals: { label: 'ボーカル', ...OPTIONAL_FLAG },
  moods: { label: '雰囲気', ...words(MOODS, MOOD_TEXTS, '・') },
  licence_uses: {
    label: '追加で認めた使いみち',
    exportLabel: '使いみちの回答',
    ...words(LICENCE_USES, USE_TEXTS, '、'),
  },
  content_id: {
    label: 'Content ID',
    toColumn: (given: ContentIdState | '') => given || null,
    toText: (column: ContentIdState | null) => column ?? '',
    toWire: (column: ContentIdState | null) => column ?? undefined,
    toCell: (column: ContentIdState | null) => (column === null ? '' : CONTENT_ID_TEXTS[column]),
  },
};
type Fields = typeof FIELDS;

/** As forms send them, and as former values are stored: '' is no answer. */
export type FieldTexts = { readonly [Name in FieldName]: ReturnType<Fields[Name]['toText']> };
type Given = { readonly [Name in FieldName]: Parameters<Fields[Name]['toColumn']>[0] };
/** From a form, from former values, or of a new sound. */
export type GivenFields = { readonly [Name in FieldName]?: Given[Name] | undefined };
type WireFields = { [Name in FieldName]: v.InferInput<typeof SoundSchema>[Name] };

interface SoundField<Name extends FieldName> {
  /** What people read for it, in mails. */
  readonly label: string;
  /** The same in a member's export, if it differs. */
  readonly exportLabel?: string;
  /** The text besides '' that is no answer: another one takes nothing away. */
  readonly unanswered?: string;
  toColumn(given: Given[Name]): FieldColumns[Name];
  toText(column: FieldColumns[Name]): FieldTexts[Name];
  /** In replies, which leave out what is undefined. */
  toWire(column: FieldColumns[Name]): WireFields[Name];
  /** In a member's export. */
  toCell(column: FieldColumns[Name]): string;
}
export const SOUND_FIELDS: { readonly [Name in FieldName]: SoundField<Name> } = FIELDS;

/** One value for each field. */
export function forEachField<Values extends Readonly<Record<FieldName, unknown>>>(
  toValue: <Name extends FieldName>(name: Name) => Values[Name],
): { [Name in FieldName]: Values[Name] } {
  return {
    is_ai_generated: toValue('is_ai_generated'),
    is_loopable: toValue('is_loopable'),
    has_vocals: toValue('has_vocals'),
    moods: toValue('moods'),
    licence_uses: toValue('licence_uses'),
    content_id: toValue('content_id'),
  };
}

/** To select them from `sounds`. */
export const FIELD_COLUMNS = Object.values(forEachField<Record<FieldName, FieldName>>((name) => name)).map(
  (name) => `sounds.${name}` as const,
);

/** The columns of what is given; the others are undefined, which statements leave out. */
export function toFieldColumns(given: GivenFields) {
  return forEachField<{ [Name in FieldName]: FieldColumns[Name] | undefined }>((name) => {
    const value = given[name];
    return value === undefined ? undefined : SOUND_FIELDS[name].toColumn(value);
  });
}

export function toFieldTexts(row: FieldColumns) {
  return forEachField<FieldTexts>((name) => SOUND_FIELDS[name].toText(row[name]));
}

export function toWireFields(row: FieldColumns) {
  return forEachField<WireFields>((name) => SOUND_FIELDS[name].toWire(row[name]));
}

export function toYes(flag: Flag): string {
  return flag === 1 ? 'はい' : 'いいえ';
}
