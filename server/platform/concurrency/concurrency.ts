export { createBackgroundJobs, repeatInBackground } from './background-jobs.ts';
export type { BackgroundJobs } from './background-jobs.ts';
export { deleteOldLeases, withLease } from './leases.ts';
export { createChangeWriter, deleteOldChanges, followChanges } from './page-changes.ts';
export { startScheduledJobs, startSiteJobs } from './scheduled-jobs.ts';
export type { ScheduledJob, ScheduledJobs } from './scheduled-jobs.ts';
export { systemClock } from './clock.ts';
export type { Clock } from './clock.ts';
export { createSemaphore } from './semaphore.ts';
