import * as v from 'valibot';
import { ApiError } from '../../../contract/errors.ts';
import { OWN_REPORTS_MAX, answerReports } from '../../../contract/reports.ts';
import { callApi } from '../../api/browser.ts';
import { readDraft, saveDraft } from '../../lib/drafts.ts';
import { showToast } from '../overlays/overlays.ts';
import { memberAtom, memberSignal } from '../shared/member-atom.ts';
import { presentError } from '../shared/request-errors.ts';
import { $ownReports } from './own-reports.ts';

/** One answer to several reports. */
export interface SeveralAnswers {
  readonly isSending: boolean;
  /** The reports that it answers. */
  readonly chosen: ReadonlySet<string>;
  readonly text: string;
  /** The response to the last attempt. */
  readonly problems: readonly string[];
}

export const NO_ANSWERS: SeveralAnswers = { isSending: false, chosen: new Set(), text: '', problems: [] };
export const $severalAnswers = memberAtom<SeveralAnswers>(NO_ANSWERS);

const DRAFT = 'answers';

/** The text survives failures and leaving the page; the choice does not. */
export function openSeveralAnswers(): void {
  $severalAnswers.set({ ...NO_ANSWERS, text: readDraft(DRAFT)['text'] ?? '' });
}

export function writeSeveralAnswers(text: string): void {
  change({ text, problems: [] });
  saveDraft(DRAFT, { text });
}

/** Chooses exactly these reports, at most as many as one answer may have. */
export function chooseReports(ids: Iterable<string>): void {
  change({ chosen: new Set([...ids].slice(0, OWN_REPORTS_MAX)), problems: [] });
}

function change(values: Partial<SeveralAnswers>): void {
  const answers = $severalAnswers.get();
  if (!answers.isSending) $severalAnswers.set({ ...answers, ...values });
}

/** Sends the answer to each chosen report that can still be answered. Never throws. */
export async function sendSeveralAnswers(): Promise<void> {
  const answers = $severalAnswers.get();
  if (answers.isSending) return;
  const canAnswer = new Set($ownReports.get().data?.flatMap((each) => (each.can_answer ? each.id : [])));
  const ids = [...answers.chosen].filter((id) => canAnswer.has(id));
  const refuse = (problems: readonly string[]) =>
    $severalAnswers.set({ ...answers, isSending: false, problems });
  const checked = v.safeParse(answerReports.body, { ids, text: answers.text });
  if (!checked.success) return refuse(checked.issues.map(({ message }) => message));
  const member = memberSignal();
  $severalAnswers.set({ ...answers, isSending: true, problems: [] });
  try {
    await callApi(answerReports, { body: checked.output });
    saveDraft(DRAFT, {});
    if (member.aborted) return;
    $severalAnswers.set(NO_ANSWERS);
    showToast('success', `${ids.length}件の報告に回答しました。`);
  } catch (error) {
    const { problems } = presentError(error, { toasts: 'none' });
    if (member.aborted) return;
    refuse(problems);
    if (!(error instanceof ApiError && error.kind === 'refused')) return;
  }
  // Also after a refusal: the staff may have decided meanwhile.
  $ownReports.revalidate();
}
