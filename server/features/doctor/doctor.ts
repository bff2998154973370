export { CHECKS } from './checks.ts';
export type { DoctorSettings, Finding } from './check.ts';
export { repair, runChecks } from './run.ts';
export type { CheckResult, Report } from './run.ts';
