import type { InferInput } from 'valibot';
import type { OwnReportSchema, ReporterViewSchema } from '../../../contract/reports.ts';
import { canAnswer } from './own-reports.ts';
import type { HistoryRow, Report } from './queries.ts';
import { canConfirm } from './submission.ts';

export function toReporterView(
  report: Report,
  history: readonly HistoryRow[],
  nowMs: number,
): InferInput<typeof ReporterViewSchema> {
  return {
    ...toShared(report, history),
    name: report.name,
    relation: report.relation,
    shares_name: report.shares_name === 1,
    can_confirm: canConfirm(report, nowMs),
  };
}

/** Without anything about the reporter, except a name that the artist may see. */
export function toOwnReport(
  report: Report,
  history: readonly HistoryRow[],
): InferInput<typeof OwnReportSchema> {
  return {
    ...toShared(report, history),
    reporter_name: report.shares_name === 1 ? report.name : '',
    answer: report.answer,
    can_answer: canAnswer(report),
  };
}

function toShared(report: Report, history: readonly HistoryRow[]) {
  const { id, reason, explanation, state } = report;
  return {
    id,
    sound: report.sound_id,
    sound_title: report.sound_title,
    reason,
    explanation,
    state,
    due_at: report.due_at === null ? null : toIso(report.due_at),
    history: history
      .filter((event) => event.report_id === id)
      .map((event) => ({ ...event, report_id: undefined, version: undefined, at: toIso(event.at) })),
  };
}

function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
