export { createBackgroundJobs } from './background-jobs.ts';
export type { BackgroundJobs } from './background-jobs.ts';
export { startScheduledJobs } from './scheduled-jobs.ts';
export type { ScheduledJob, ScheduledJobs } from './scheduled-jobs.ts';
export { systemClock } from './clock.ts';
export type { Clock } from './clock.ts';
export { createSemaphore } from './semaphore.ts';
