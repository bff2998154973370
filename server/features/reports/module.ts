import { DAY_MS } from '../../../contract/values/time-units.ts';
import * as calls from '../../../contract/reports.ts';
import { READS, accepted, byAddress, byMember, inService } from '../../platform/http/access.ts';
import { mailingStranger } from '../../platform/http/mail-budget.ts';
import { notFound } from '../../platform/http/problem.ts';
import { route, withDeps } from '../../platform/http/route.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Route } from '../../platform/http/route.ts';
import type { Rule } from '../../platform/http/access.ts';
import type { Feature } from '../feature.ts';
import { REPORTS_ERASURE } from './erasure.ts';
import { REPORT_CHECKS } from './checks.ts';
import { REPORT_QUEUE, REPORT_ROUTES } from './desk.ts';
import { closeOverdueReports, deleteOldReports } from './deadlines.ts';
import * as limits from './limits.ts';
import { answerReports, listOwnReports } from './own-reports.ts';
import { selectHistory } from './queries.ts';
import type { Report } from './queries.ts';
import { confirmReport, submitReport, viewReport } from './submission.ts';
import type { ReportOptions } from './transition.ts';
import { toOwnReport, toReporterView } from './wire.ts';

interface ReportsModuleOptions extends ReportOptions {
  /** For how long closed reports are kept, in days. */
  readonly retainMessagesDays: number;
}

/** Visitors' reports of sounds, and the artists' answers. */
export const reportsFeature: Feature<ReportsModuleOptions> = {
  name: 'reports',
  checks: REPORT_CHECKS,
  desk: REPORT_ROUTES,
  queues: [REPORT_QUEUE],
  erasure: REPORTS_ERASURE,
  openOptions: ({ settings: { operatorEmail, retainMessagesDays } }) => ({
    operatorEmail,
    retainMessagesDays,
  }),
  apiTexts: () => import('./api-texts.ts'),
  createModule: (options) => ({
    routes: withDeps((platform) => ({ ...platform, ...options }), ROUTES),
    scheduledJobs: (platform) => [
      { name: 'report deadlines', run: () => closeOverdueReports({ ...platform, ...options }) },
      {
        name: 'old reports',
        run: async () => void (await deleteOldReports(platform, options.retainMessagesDays * DAY_MS)),
      },
    ],
  }),
};

const BY_LINK: Rule<'anyone'> = {
  caller: 'anyone',
  owner: 'secret',
  limits: [byAddress(limits.REPORT_LINKS)],
};
const ANSWERING: Rule<'member'> = {
  caller: 'member',
  owner: 'own',
  limits: [byMember(limits.REPORT_ANSWERS)],
};

const ROUTES: readonly Route<Platform & ReportOptions>[] = [
  route(
    calls.submitReport,
    {
      caller: 'anyone',
      owner: 'public',
      limits: [
        byAddress(limits.REPORT_CALLS),
        accepted(byAddress(limits.REPORTS)),
        inService('e-mail address', limits.REPORTS_OF_EMAIL_AND_NETWORK),
        inService('e-mail address', limits.REPORTS_OF_EMAIL),
      ],
      // The receipt; once confirmed, its acknowledgement and those to the artist and to the staff.
      mails: mailingStranger(4),
    },
    async ({ params, body, caller, address }, deps) => {
      await submitReport(deps, params.id, body, { caller, address });
      return { detail: '報告を受け付けました。メールのリンクから確定してください。' };
    },
  ),

  route(calls.viewReport, BY_LINK, async ({ body }, deps) =>
    describe(deps, await viewReport(deps, body.token)),
  ),

  route(calls.confirmReport, BY_LINK, async ({ body }, deps) =>
    describe(deps, await confirmReport(deps, body.token)),
  ),

  route(calls.listOwnReports, { caller: 'member', owner: 'own', limits: [READS] }, async ({ caller }, deps) =>
    toOwnReports(deps, await listOwnReports(deps, caller.id)),
  ),

  route(calls.answerReport, ANSWERING, async ({ params, caller, body }, deps) => {
    const answered = await answerReports(deps, [params.id], caller.id, body.text);
    const [report] = await toOwnReports(deps, answered);
    if (report === undefined) throw notFound();
    return report;
  }),

  route(calls.answerReports, ANSWERING, async ({ caller, body }, deps) =>
    toOwnReports(deps, await answerReports(deps, body.ids, caller.id, body.text)),
  ),
];

async function describe({ database, clock }: Platform, report: Report) {
  return toReporterView(report, await selectHistory(database.db, [report.id]), clock.now());
}

async function toOwnReports({ database }: Platform, reports: readonly Report[]) {
  const ids = reports.map(({ id }) => id);
  const history = Map.groupBy(await selectHistory(database.db, ids), ({ report_id }) => report_id);
  return reports.map((report) => toOwnReport(report, history.get(report.id) ?? []));
}
