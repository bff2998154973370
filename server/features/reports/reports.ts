export { closeOverdueReports } from './deadlines.ts';
export { decideReport } from './decisions.ts';
export type { DecisionDeps } from './decisions.ts';
export { answerReports } from './own-reports.ts';
export { countOpenOfSound, selectReportsOf } from './queries.ts';
export { DUE_STATES, getReport, listReports } from './staff-view.ts';
export type { StaffReport } from './staff-view.ts';
export { confirmReport, submitReport } from './submission.ts';
