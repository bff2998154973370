// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';
import { ANSWER_LENGTH_MAX } from '#contract/reports.ts';
import type { OwnReport } from '#contract/reports.ts';
import { MEMBER, callApi, holdCall, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));

import {
  $isAnswering,
  $openedReport,
  closeReport,
  leaveReport,
  openReport,
} from '#src/stores/reports/own-reports.ts';
import { NO_SESSION } from '#src/browser/session.ts';
import { $session } from '#src/stores/session/session.ts';

const REPORT: OwnReport = {
  id: 'r1',
  sound: 's1',
  sound_title: '朝の音',
  reason: 'copyright',
  explanation: '同じ曲です。',
  state: 'waiting',
  due_at: '2026-11-30T14:59:59.999Z',
  history: [],
  reporter_name: '',
  answer: '',
  can_answer: true,
};
const ANSWERED = { ...REPORT, state: 'answered', answer: '自作です。', can_answer: false };
const answers = () => callApi.mock.calls.filter(([{ path }]) => path.endsWith('/answer/'));

useStores({ member: MEMBER });
beforeEach(() => {
  leaveReport();
  callApi.mockResolvedValue(ANSWERED);
});

const opened = () => {
  const { report, form } = $openedReport.get() ?? {};
  return { report, form: form?.$form.get(), text: form?.$values.get()['text'] };
};
function write(text: string) {
  $openedReport.get()?.form.setValues({ text });
  $openedReport.get()?.form.keep({ text });
}
function send() {
  const form = $openedReport.get()?.form;
  return form?.submit(form.$values.get());
}

describe('an artist’s answer', () => {
  it('is sent once, and shown in place of the form', async () => {
    openReport(REPORT);
    write(' 自作です。\r\n');
    await Promise.all([send(), send()]);
    expect(answers().map(([, options]) => options)).toEqual([
      { params: { id: 'r1' }, body: { text: '自作です。' } },
    ]);
    expect(opened()).toMatchObject({ report: ANSWERED, form: { state: 'done' } });
    expect(sessionStorage).toHaveLength(0);
  });

  it('keeps its text in the dialog, after closing it and after a failure', async () => {
    openReport(REPORT);
    write('書きかけ');
    closeReport();
    openReport(REPORT);
    expect(opened()).toMatchObject({ text: '書きかけ' });
    callApi.mockRejectedValueOnce(new ApiError(503, []));
    await send();
    expect(opened()).toMatchObject({ text: '書きかけ', form: { problems: [expect.any(String)] } });
    callApi.mockRejectedValueOnce(new ApiError(409, [{ key: 'detail', message: '判断を終えています。' }]));
    await send();
    expect(opened()).toMatchObject({ text: '書きかけ', form: { problems: ['判断を終えています。'] } });
  });

  it.each(['', ' \n', 'あ'.repeat(ANSWER_LENGTH_MAX + 1)])(
    'is not sent when empty or too long',
    async (text) => {
      openReport(REPORT);
      write(text);
      await send();
      expect(answers()).toEqual([]);
      expect(opened()).toMatchObject({ form: { state: 'editing', errors: { text: expect.any(String) } } });
    },
  );

  it('blocks the dialog while it is sent, and is forgotten when another member logs in', async () => {
    openReport(REPORT);
    write('自作です。');
    const { answer } = holdCall();
    const sending = send();
    closeReport();
    expect([$isAnswering.get(), opened().form]).toEqual([true, { state: 'sending' }]);
    $session.set(NO_SESSION);
    expect($openedReport.get()).toBeNull();
    answer(ANSWERED);
    await sending;
    expect([$isAnswering.get(), $openedReport.get()]).toEqual([false, null]);
  });
});
