import { SOUND_FIELDS, forEachField } from '../catalogue/sound-fields.ts';
import type { FieldName, FieldTexts } from '../catalogue/sound-fields.ts';

/**
 * The values of a sound that its artist edits, as in a form: flags are 'true' and 'false', '' is no answer. `thumbnail`
 * only distinguishes pictures.
 */
export interface SoundValues extends FieldTexts {
  readonly title: string;
  readonly description: string;
  readonly filename: string;
  /** Also 'true' for a sound that its artist has published and the staff has hidden. */
  readonly is_published: string;
  readonly sub_genres: readonly string[];
  readonly bpm: string;
  readonly key: string;
  readonly thumbnail: string;
}
export type ValueName = keyof SoundValues;
type Value = string | readonly string[];

/** The order of a list is not significant. */
export function isSameValue(one: Value | undefined, other: Value | undefined): boolean {
  if (typeof one === 'string' || typeof other === 'string' || one === undefined || other === undefined) {
    return one === other;
  }
  return one.length === other.length && !losesValue(one, other);
}

/** The names of the values that differ. */
export function listChanged(before: SoundValues, after: SoundValues): ValueName[] {
  return (Object.keys(before) as ValueName[]).filter((name) => !isSameValue(before[name], after[name]));
}

/** How a change of a sound counts, see decision 181. */
export interface Judgement {
  /** The change removes something from a public sound: a text, an answer, a genre, its picture, or its publication. */
  readonly isWorse: boolean;
  /** Downloads from now on may be used for more, or are said to be free of Content ID. */
  readonly isWider: boolean;
}

/** Judges a change. Adding what was not there is not worse; licences of private sounds count as those of public ones. */
export function judgeChange(before: SoundValues, after: SoundValues): Judgement {
  const isPublic = before.is_published === 'true';
  const names = listChanged(before, after);
  return {
    isWorse: isPublic && names.some((name) => isTaken(name, before[name], after[name])),
    isWider: losesValue(after.licence_uses, before.licence_uses) || isContentIdWider(before, after),
  };
}

/** What visitors read: another text replaces nothing, and can still do harm. */
const TEXTS: ReadonlySet<ValueName> = new Set(['title', 'description', 'filename']);

/** Values that are no answer yet; '' for the others. */
const UNANSWERED: { readonly [Name in ValueName]?: string | undefined } = {
  is_published: 'false',
  ...forEachField<Record<FieldName, string | undefined>>((name) => SOUND_FIELDS[name].unanswered),
};

/** Whether a changed value is more than a first answer or an addition. */
function isTaken(name: ValueName, before: Value, after: Value): boolean {
  if (typeof before !== 'string') return losesValue(before, after);
  if (TEXTS.has(name)) return true;
  return before !== (UNANSWERED[name] ?? '');
}

function losesValue(before: Value, after: Value): boolean {
  return typeof before !== 'string' && before.some((item) => !after.includes(item));
}

function isContentIdWider({ content_id: before }: SoundValues, { content_id: after }: SoundValues): boolean {
  return before !== after && (after === 'none' || before === 'registered');
}

/** The values that one change has replaced. */
export interface ReplacedValues {
  readonly before: Partial<SoundValues>;
}

/**
 * The value of a field after the change at `index`, of the changes of a sound, oldest first: what the next change of the
 * field replaced, or what it is now.
 */
export function toValueAfter(
  changes: readonly ReplacedValues[],
  index: number,
  name: ValueName,
  current: SoundValues,
): Value {
  const next = changes.slice(index + 1).find(({ before }) => before[name] !== undefined);
  return next?.before[name] ?? current[name];
}

/**
 * The values before the changes of a sound that `isUndone` chooses, oldest first. With `keepsLater`, without those that
 * another change has replaced since.
 */
export function toFormer<Change extends ReplacedValues>(
  changes: readonly Change[],
  current: SoundValues,
  isUndone: (change: Change) => boolean,
  keepsLater: boolean,
): Partial<SoundValues> {
  const former: Partial<Record<ValueName, Value>> = {};
  const last: Partial<Record<ValueName, number>> = {};
  for (const [index, change] of changes.entries()) {
    if (!isUndone(change)) continue;
    for (const name of Object.keys(change.before) as ValueName[]) {
      former[name] ??= change.before[name] ?? '';
      last[name] = index;
    }
  }
  const names = Object.keys(former) as ValueName[];
  const isLater = (name: ValueName) =>
    keepsLater && !isSameValue(toValueAfter(changes, last[name] ?? 0, name, current), current[name]);
  return Object.fromEntries(
    names
      .filter((name) => name !== 'thumbnail' && !isLater(name) && !isSameValue(former[name], current[name]))
      .map((name) => [name, former[name]]),
  );
}
