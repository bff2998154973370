export {
  findLastActor,
  findLastTimes,
  lockStaff,
  orNameFirst,
  recordAction,
  requireStaff,
  toFirst,
} from './actions.ts';
export type { EarlierActions, RecordedAction } from './actions.ts';
export { BLOCKED_PROBLEM, REASON_LENGTH_MAX, toReason } from './reasons.ts';
