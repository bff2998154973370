import { UNTITLED } from '../../../../contract/sounds/sounds.ts';
import { useEffect, useRef } from 'react';
import { REPORT_LISTS, type ReportLine } from '../../../../contract/operator/reports.ts';
import { REASON_LABELS } from '../../../../contract/reports.ts';
import { $chosenReports, $openedReport, $openedReportId, openStaffReport, reportQueue } from './reports.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Loaded } from '../Loaded.tsx';
import { Chips } from '../../ui/Chips.tsx';
import { Paged } from '../../ui/Paged.tsx';
import { ChoiceBox } from '../RowChoice.tsx';
import { ChosenReports } from './ChosenReports.tsx';
import { StaffUses } from '../uses/StaffUses.tsx';
import { ReportView } from './ReportView.tsx';
import { LIST_NAMES, toDeadline, toStateName } from './report-texts.ts';
import { useRowChoice } from '../../ui/use-row-choice.ts';
import { useStore } from '../../ui/use-store.ts';

/** Reports of sounds: the list, and one of them beside it, or instead of it where the window is narrow. */
export function ReportsPanel() {
  const openedId = useStore($openedReportId);
  const left = useRef<string | null>(null);
  useEffect(() => {
    void reportQueue.load('open');
    openStaffReport(new URLSearchParams(location.search).get('id'));
    return () => openStaffReport(null);
  }, []);
  useEffect(() => {
    if (openedId === null) document.getElementById(`report-${left.current}`)?.focus();
    left.current = openedId;
  }, [openedId]);
  return (
    <>
      {openedId === null && <StaffUses />}
      <div className={openedId === null ? 'report-desk' : 'report-desk has-report'}>
        <Queue openedId={openedId} />
        {openedId !== null && (
          <div>
            <button type="button" className="button report-back mb-4" onClick={() => openStaffReport(null)}>
              一覧に戻る
            </button>
            <Loaded query={$openedReport} title="報告を読み込めませんでした">
              {(report) => (
                // A decision mounts the view again, with focus on its heading: the button is gone.
                <ReportView key={`${report.id} ${report.version}`} report={report} />
              )}
            </Loaded>
          </div>
        )}
      </div>
    </>
  );
}

function Queue({ openedId }: { openedId: string | null }) {
  const { query, items } = useStore(reportQueue.$list);
  const toBox = useRowChoice(
    items.map(({ id }) => id),
    useStore($chosenReports),
    (ids) => $chosenReports.set(ids),
  );
  return (
    <section aria-label="報告の一覧">
      <Chips
        label="表示する報告"
        choices={REPORT_LISTS.map((name) => [name, LIST_NAMES[name]] as const)}
        chosen={query ?? 'open'}
        onChoose={(name) => {
          $chosenReports.set([]);
          void reportQueue.load(name);
        }}
      />
      <Paged
        list={reportQueue}
        title="報告の一覧を読み込めませんでした"
        empty="この一覧に報告はありません。"
        more="もっと表示する"
      >
        {(reports, isBusy) => (
          <>
            <ul className="grid gap-2" aria-busy={isBusy || undefined}>
              {reports.map((report) => (
                <li key={report.id} className="report-row">
                  <ChoiceBox
                    label={`「${report.sound_title || UNTITLED}」の報告を選ぶ`}
                    {...toBox(report.id)}
                  />
                  <Line report={report} isOpened={report.id === openedId} />
                </li>
              ))}
            </ul>
            <ChosenReports reports={reports} openedId={openedId} />
          </>
        )}
      </Paged>
    </section>
  );
}

function Line({ report, isOpened }: { report: ReportLine; isOpened: boolean }) {
  const { id, is_overdue, reason, sound_title, artist } = report;
  return (
    <button
      id={`report-${id}`}
      type="button"
      className="panel report-line"
      aria-current={isOpened || undefined}
      onClick={() => openStaffReport(id)}
    >
      <span className="report-state">
        {is_overdue && <Icon name="warning" className="size-4 flex-none text-danger" />}
        <span className={is_overdue ? 'font-semibold text-danger' : 'font-semibold'}>
          {toStateName(report)}
        </span>
        <span className="tabular text-muted">{toDeadline(report)}</span>
      </span>
      <span className="truncate font-semibold">
        <bdi>{sound_title || UNTITLED}</bdi>
      </span>
      <span className="text-sm text-muted">
        <bdi>{artist ?? '（退会済み）'}</bdi> ・ {REASON_LABELS[reason]}
      </span>
    </button>
  );
}
