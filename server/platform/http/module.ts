import type { MiddlewareHandler } from 'hono';
import { deleteOldChanges } from '../concurrency/page-changes.ts';
import { deleteOldLeases } from '../concurrency/leases.ts';
import type { ScheduledJob } from '../concurrency/scheduled-jobs.ts';
import type { MetricSource } from '../metrics.ts';
import type { ApiEnv, Platform } from './context.ts';
import type { Route } from './route.ts';

/**
 * What a feature adds to the server. It is created from the feature's own dependencies; its handlers get the platform
 * when they are mounted, so its rules can be read without a database.
 */
export interface Module {
  /** The name, for messages. */
  readonly name: string;
  /** What it answers, to whom, and how often. If two match the same path, the first one answers. */
  readonly routes?: readonly Route[];
  /** Runs for every call of the API, before its caller is identified. */
  readonly middleware?: MiddlewareHandler<ApiEnv>;
  /**
   * Lower-case names of headers that a web client on another origin sends and reads, in addition to the common ones.
   */
  readonly corsHeaders?: { readonly sent: readonly string[]; readonly answered: readonly string[] };
  /** Tasks that run at the start and once an hour, in this order, see `ScheduledJob`. */
  scheduledJobs?(platform: Platform): readonly ScheduledJob[];
  /** What it reports to Prometheus, beside the requests of its routes. */
  metrics?(platform: Platform): readonly MetricSource[];
  /** Starts background work; returns a function that stops it. Called at most once. */
  start?(platform: Platform): () => void;
}

/** Runs at the start and once an hour: the scheduled jobs of the platform, then those of the modules in their order. */
export function listScheduledJobs(platform: Platform, modules: readonly Module[]): readonly ScheduledJob[] {
  const { database, storage } = platform;
  return [
    { name: 'half-written files', isPerProcess: true, run: () => storage.deleteIncomplete() },
    { name: 'overwritten data', isPerProcess: true, run: async () => void database.truncateLog() },
    {
      name: 'old announcements and leases of processes',
      async run() {
        await deleteOldChanges(database);
        await deleteOldLeases(database);
      },
    },
    ...modules.flatMap((module) => module.scheduledJobs?.(platform) ?? []),
  ];
}
