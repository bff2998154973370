export { CHECKS, DATA_CHECKS } from './checks.ts';
export { examineIntegrity } from './checks/database-integrity.ts';
export type { DoctorSettings, Finding } from './check.ts';
export { repair, runChecks } from './run.ts';
export type { CheckResult, Report } from './run.ts';
