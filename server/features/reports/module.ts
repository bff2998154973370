import {
  answerReport,
  answerReports,
  confirmReport,
  listOwnReports,
  submitReport,
  viewReport,
} from '../../../contract/reports.ts';
import { READS, accepted, byAddress, byMember, declare, inService } from '../../platform/http/http.ts';
import type { Module } from '../../platform/http/http.ts';
import { closeOverdueReports, deleteOldReports } from './deadlines.ts';
import * as limits from './limits.ts';
import { serveReports } from './routes.ts';
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
    access: [
      declare(
        submitReport,
        'anyone',
        'public',
        byAddress(limits.REPORT_CALLS),
        accepted(byAddress(limits.REPORTS)),
        inService('e-mail address', limits.REPORTS_OF_EMAIL_AND_NETWORK),
        inService('e-mail address', limits.REPORTS_OF_EMAIL),
      ),
      declare(viewReport, 'anyone', 'secret', byAddress(limits.REPORT_LINKS)),
      declare(confirmReport, 'anyone', 'secret', byAddress(limits.REPORT_LINKS)),
      declare(listOwnReports, 'member', 'own', READS),
      declare(answerReport, 'member', 'own', byMember(limits.REPORT_ANSWERS)),
      declare(answerReports, 'member', 'own', byMember(limits.REPORT_ANSWERS)),
    ],
    serve: (api) => serveReports(api, options),
    scheduledJobs: (platform) => [
      { name: 'report deadlines', run: () => closeOverdueReports({ ...platform, ...options }) },
      {
        name: 'old reports',
        run: async () => void (await deleteOldReports(platform, options.retainMessagesDays * DAY_MS)),
      },
    ],
  };
}
