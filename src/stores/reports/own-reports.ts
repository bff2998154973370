import * as v from 'valibot';
import { type OwnReport, answerReport, listOwnReports } from '../../../contract/reports.ts';
import { ApiError } from '../../../contract/errors.ts';
import { callApi } from '../../api/browser.ts';
import { readDraft, saveDraft } from '../../lib/drafts.ts';
import { memberAtom, memberSignal } from '../shared/member-atom.ts';
import { memberQuery } from '../shared/queries.ts';
import { presentError } from '../shared/request-errors.ts';
import { showToast } from '../overlays/overlays.ts';

/** The reports of the member's own sounds: open ones first, then the newest. */
export const $ownReports = memberQuery<OwnReport[]>(['own-reports'], {
  fetcher: (signal) => callApi(listOwnReports, { signal }),
});

/** A report in its dialog, with the artist's answer to it. */
export type OpenedReport =
  | { readonly state: 'closed' }
  | {
      readonly state: 'open' | 'sending';
      readonly report: OwnReport;
      readonly text: string;
      /** The response to the last attempt. */
      readonly problems: readonly string[];
    };

const CLOSED: OpenedReport = { state: 'closed' };
export const $openedReport = memberAtom<OpenedReport>(CLOSED);

const toDraftName = (id: string) => `answer:${id}`;

/** The text of an answer survives closing the dialog, failures and leaving the page. */
export function openReport(report: OwnReport): void {
  if ($openedReport.get().state !== 'closed') return;
  const text = report.can_answer ? (readDraft(toDraftName(report.id))['text'] ?? '') : '';
  $openedReport.set({ state: 'open', report, text, problems: [] });
}

/** The dialog stays open while the answer is sent. */
export function closeReport(): void {
  if ($openedReport.get().state === 'open') $openedReport.set(CLOSED);
}

/** Closes the dialog when its page is left. */
export function leaveReport(): void {
  $openedReport.set(CLOSED);
}

export function writeAnswer(text: string): void {
  const opened = $openedReport.get();
  if (opened.state !== 'open') return;
  $openedReport.set({ ...opened, text, problems: [] });
  saveDraft(toDraftName(opened.report.id), { text });
}

/** Sends the only answer. Never throws. */
export async function sendAnswer(): Promise<void> {
  const opened = $openedReport.get();
  if (opened.state !== 'open') return;
  const checked = v.safeParse(answerReport.body, { text: opened.text });
  const refuse = (problems: readonly string[]) => $openedReport.set({ ...opened, problems });
  if (!checked.success) return refuse(checked.issues.map(({ message }) => message));
  const sending: OpenedReport = { ...opened, state: 'sending', problems: [] };
  const member = memberSignal();
  $openedReport.set(sending);
  try {
    const { id } = opened.report;
    const report = await callApi(answerReport, { params: { id }, body: checked.output });
    saveDraft(toDraftName(id), {});
    if (member.aborted) return;
    if ($openedReport.get() === sending) $openedReport.set({ state: 'open', report, text: '', problems: [] });
    showToast('success', '回答を送信しました。');
  } catch (error) {
    const { problems } = presentError(error, { toasts: 'none' });
    if ($openedReport.get() === sending) refuse(problems);
    else for (const problem of problems) showToast('error', problem);
    if (!(error instanceof ApiError && error.kind === 'refused')) return;
  }
  // Also after a refusal: the staff may have decided meanwhile.
  $ownReports.revalidate();
}

/** Retries after a failure. */
export function reloadReports(): void {
  $ownReports.revalidate();
}
