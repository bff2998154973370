import { findPictureProblem } from '../../lib/picture-files.ts';
import {
  type SoundDraft,
  type SoundRow,
  type SoundValues,
  SOUND_ROWS,
  checkRow,
} from '../my-sounds/my-sounds.ts';
import { memberAtom } from '../shared/member-atom.ts';
import type { ManyRow } from './rows.ts';

/** The fields of a sound that can be changed in several at once. */
export type PlannedField = Exclude<SoundRow, 'filename'>;

/** The planned change of a field; a field without one stays. `add` and `remove` are for lists, `add` also for texts. */
export interface FieldPlan {
  readonly mode: 'set' | 'add' | 'remove';
  readonly value: string | readonly string[];
}
export type Plan = { readonly [Field in PlannedField]?: FieldPlan };

export const PLANNED_FIELDS = SOUND_ROWS.filter((row): row is PlannedField => row !== 'filename');

export const $plan = memberAtom<Plan>({});

/** Plans a field; null leaves it as it is. */
export function planField(field: PlannedField, plan: FieldPlan | null): void {
  const { [field]: _, ...others } = $plan.get();
  $plan.set(plan === null ? others : { ...others, [field]: plan });
}

/** A picture for all; `problem`: why the last one was refused. */
export interface PlannedPicture {
  readonly file: File | null;
  readonly problem: string | null;
}

export const $plannedPicture = memberAtom<PlannedPicture>({ file: null, problem: null });

export function planPicture(chosen: File | null): void {
  const problem = chosen && findPictureProblem(chosen);
  $plannedPicture.set({ file: problem === null ? chosen : null, problem });
}

export function clearPlan(): void {
  $plan.set({});
  planPicture(null);
}

/** What a change would do to a row: its changed values, or why it stays as it is. */
export interface Outcome {
  readonly row: ManyRow;
  readonly values: SoundValues;
  readonly problem: string | null;
}

/** The values that a plan gives a row. */
export function toValues(plan: Plan, saved: SoundDraft): SoundValues {
  return Object.fromEntries(
    Object.entries(plan).map(([field, { mode, value }]: [string, FieldPlan]) => [
      field,
      toValue(mode, value, saved[field as PlannedField]),
    ]),
  );
}

/** By our own rules; the host applies them again. */
export function toOutcome(row: ManyRow, wanted: SoundValues): Outcome {
  const draft: SoundDraft = { ...row.saved, ...wanted };
  const values: Record<string, unknown> = {};
  let problem: string | null = null;
  for (const field of PLANNED_FIELDS) {
    const check = checkRow(field, draft, row.saved);
    problem ??= check.problem;
    if (check.isChanged) values[field] = draft[field];
  }
  if (values['is_published'] === 'true' && row.sound?.hidden_reason !== undefined) {
    problem = '運営により非公開になっているため、公開できません。';
  }
  return { row, values: problem === null ? (values as SoundValues) : {}, problem };
}

export function isChange({ values }: Outcome): boolean {
  return Object.keys(values).length > 0;
}

function toValue(mode: FieldPlan['mode'], value: FieldPlan['value'], saved: string | readonly string[]) {
  if (mode === 'set') return value;
  if (typeof value === 'string' || typeof saved === 'string')
    return [saved, value].filter(Boolean).join('\n');
  const others = saved.filter((each) => !value.includes(each));
  return mode === 'remove' ? others : [...saved, ...value.filter((each) => !saved.includes(each))];
}
