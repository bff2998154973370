export { SITE_SUBJECT } from './counts.ts';
export { reverseCredit } from './credit-reversal.ts';
export { DOWNLOAD_LIMITS_DEFAULT, withRecordLimits } from './limits.ts';
export { approveHeldCredits, rejectHeldCredits } from './review-many.ts';
export { findLastDecision, listHeldGroups } from './held-groups.ts';
export { findUserIdByName, selectCredits } from './review-queries.ts';
export type { CreditState } from './review-queries.ts';
export { approveCredit, rejectCredit } from './review.ts';
export { CreditBlocked, toBlockerText } from './credit-blocked.ts';
