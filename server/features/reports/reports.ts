export { deleteOldReports } from './deadlines.ts';
export { decideReport } from './decisions.ts';
export type { DecisionDeps } from './decisions.ts';
export { STAFF_ACTIONS } from './machine.ts';
export type { StaffAction } from './machine.ts';
export { countOpenOfSound } from './queries.ts';
export { DUE_STATES, REPORTS_PER_PAGE, getReport, listReports } from './staff-view.ts';
export type { ReportPage, StaffReport } from './staff-view.ts';
