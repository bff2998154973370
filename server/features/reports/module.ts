import { withDeps } from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import { closeOverdueReports, deleteOldReports } from './deadlines.ts';
import { REPORT_ROUTES } from './routes.ts';
import type { ReportOptions } from './transition.ts';

interface ReportsModuleOptions extends ReportOptions {
  /** For how long closed reports are kept, in days. */
  readonly retainMessagesDays: number;
}

const DAY_MS = 86_400_000;

/** Visitors' reports of sounds, and the artists' answers. */
export function createReportsModule(options: ReportsModuleOptions): Module {
  return {
    name: 'reports',
    routes: withDeps((platform) => ({ ...platform, ...options }), REPORT_ROUTES),
    scheduledJobs: (platform) => [
      { name: 'report deadlines', run: () => closeOverdueReports({ ...platform, ...options }) },
      {
        name: 'old reports',
        run: async () => void (await deleteOldReports(platform, options.retainMessagesDays * DAY_MS)),
      },
    ],
  };
}
