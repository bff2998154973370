import { createAdmission } from '#server/platform/limits/admission.ts';
import type { Admission, QueueLimits } from '#server/platform/limits/admission.ts';
import { createBudgets } from '#server/platform/limits/budgets.ts';
import type { BudgetOptions } from '#server/platform/limits/budgets.ts';

export type CallLimits = QueueLimits & BudgetOptions;

/** An admission that counts calls; keys need not be addresses. */
export function limitCalls(limits: CallLimits): Admission {
  return createAdmission({ ...limits, budgets: createBudgets(limits) });
}
