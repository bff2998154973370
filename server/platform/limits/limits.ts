export { createAdmission, isRefusal, unlimitedAdmission } from './admission.ts';
export type { Admission } from './admission.ts';
export { createBudgets } from './budgets.ts';
export type { BudgetOptions, Budgets } from './budgets.ts';
export { Busy } from './busy.ts';
export { askPrimary, countForWorker } from './counting-between-workers.ts';
export { createMemoryRateLimits, createRateLimits } from './counting.ts';
export { TooManyRequests, isWithinLimit, noRateLimits } from './rate-limits.ts';
export type { ConcurrencyLimit, RateLimit, RateLimits } from './rate-limits.ts';
export { addProcessorMs, createProcessorMeter, findCaller } from './processor-time.ts';
export type { ProcessorMeter } from './processor-time.ts';
export {
  DRAWING_LIMITS,
  LOG_LINE_LIMITS,
  MISS_LIMITS,
  PROCESSOR_LIMITS,
  READ_LIMITS,
  toPageLimits,
} from './read-limits.ts';
export type { PageServer } from './read-limits.ts';
