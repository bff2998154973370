import {
  answerReport as answerReportCall,
  answerReports as answerReportsCall,
  confirmReport as confirmReportCall,
  listOwnReports as listOwnReportsCall,
  submitReport as submitReportCall,
  viewReport as viewReportCall,
} from '../../../contract/reports.ts';
import { notFound, requireMember, serve } from '../../platform/http/http.ts';
import type { Api } from '../../platform/http/http.ts';
import { answerReports, listOwnReports } from './own-reports.ts';
import { selectHistory } from './queries.ts';
import type { Report } from './queries.ts';
import { confirmReport, submitReport, viewReport } from './submission.ts';
import type { ReportOptions } from './transition.ts';
import { toOwnReport, toReporterView } from './wire.ts';

export function serveReports(api: Api, options: ReportOptions): void {
  const deps = { ...api.platform, ...options };
  const { clock, database } = deps;

  serve(api, submitReportCall, async ({ params, body, caller, address }) => {
    await submitReport(deps, params.id, body, { caller, address });
    return { detail: '報告を受け付けました。メールのリンクから確定してください。' };
  });

  serve(api, viewReportCall, async ({ body }) => {
    const report = await viewReport(deps, body.token);
    return toReporterView(report, await selectHistory(database.db, [report.id]), clock.now());
  });

  serve(api, confirmReportCall, async ({ body }) => {
    const report = await confirmReport(deps, body.token);
    return toReporterView(report, await selectHistory(database.db, [report.id]), clock.now());
  });

  const toOwnReports = async (reports: readonly Report[]) => {
    const ids = reports.map(({ id }) => id);
    const history = Map.groupBy(await selectHistory(database.db, ids), ({ report_id }) => report_id);
    return reports.map((report) => toOwnReport(report, history.get(report.id) ?? []));
  };

  serve(api, listOwnReportsCall, async (call) =>
    toOwnReports(await listOwnReports(deps, requireMember(call).id)),
  );

  serve(api, answerReportCall, async (call) => {
    const answered = await answerReports(deps, [call.params.id], requireMember(call).id, call.body.text);
    const [report] = await toOwnReports(answered);
    if (report === undefined) throw notFound();
    return report;
  });

  serve(api, answerReportsCall, async (call) =>
    toOwnReports(await answerReports(deps, call.body.ids, requireMember(call).id, call.body.text)),
  );
}
