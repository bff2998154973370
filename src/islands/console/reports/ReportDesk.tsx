import { useEffect, useRef } from 'react';
import { REPORT_LISTS, type ReportLine } from '../../../../contract/operator/reports.ts';
import { REASON_LABELS } from '../../../../contract/reports.ts';
import { useShared } from '../../../lib/use-shared.ts';
import { followPasswordPrompt } from '../../../stores/account/account.ts';
import {
  $openedReport,
  $reportQueue,
  EMPTY_REPORTS,
  NO_REPORT,
  type ReportQueue,
  closeStaffReport,
  openStaffReport,
  showMoreReports,
  showReports,
} from './reports.ts';
import { Icon } from '../../ui/Icon.tsx';
import { LoadFailure } from '../../ui/LoadFailure.tsx';
import { ReportPanel } from './ReportPanel.tsx';
import { LIST_NAMES, toDeadline, toStateName } from './report-texts.ts';

/** Reports of sounds: the list, and one of them beside it, or in its place where the window is narrow. */
export function ReportDesk() {
  const queue = useShared($reportQueue, EMPTY_REPORTS);
  const opened = useShared($openedReport, NO_REPORT);
  const openedId = opened.state === 'none' ? '' : opened.id;
  const left = useRef('');
  useEffect(() => {
    const stop = followPasswordPrompt();
    void showReports('open');
    const id = new URLSearchParams(location.search).get('id');
    if (id) void openStaffReport(id);
    return () => {
      closeStaffReport();
      stop();
    };
  }, []);
  useEffect(() => {
    if (openedId === '') document.getElementById(`report-${left.current}`)?.focus();
    left.current = openedId;
  }, [openedId]);
  return (
    <div className={openedId === '' ? 'report-desk' : 'report-desk has-report'}>
      <Queue queue={queue} openedId={openedId} />
      {opened.state !== 'none' && (
        <div>
          <button type="button" className="button report-back mb-4" onClick={closeStaffReport}>
            一覧に戻る
          </button>
          {opened.state === 'loading' && <p role="status">読み込んでいます…</p>}
          {opened.state === 'failed' && (
            <LoadFailure
              title="報告を読み込めませんでした"
              error={opened.error}
              onRetry={() => void openStaffReport(opened.id)}
            />
          )}
          {opened.state === 'ready' && (
            // After a decision it begins at its heading again: the button is gone.
            <ReportPanel key={`${opened.id} ${opened.report.version}`} report={opened.report} />
          )}
        </div>
      )}
    </div>
  );
}

function Queue({ queue, openedId }: { queue: ReportQueue; openedId: string }) {
  const { state, error, list, reports, next } = queue;
  const isReading = state === 'loading';
  return (
    <section aria-label="報告の一覧">
      <div className="report-lists" role="group" aria-label="表示する報告">
        {REPORT_LISTS.map((name) => (
          <button
            key={name}
            type="button"
            className="chip"
            aria-pressed={name === list}
            onClick={() => void showReports(name)}
          >
            {LIST_NAMES[name]}
          </button>
        ))}
      </div>
      <p role="status" className={isReading && reports.length === 0 ? '' : 'sr-only'}>
        {isReading ? '読み込んでいます…' : state === 'ready' && `${reports.length}件を表示しています`}
      </p>
      {state === 'failed' && (
        <LoadFailure
          title="報告の一覧を読み込めませんでした"
          error={error}
          onRetry={() => void showReports(list)}
        />
      )}
      {state === 'ready' && reports.length === 0 && <p className="form-note">この一覧に報告はありません。</p>}
      {reports.length > 0 && (
        <ul className="report-queue" aria-busy={isReading || undefined}>
          {reports.map((report) => (
            <li key={report.id}>
              <Line report={report} isOpened={report.id === openedId} />
            </li>
          ))}
        </ul>
      )}
      {next !== null && (
        <button
          type="button"
          className="button mt-4"
          aria-busy={isReading || undefined}
          onClick={() => void showMoreReports()}
        >
          もっと表示する
        </button>
      )}
    </section>
  );
}

function Line({ report, isOpened }: { report: ReportLine; isOpened: boolean }) {
  const { id, is_overdue, reason, sound_title, artist } = report;
  return (
    <button
      id={`report-${id}`}
      type="button"
      className="report-line"
      aria-current={isOpened || undefined}
      onClick={() => void openStaffReport(id)}
    >
      <span className="report-state">
        {is_overdue && <Icon name="warning" className="size-4 flex-none text-danger" />}
        <span className={is_overdue ? 'font-semibold text-danger' : 'font-semibold'}>
          {toStateName(report)}
        </span>
        <span className="tabular text-muted">{toDeadline(report)}</span>
      </span>
      <span className="truncate font-semibold">
        <bdi>{sound_title || 'Untitled'}</bdi>
      </span>
      <span className="text-sm text-muted">
        <bdi>{artist ?? '（退会済み）'}</bdi> ・ {REASON_LABELS[reason]}
      </span>
    </button>
  );
}
