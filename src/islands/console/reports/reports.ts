import { ApiError } from '../../../../contract/errors.ts';
import {
  type ReportAction,
  type ReportDetails,
  type ReportLine,
  type ReportList,
  decideStaffReport,
  getStaffReport,
  listStaffReports,
} from '../../../../contract/operator/reports.ts';
import { callApi } from '../../../api/browser.ts';
import { attempt } from '../../../stores/shared/attempt.ts';
import { memberAtom } from '../../../stores/shared/member-atom.ts';
import { createPaged } from '../../../stores/shared/paged.ts';
import { staffDetails } from '../../../stores/shared/staff-query.ts';

/** The reports of one list. A report whose state changed between two pages can be on both. */
export const reportQueue = createPaged<ReportLine, ReportList, string>({
  idOf: ({ id }) => id,
  read: (list, cursor, signal) =>
    callApi(listStaffReports, { query: { list, ...(cursor !== null && { cursor }) }, signal }),
});

/** The report on the screen; null: none. */
export const $openedReportId = memberAtom<string | null>(null);
export const $openedReport = staffDetails('report', $openedReportId, (id, signal) =>
  callApi(getStaffReport, { params: { id }, signal }),
);

const DONE: Readonly<Record<ReportAction, string>> = {
  ask: '投稿者に知らせることにしました',
  hide: 'サウンドを非公開にしました',
  restore: 'サウンドの非公開を解除しました',
  delete: 'サウンドを削除しました',
  dismiss: '報告の確認を終えました',
};

export function openStaffReport(id: string | null): void {
  $openedReportId.set(id);
}

/** Decides on a report. Returns whether it is decided, by this call or by someone who was first. Never throws. */
export async function decideOnReport(
  { id, version }: ReportDetails,
  action: ReportAction,
  reason: string,
): Promise<boolean> {
  const isDecided = await attempt(
    () => callApi(decideStaffReport, { params: { id }, body: { action, reason, version } }),
    { done: DONE[action], isDone: (error) => error instanceof ApiError && error.status === 409 },
  );
  if (isDecided) {
    $openedReport.revalidate();
    await reportQueue.reload();
  }
  return isDecided;
}
