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
import { showToast } from '../../../stores/overlays/overlays.ts';
import { load } from '../../../stores/shared/load.ts';
import { memberAtom } from '../../../stores/shared/member-atom.ts';
import { isCancelled, presentError } from '../../../stores/shared/request-errors.ts';

export interface ReportQueue {
  readonly state: 'loading' | 'ready' | 'failed';
  readonly error: unknown;
  readonly list: ReportList;
  readonly reports: readonly ReportLine[];
  /** For more of them; null when all are shown. */
  readonly next: string | null;
}

/** The report on the screen. */
export type OpenedReport =
  | { readonly state: 'none' }
  | { readonly state: 'loading'; readonly id: string }
  | { readonly state: 'failed'; readonly id: string; readonly error: unknown }
  | { readonly state: 'ready'; readonly id: string; readonly report: ReportDetails };

/** Before the first page is read. */
export const EMPTY_REPORTS: ReportQueue = {
  state: 'loading',
  error: null,
  list: 'open',
  reports: [],
  next: null,
};
export const NO_REPORT: OpenedReport = { state: 'none' };

export const $reportQueue = memberAtom<ReportQueue>(EMPTY_REPORTS);
export const $openedReport = memberAtom<OpenedReport>(NO_REPORT);

const DONE: Readonly<Record<ReportAction, string>> = {
  ask: '投稿者に知らせることにしました',
  hide: 'サウンドを非公開にしました',
  restore: 'サウンドの非公開を解除しました',
  delete: 'サウンドを削除しました',
  dismiss: '報告の確認を終えました',
};

/** Shows a list from its beginning; the reports of the same list stay while it is read again. Never throws. */
export async function showReports(list: ReportList): Promise<void> {
  const before = $reportQueue.get();
  const kept = before.list === list ? before.reports : [];
  await loadReports({ ...EMPTY_REPORTS, list, reports: kept }, null, []);
}

/** Appends the next page. Never throws. */
export async function showMoreReports(): Promise<void> {
  const queue = $reportQueue.get();
  if (queue.state === 'loading' || queue.next === null) return;
  await loadReports({ ...queue, state: 'loading' }, queue.next, queue.reports);
}

async function loadReports(
  loading: ReportQueue,
  cursor: string | null,
  before: readonly ReportLine[],
): Promise<void> {
  const { list } = loading;
  await load(
    $reportQueue,
    loading,
    async (signal) => {
      const query = { list, ...(cursor !== null && { cursor }) };
      const { results, next } = await callApi(listStaffReports, { query, signal });
      // A report whose state changed between two pages can be on both.
      const known = new Set(before.map(({ id }) => id));
      const reports = [...before, ...results.filter(({ id }) => !known.has(id))];
      return { state: 'ready', error: null, list, reports, next };
    },
    (error) => ({ ...loading, state: 'failed', error }),
  );
}

/** Reads a report and shows it; one that is on the screen stays until it is read again. Never throws. */
export async function openStaffReport(id: string): Promise<void> {
  const before = $openedReport.get();
  await load<OpenedReport>(
    $openedReport,
    before.state === 'ready' && before.id === id ? before : { state: 'loading', id },
    async (signal) => ({
      state: 'ready',
      id,
      report: await callApi(getStaffReport, { params: { id }, signal }),
    }),
    (error) => ({ state: 'failed', id, error }),
  );
}

export function closeStaffReport(): void {
  $openedReport.set(NO_REPORT);
}

/**
 * Decides on the report on the screen. Returns whether it is decided, by this call or by someone who was first. Never
 * throws.
 */
export async function decideOnReport(action: ReportAction, reason: string): Promise<boolean> {
  const opened = $openedReport.get();
  if (opened.state !== 'ready') return false;
  const { id, report } = opened;
  try {
    const body = { action, reason, version: report.version };
    await callApi(decideStaffReport, { params: { id }, body });
    showToast('success', DONE[action]);
  } catch (error) {
    if (isCancelled(error)) return false;
    presentError(error, { toasts: 'each' });
    if (!(error instanceof ApiError) || error.status !== 409) return false;
  }
  await Promise.all([openStaffReport(id), showReports($reportQueue.get().list)]);
  return true;
}
