export { $applying, applyOutcomes, dismissResult, hasNewPicture, undoChanges } from './applying.ts';
export type { Applying } from './applying.ts';
export {
  $plan,
  $plannedPicture,
  PLANNED_FIELDS,
  clearPlan,
  isChange,
  planField,
  planPicture,
  toOutcome,
  toValues,
} from './plan.ts';
export type { FieldPlan, Outcome, Plan, PlannedField } from './plan.ts';
export { $chosenIds, $chosenRows, manyRows, chooseRows } from './rows.ts';
export type { ManyRow } from './rows.ts';
export { FIRST_PATTERN, NAME_PARTS, fillFromNames, readPattern } from './name-pattern.ts';
export { fillFromTable, readTable } from './table.ts';
export type { FilledTable } from './table.ts';
