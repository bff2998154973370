import { atom } from 'nanostores';
import * as v from 'valibot';
import { OWN_REPORTS_MAX, answerReports } from '../../../contract/reports.ts';
import { callApi } from '../../api/browser.ts';
import { showToast } from '../overlays/overlays.ts';
import { createForm } from '../shared/form.ts';
import { memberSignal } from '../shared/member-atom.ts';
import { $ownReports, answer } from './own-reports.ts';

const NONE: ReadonlySet<string> = new Set();

/** One answer to several reports. Its text survives failures and leaving the page; the choice does not. */
export function createSeveralAnswers() {
  const $chosen = atom(NONE);
  const member = memberSignal();
  const form = createForm({
    schema: v.pick(answerReports.body, ['text']),
    draft: 'answers',
    afterSave: 'clear',
    explain: ({ problems }) => problems,
    send: async ({ text }) => {
      const canAnswer = new Set($ownReports.get().data?.flatMap((each) => (each.can_answer ? each.id : [])));
      const ids = [...$chosen.get()].filter((id) => canAnswer.has(id));
      await answer(callApi(answerReports, { body: { ids, text } }));
      if (member.aborted) return;
      $chosen.set(NONE);
      showToast('success', `${ids.length}件の報告に回答しました。`);
    },
  });

  /** Chooses exactly these reports, at most as many as one answer may have. */
  function choose(ids: readonly string[]): void {
    $chosen.set(new Set(ids.slice(0, OWN_REPORTS_MAX)));
    form.touch('ids');
  }

  return { form, $chosen, choose };
}
