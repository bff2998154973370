import { formatDateTime } from '../../../contract/values/date-times.ts';
import type { OwnReport } from '../../../contract/reports.ts';
import { toEventText } from '../../lib/report-texts.ts';

/** What happened to a report, oldest first, with the reasons of the staff. */
export function ReportHistory({ history }: Pick<OwnReport, 'history'>) {
  return (
    <ol className="report-history">
      {history.map(({ event, state, at, reason }) => (
        <li key={`${at} ${event}`}>
          <time dateTime={at} className="form-hint tabular">
            {formatDateTime(Date.parse(at))}
          </time>
          <span>{toEventText(event, state)}</span>
          {reason !== '' && <span className="wrap-anywhere">理由：{reason}</span>}
        </li>
      ))}
    </ol>
  );
}
