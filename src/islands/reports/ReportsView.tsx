import { useEffect, useState } from 'react';
import type { OwnReport } from '../../../contract/reports.ts';
import { formatCount } from '../../lib/format.ts';
import { isUnderReview } from '../../lib/report-texts.ts';
import { $ownReports, createSeveralAnswers, leaveReport } from '../../stores/reports/reports.ts';
import { LoadFailure } from '../ui/LoadFailure.tsx';
import { AnswerForm } from './AnswerForm.tsx';
import { OwnReportDialog } from './OwnReportDialog.tsx';
import { ReportList } from './ReportList.tsx';
import { useStore } from '../ui/use-store.ts';

/** All reports of an artist's sounds, on a page where several of them can be answered at once. */
export function ReportsView() {
  const { data, error, loading } = useStore($ownReports);
  useEffect(() => leaveReport, []);
  const asked = data?.filter((report) => report.can_answer) ?? [];
  const reviewed = data?.filter((report) => !report.can_answer && isUnderReview(report.state)) ?? [];
  const closed = data?.filter(({ state }) => !isUnderReview(state)) ?? [];
  return (
    <section className="profile-panel reports-page" aria-labelledby="reports-title">
      <a className="link justify-self-start" href="/profile">
        プロフィールに戻る
      </a>
      <h1 id="reports-title" className="text-xl">
        サウンドの報告
      </h1>
      {data === undefined && (error === undefined || loading) && <p role="status">読み込んでいます…</p>}
      {data === undefined && error !== undefined && !loading && (
        <LoadFailure
          title="サウンドの報告を読み込めませんでした"
          error={error}
          onRetry={() => $ownReports.revalidate()}
        />
      )}
      {data?.length === 0 && <p className="form-note">あなたのサウンドへの報告はありません。</p>}
      {asked.length > 0 && <AskedReports reports={asked} />}
      <OtherReports title="運営者が確認している報告" reports={reviewed} />
      <OtherReports title="終わった報告" reports={closed} />
      <OwnReportDialog />
    </section>
  );
}

function OtherReports({ title, reports }: { title: string; reports: readonly OwnReport[] }) {
  if (reports.length === 0) return null;
  return (
    <section aria-label={title}>
      <h2 className="mb-3 text-lg">{title}</h2>
      <ReportList reports={reports} />
    </section>
  );
}

/** Those that can be answered, and the form for the chosen ones. */
function AskedReports({ reports }: { reports: readonly OwnReport[] }) {
  const [{ form, $chosen, choose }] = useState(createSeveralAnswers);
  const chosen = useStore($chosen);
  const ids = reports.map(({ id }) => id).filter((id) => chosen.has(id));
  const isAll = ids.length === reports.length;
  const toggle = (id: string) => choose(chosen.has(id) ? ids.filter((each) => each !== id) : [...ids, id]);
  return (
    <section aria-label="回答を待っている報告">
      <h2 className="text-lg">回答を待っている報告</h2>
      <p className="form-hint">
        内容を確かめてから選んでください。同じ回答を、選んだ報告にまとめて送れます。1件ずつ回答することもできます。
      </p>
      <div className="my-3 flex flex-wrap items-center gap-3">
        <button
          type="button"
          className="button"
          onClick={() => choose(isAll ? [] : reports.map(({ id }) => id))}
        >
          {isAll ? '選択をすべて外す' : 'すべて選ぶ'}
        </button>
        <span role="status">
          {formatCount(reports.length)}件のうち{formatCount(ids.length)}件を選んでいます
        </span>
      </div>
      <ReportList reports={reports} choice={{ chosen, onToggle: toggle }} />
      <AnswerForm
        id="report-answers"
        logic={form}
        label="選んだ報告への回答"
        submitLabel={`${formatCount(ids.length)}件に回答を送信する`}
        isReady={ids.length > 0}
        actions={null}
      />
    </section>
  );
}
