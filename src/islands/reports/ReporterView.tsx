import { useEffect, useState } from 'react';
import { formatDateTime } from '../../../contract/values/date-times.ts';
import { REASON_LABELS } from '../../../contract/reports.ts';
import type { ReporterView as Report } from '../../../contract/reports.ts';
import { UNTITLED } from '../../../contract/sounds/sounds.ts';
import { toReporterState } from '../../lib/report-texts.ts';
import { createReporterView } from '../../stores/reports/reports.ts';
import { BusyButton } from '../ui/BusyButton.tsx';
import { LinkProblems } from '../ui/LinkProblems.tsx';
import { LinkMissing } from '../ui/MailedLink.tsx';
import { ReportFacts } from './ReportFacts.tsx';
import { ReportHistory } from './ReportHistory.tsx';
import { useStore } from '../ui/use-store.ts';

/** A report as its reporter sees it by the link of a mail, and the button that confirms it. */
export function ReporterView() {
  const [view] = useState(createReporterView);
  const current = useStore(view.$view);
  useEffect(() => view.start(), [view]);
  if (current.state === 'link-missing') return <LinkMissing subject="報告の受付" />;
  return (
    <div className="form-card" aria-busy={current.state === 'reading' || undefined}>
      <h1 className="form-title">報告の状況</h1>
      {current.state === 'reading' && <p role="status">リンクを確認しています…</p>}
      {'report' in current && <ReportText report={current.report} />}
      <LinkProblems
        problems={'problems' in current ? current.problems : []}
        onRetry={current.state === 'failed' && current.canRetry ? () => void view.read() : undefined}
      />
      {'report' in current && current.report.can_confirm && (
        <>
          <p className="form-hint">
            確定すると、投稿者に報告を知らせます。心当たりがない報告は、確定しないでください。
          </p>
          <BusyButton
            className="button button-primary form-submit"
            isBusy={current.state === 'confirming'}
            onClick={() => void view.confirm()}
          >
            報告を確定する
          </BusyButton>
        </>
      )}
    </div>
  );
}

function ReportText({ report }: { report: Report }) {
  const { due_at, can_confirm } = report;
  const facts: readonly (readonly [name: string, value: string])[] = [
    ['受付番号', report.id],
    ['サウンド', report.sound_title || UNTITLED],
    ['報告の理由', REASON_LABELS[report.reason]],
    ['お名前', `${report.name}（${report.shares_name ? '投稿者に伝えます' : '投稿者に伝えません'}）`],
    ['権利との関係', report.relation],
    [can_confirm ? '確定の期限' : '投稿者の回答の期限', due_at ? formatDateTime(Date.parse(due_at)) : ''],
    ['説明', report.explanation],
  ];
  return (
    <>
      <p className="font-semibold" role="status">
        {toReporterState(report)}
      </p>
      <ReportFacts facts={facts} />
      <section aria-labelledby="report-history-title">
        <h2 id="report-history-title" className="text-base">
          これまでの経過
        </h2>
        <ReportHistory history={report.history} />
      </section>
    </>
  );
}
