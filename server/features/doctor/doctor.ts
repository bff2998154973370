export { CHECKS } from './checks.ts';
export type { Finding } from './check.ts';
export { repair, runChecks } from './run.ts';
export type { CheckResult, Report } from './run.ts';
