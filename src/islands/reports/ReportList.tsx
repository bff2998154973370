import { formatDateTime } from '../../../contract/values/date-times.ts';
import { REASON_LABELS } from '../../../contract/reports.ts';
import type { OwnReport } from '../../../contract/reports.ts';
import { UNTITLED } from '../../../contract/sounds/sounds.ts';
import { ARTIST_STATE_TEXTS } from '../../lib/report-texts.ts';
import { openReport } from '../../stores/reports/reports.ts';

interface ReportListProps {
  reports: readonly OwnReport[];
  /** Set if several of them can be chosen. */
  choice?: { readonly chosen: ReadonlySet<string>; onToggle(id: string): void };
}

/** The reports of an artist's sounds, each with a button that opens it. */
export function ReportList({ reports, choice }: ReportListProps) {
  return (
    <ul className="report-list">
      {reports.map((report) => (
        <li key={report.id}>
          {choice ? (
            <label className="form-check report-choice">
              <input
                type="checkbox"
                checked={choice.chosen.has(report.id)}
                onChange={() => choice.onToggle(report.id)}
              />
              <Summary report={report} />
            </label>
          ) : (
            <div className="min-w-0">
              <Summary report={report} />
            </div>
          )}
          <OpenReportButton report={report} />
        </li>
      ))}
    </ul>
  );
}

function Summary({ report }: { report: OwnReport }) {
  return (
    <span className="grid min-w-0">
      <span className="font-semibold wrap-anywhere">{report.sound_title || UNTITLED}</span>
      <span>{REASON_LABELS[report.reason]}</span>
      <span className="form-hint">{ARTIST_STATE_TEXTS[report.state]}</span>
      {report.due_at && (
        <span className="form-hint">
          回答の期限：
          <time dateTime={report.due_at}>{formatDateTime(Date.parse(report.due_at))}</time>
        </span>
      )}
    </span>
  );
}

export function OpenReportButton({ report }: { report: OwnReport }) {
  const label = report.can_answer ? '確認して回答' : '内容を見る';
  return (
    <button
      type="button"
      className="button flex-none"
      aria-haspopup="dialog"
      aria-label={`${report.sound_title || UNTITLED}の報告：${label}`}
      onClick={() => openReport(report)}
    >
      {label}
    </button>
  );
}
