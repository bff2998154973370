import { useEffect, useRef } from 'react';
import { formatCount } from '../../lib/format.ts';
import { isUnderReview, toReportNotice } from '../../lib/report-texts.ts';
import { $ownReports, leaveReport } from '../../stores/reports/reports.ts';
import { useSection } from '../profile/use-section.ts';
import { Icon } from '../ui/Icon.tsx';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { OwnReportDialog } from './OwnReportDialog.tsx';
import { OpenReportButton, ReportList } from './ReportList.tsx';
import { useStore } from '../ui/use-store.ts';

/** Tells an artist that sounds were reported, and what became of the reports. */
export function OwnReports() {
  const { data, error, loading } = useStore($ownReports);
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => leaveReport, []);
  useSection('reports', title, data !== undefined);
  const open = data?.filter(({ state }) => isUnderReview(state)) ?? [];
  const closed = data?.filter(({ state }) => !isUnderReview(state)) ?? [];
  const asked = open.filter((report) => report.can_answer);
  const isAsked = asked.length > 0;
  return (
    <>
      {data === undefined && error !== undefined && !loading && (
        <LoadFailure
          title="サウンドの報告を読み込めませんでした"
          error={error}
          onRetry={() => $ownReports.revalidate()}
        />
      )}
      {data !== undefined && data.length > 0 && (
        <section className="profile-panel report-panel" aria-labelledby="own-reports-title">
          <h2 ref={title} id="own-reports-title" tabIndex={-1} className="flex items-center gap-2 text-lg">
            {isAsked && <Icon name="warning" className="size-6 flex-none text-danger" />}
            {open.length > 0 ? toReportNotice(isAsked) : 'サウンドの報告'}
          </h2>
          {asked.length > 1 && (
            <a className="button justify-self-start" href="/profile/reports">
              {formatCount(asked.length)}件にまとめて回答する
            </a>
          )}
          {open.length > 0 && <ReportList reports={open} />}
          {closed.length > 0 && (
            <details className="profile-details transfer-history">
              <summary className="font-semibold">
                <span>終わった報告（{closed.length}件）</span>
                <Icon name="chevron" className="profile-chevron size-5" />
              </summary>
              <ReportList reports={closed} />
            </details>
          )}
        </section>
      )}
      <OwnReportDialog />
    </>
  );
}

/** The notice on the card of a sound that is reported. */
export function SoundReportNotice({ soundId }: { soundId: string }) {
  const { data } = useStore($ownReports);
  const open = data?.filter(({ sound, state }) => sound === soundId && isUnderReview(state));
  // One that can still be answered comes first.
  const report = open?.find((each) => each.can_answer) ?? open?.[0];
  if (report === undefined) return null;
  return (
    <div className="own-finding flex-wrap items-center">
      <Icon name="warning" className="size-4 flex-none" />
      <span className="max-w-full flex-[1_0_auto]">{toReportNotice(report.can_answer)}</span>
      <OpenReportButton report={report} />
    </div>
  );
}
