export { createBackgroundJobs } from './background-jobs.ts';
export type { BackgroundJobs } from './background-jobs.ts';
export { startChores } from './chores.ts';
export type { Chore, Chores } from './chores.ts';
export { systemClock } from './clock.ts';
export type { Clock } from './clock.ts';
export { createSemaphore } from './semaphore.ts';
