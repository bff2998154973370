export { $applying, applyOutcomes, dismissResult, undoChanges } from './applying.ts';
export type { Applying } from './applying.ts';
export { $plan, PLANNED_FIELDS, clearPlan, isChange, planField, toOutcome, toValues } from './plan.ts';
export type { FieldPlan, Outcome, Plan, PlannedField } from './plan.ts';
export { $chosenIds, $chosenRows, $manyRows, chooseRows } from './rows.ts';
export type { ManyRow } from './rows.ts';
