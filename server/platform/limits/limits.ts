export { createAdmission, isRefusal, unlimitedAdmission } from './admission.ts';
export type { Admission, AdmissionOptions } from './admission.ts';
export { createBudgets } from './budgets.ts';
export { Busy } from './busy.ts';
export { askPrimary, countForWorker } from './counting-between-workers.ts';
export { createMemoryRateLimits, createRateLimits } from './counting.ts';
export { TooManyRequests, isWithinLimit, noRateLimits } from './rate-limits.ts';
export type { ConcurrencyLimit, RateLimit, RateLimits } from './rate-limits.ts';
export {
  API_READ_LIMITS,
  DRAWING_LIMITS,
  LOG_LINE_LIMITS,
  MISS_LIMITS,
  toPageLimits,
} from './read-limits.ts';
