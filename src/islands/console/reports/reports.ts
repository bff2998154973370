import { ApiError } from '../../../../contract/calls/errors.ts';
import {
  type ReportAction,
  type ReportLine,
  type ReportList,
  decideStaffReport,
  getStaffReport,
  listStaffReports,
} from '../../../../contract/operator/reports.ts';
import { callApi } from '../../../api/browser.ts';
import { showToast } from '../../../stores/overlays/overlays.ts';
import { attemptEach } from '../../../stores/shared/attempt-each.ts';
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

/** Ids of the chosen reports. */
export const $chosenReports = memberAtom<readonly string[]>([]);

/**
 * Decides on reports, one after another. Returns whether all are decided, by this call or by someone who was first. Never
 * throws.
 */
export async function decideOnReports(
  reports: readonly Pick<ReportLine, 'id' | 'version'>[],
  action: ReportAction,
  reason: string,
): Promise<boolean> {
  let decided = 0;
  const isDone = await attemptEach(
    reports,
    async ({ id, version }, signal) => {
      await callApi(decideStaffReport, { params: { id }, body: { action, reason, version }, signal });
      decided += 1;
    },
    { isDone: (error) => error instanceof ApiError && error.status === 409 },
  );
  if (decided > 0)
    showToast('success', reports.length === 1 ? DONE[action] : `${decided}件：${DONE[action]}`);
  if (decided > 0 || isDone) {
    $openedReport.revalidate();
    await reportQueue.reload();
  }
  return isDone;
}
