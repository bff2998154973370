import { ApiError } from '../../../contract/errors.ts';
import {
  type ReportAction,
  type ReportDetails,
  type ReportLine,
  type ReportList,
  decideStaffReport,
  getStaffReport,
  listStaffReports,
} from '../../../contract/operator-reports.ts';
import { callApi } from '../../api/browser.ts';
import { showToast } from '../overlays/overlays.ts';
import { memberAtom, memberSignal } from '../shared/member-atom.ts';
import { isCancelled, presentError } from '../shared/request-errors.ts';

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
  hide: 'サウンドを非公開にしました',
  restore: 'サウンドの非公開を解除しました',
  delete: 'サウンドを削除しました',
  dismiss: '報告の確認を終えました',
};

let calls = 0;

/** Shows a list from its beginning; the reports of the same list stay while it is read again. Never throws. */
export async function showReports(list: ReportList): Promise<void> {
  const before = $reportQueue.get();
  const kept = before.list === list ? before.reports : [];
  $reportQueue.set({ ...EMPTY_REPORTS, list, reports: kept });
  await load(list, null, []);
}

/** Appends the next page. Never throws. */
export async function showMoreReports(): Promise<void> {
  const queue = $reportQueue.get();
  if (queue.state === 'loading' || queue.next === null) return;
  $reportQueue.set({ ...queue, state: 'loading' });
  await load(queue.list, queue.next, queue.reports);
}

async function load(list: ReportList, cursor: string | null, before: readonly ReportLine[]): Promise<void> {
  calls += 1;
  const call = calls;
  try {
    const query = { list, ...(cursor !== null && { cursor }) };
    const { results, next } = await callApi(listStaffReports, { query, signal: memberSignal() });
    // Another list has been chosen.
    if (call !== calls) return;
    // A report whose state changed between two pages can be on both.
    const known = new Set(before.map(({ id }) => id));
    const reports = [...before, ...results.filter(({ id }) => !known.has(id))];
    $reportQueue.set({ state: 'ready', error: null, list, reports, next });
  } catch (error) {
    if (call === calls && !memberSignal().aborted) {
      $reportQueue.set({ ...$reportQueue.get(), state: 'failed', error });
    }
  }
}

/** Reads a report and shows it; one that is on the screen stays until it is read again. Never throws. */
export async function openStaffReport(id: string): Promise<void> {
  const before = $openedReport.get();
  if (before.state !== 'ready' || before.id !== id) $openedReport.set({ state: 'loading', id });
  try {
    const report = await callApi(getStaffReport, { params: { id }, signal: memberSignal() });
    if (isOpened(id)) $openedReport.set({ state: 'ready', id, report });
  } catch (error) {
    if (isOpened(id) && !memberSignal().aborted) $openedReport.set({ state: 'failed', id, error });
  }
}

export function closeStaffReport(): void {
  $openedReport.set(NO_REPORT);
}

function isOpened(id: string): boolean {
  const opened = $openedReport.get();
  return opened.state !== 'none' && opened.id === id;
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
