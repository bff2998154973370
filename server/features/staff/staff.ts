export { findLastActor, findLastTimes, lockStaff, recordAction, requireStaff } from './actions.ts';
export { BLOCKED_PROBLEM, REASON_LENGTH_MAX, toReason } from './reasons.ts';
