import { type OwnReport, answerReport, listOwnReports } from '../../../contract/reports.ts';
import { ApiError } from '../../../contract/calls/errors.ts';
import { callApi } from '../../api/browser.ts';
import type { FormLogic } from '../../lib/form-state.ts';
import { showToast } from '../overlays/overlays.ts';
import { createForm } from '../shared/form.ts';
import { memberAtom, memberSignal } from '../shared/member-atom.ts';
import { memberQuery } from '../shared/queries.ts';

/** The reports of the member's own sounds: open ones first, then the newest. */
export const $ownReports = memberQuery<OwnReport[]>(['own-reports'], {
  fetcher: (signal) => callApi(listOwnReports, { signal }),
});

/** A report in its dialog, with the form of the artist's answer to it. */
export interface OpenedReport {
  readonly report: OwnReport;
  readonly form: FormLogic;
}

export const $openedReport = memberAtom<OpenedReport | null>(null);
export const $isAnswering = memberAtom(false);

/** The text of an answer survives closing the dialog, failures and leaving the page. */
export function openReport(report: OwnReport): void {
  if ($openedReport.get() === null) $openedReport.set({ report, form: createAnswer(report) });
}

/** The dialog stays open while the answer is sent. */
export function closeReport(): void {
  if (!$isAnswering.get()) leaveReport();
}

/** Closes the dialog when its page is left. */
export function leaveReport(): void {
  $openedReport.set(null);
}

/** The only answer to a report. A toast reports a failure when the dialog has been left. */
function createAnswer({ id }: OwnReport): FormLogic {
  const member = memberSignal();
  const isOpen = () => $openedReport.get()?.form === form;
  const form = createForm({
    schema: answerReport.body,
    draft: `answer:${id}`,
    explain: ({ fields, problems }) => {
      if (!isOpen() && !member.aborted) {
        for (const text of [...fields.map(({ message }) => message), ...problems]) showToast('error', text);
      }
      return problems;
    },
    send: async (body) => {
      $isAnswering.set(true);
      try {
        const report = await answer(callApi(answerReport, { params: { id }, body }));
        if (member.aborted) return;
        if (isOpen()) $openedReport.set({ report, form });
        showToast('success', '回答を送信しました。');
      } finally {
        $isAnswering.set(false);
      }
    },
  });
  return form;
}

/** Reads the reports again after an answer; also after a refusal, because the staff may have decided meanwhile. */
export async function answer<Reply>(call: Promise<Reply>): Promise<Reply> {
  try {
    const reply = await call;
    $ownReports.revalidate();
    return reply;
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'refused') $ownReports.revalidate();
    throw error;
  }
}
