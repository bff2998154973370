import { toSeconds } from '../metrics.ts';
import type { MetricSource } from '../metrics.ts';
import type { ScheduledJob } from './scheduled-jobs.ts';

interface JobRuns {
  startedAtMs: number;
  finishedAtMs: number;
  seconds: number;
  failures: number;
}

/** The jobs, with a record of each one's last result in this process. The jobs of the site run in the leader alone. */
export function observeJobs(
  jobs: readonly ScheduledJob[],
  now: () => number = Date.now,
): { readonly jobs: readonly ScheduledJob[]; readonly source: MetricSource } {
  const runs = new Map<string, JobRuns>();
  const label = { name: 'job_name', values: jobs.map(({ name }) => name) };
  const observed = jobs.map((job): ScheduledJob => {
    const found = { startedAtMs: 0, finishedAtMs: 0, seconds: 0, failures: 0 };
    runs.set(job.name, found);
    return {
      ...job,
      async run() {
        found.startedAtMs = now();
        try {
          await job.run();
        } catch (error) {
          found.failures += 1;
          throw error;
        } finally {
          found.finishedAtMs = now();
          found.seconds = (found.finishedAtMs - found.startedAtMs) / 1_000;
        }
      },
    };
  });
  const pick = (toValue: (found: JobRuns) => number) =>
    Object.fromEntries([...runs].map(([name, found]) => [name, toValue(found)]));
  const source: MetricSource = {
    metrics: [
      {
        name: 'site_job_started_timestamp_seconds',
        help: 'When a scheduled job last began in this process; 0: never.',
        label,
      },
      {
        name: 'site_job_finished_timestamp_seconds',
        help: 'When a scheduled job last ended in this process, with or without a failure; 0: never.',
        label,
      },
      { name: 'site_job_duration_seconds', help: 'Duration of the last run of a scheduled job.', label },
      {
        name: 'site_job_failures_total',
        help: 'Runs of a scheduled job that failed.',
        type: 'counter',
        label,
      },
    ],
    read: async () => ({
      site_job_started_timestamp_seconds: pick(({ startedAtMs }) => toSeconds(startedAtMs)),
      site_job_finished_timestamp_seconds: pick(({ finishedAtMs }) => toSeconds(finishedAtMs)),
      site_job_duration_seconds: pick(({ seconds }) => seconds),
      site_job_failures_total: pick(({ failures }) => failures),
    }),
  };
  return { jobs: observed, source };
}
