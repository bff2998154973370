// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#contract/errors.ts';
import { ANSWER_LENGTH_MAX } from '#contract/reports.ts';
import type { OwnReport } from '#contract/reports.ts';
import { MEMBER, callApi, holdCall, useStores } from '../../support/stores.ts';

vi.mock('#src/api/browser.ts', () => ({ callApi }));

import {
  $openedReport,
  closeReport,
  leaveReport,
  openReport,
  sendAnswer,
  writeAnswer,
} from '#src/stores/reports/own-reports.ts';
import { NO_SESSION } from '#src/lib/session.ts';
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

describe('an artist’s answer', () => {
  it('is sent once, and shown in place of the form', async () => {
    openReport(REPORT);
    writeAnswer(' 自作です。\r\n');
    await Promise.all([sendAnswer(), sendAnswer()]);
    expect(answers().map(([, options]) => options)).toEqual([
      { params: { id: 'r1' }, body: { text: '自作です。' } },
    ]);
    expect($openedReport.get()).toMatchObject({ state: 'open', report: ANSWERED, text: '' });
  });

  it('keeps its text in the dialog, after closing it and after a failure', async () => {
    openReport(REPORT);
    writeAnswer('書きかけ');
    closeReport();
    openReport(REPORT);
    expect($openedReport.get()).toMatchObject({ state: 'open', text: '書きかけ' });
    callApi.mockRejectedValueOnce(new ApiError(503, []));
    await sendAnswer();
    expect($openedReport.get()).toMatchObject({ text: '書きかけ', problems: [expect.any(String)] });
    callApi.mockRejectedValueOnce(new ApiError(409, [{ key: 'detail', message: '判断を終えています。' }]));
    await sendAnswer();
    expect($openedReport.get()).toMatchObject({ text: '書きかけ', problems: ['判断を終えています。'] });
  });

  it.each(['', ' \n', 'あ'.repeat(ANSWER_LENGTH_MAX + 1)])(
    'is not sent when empty or too long',
    async (text) => {
      openReport(REPORT);
      writeAnswer(text);
      await sendAnswer();
      expect(answers()).toEqual([]);
      expect($openedReport.get()).toMatchObject({ state: 'open', problems: [expect.any(String)] });
    },
  );

  it('blocks the dialog while it is sent, and is forgotten when another member logs in', async () => {
    openReport(REPORT);
    writeAnswer('自作です。');
    const { answer } = holdCall();
    const sending = sendAnswer();
    closeReport();
    expect($openedReport.get().state).toBe('sending');
    $session.set(NO_SESSION);
    expect($openedReport.get()).toEqual({ state: 'closed' });
    answer(ANSWERED);
    await sending;
    expect($openedReport.get()).toEqual({ state: 'closed' });
  });
});
