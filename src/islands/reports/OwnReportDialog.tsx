import { useEffect, useRef } from 'react';
import { formatDateTime } from '../../../contract/values/date-times.ts';
import { REASON_LABELS } from '../../../contract/reports.ts';
import type { OwnReport } from '../../../contract/reports.ts';
import { UNTITLED } from '../../../contract/sounds/sounds.ts';
import { ARTIST_STATE_TEXTS } from '../../lib/report-texts.ts';
import { $isAnswering, $openedReport, closeReport } from '../../stores/reports/reports.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { AnswerForm } from './AnswerForm.tsx';
import { ReportFacts } from './ReportFacts.tsx';
import { ReportHistory } from './ReportHistory.tsx';
import { useStore } from '../ui/use-store.ts';

/** The claim of a report, its history, and the artist's answer. */
export function OwnReportDialog() {
  const opened = useStore($openedReport);
  const title = useRef<HTMLHeadingElement>(null);
  const isAnswering = useStore($isAnswering);
  const view = opened && (opened.report.can_answer ? 'question' : 'result');
  // The report is read before the form. After the answer, the focused form has been removed.
  useEffect(() => {
    if (view) title.current?.focus();
  }, [view]);
  return (
    <Dialog isOpen={opened !== null} isBlocked={isAnswering} titleId="own-report-title" onClose={closeReport}>
      <h2 ref={title} id="own-report-title" tabIndex={-1} className="text-lg outline-none">
        報告の内容
      </h2>
      {opened && (
        <>
          <ReportText report={opened.report} />
          {view === 'question' ? (
            <AnswerForm
              id="report-answer"
              logic={opened.form}
              label="回答"
              submitLabel="回答を送信する"
              actions={
                <button
                  type="button"
                  className="button"
                  aria-disabled={isAnswering || undefined}
                  onClick={closeReport}
                >
                  閉じる
                </button>
              }
            />
          ) : (
            <div className="dialog-actions">
              <button type="button" className="button button-primary" onClick={closeReport}>
                閉じる
              </button>
            </div>
          )}
        </>
      )}
    </Dialog>
  );
}

function ReportText({ report }: { report: OwnReport }) {
  const facts: readonly (readonly [name: string, value: string])[] = [
    ['サウンド', report.sound_title || UNTITLED],
    ['報告の理由', REASON_LABELS[report.reason]],
    ['報告した方', report.reporter_name],
    ['説明', report.explanation],
    ['回答の期限', report.due_at ? formatDateTime(Date.parse(report.due_at)) : ''],
    ['あなたの回答', report.answer],
  ];
  return (
    <>
      <p className="font-semibold" role="status">
        {ARTIST_STATE_TEXTS[report.state]}
      </p>
      <ReportFacts facts={facts} />
      <section aria-labelledby="own-report-history-title">
        <h3 id="own-report-history-title" className="text-base">
          これまでの経過
        </h3>
        <ReportHistory history={report.history} />
      </section>
    </>
  );
}
