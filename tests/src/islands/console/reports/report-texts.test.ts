import { expect, test } from 'vitest';
import type { ReportDetails } from '#contract/operator/reports.ts';
import { listEffects } from '#src/islands/console/reports/report-texts.ts';

test.each([
  [
    true,
    'waiting',
    'held',
    '理由は、報告者にメールで伝わります。投稿者には、報告があったことも伝わりません。',
  ],
  [
    true,
    'waiting',
    'queued',
    '理由は、報告者にメールで伝わります。投稿者には、報告があったことも伝わりません。',
  ],
  [true, 'waiting', 'asked', '理由は、報告者と投稿者の両方にメールで伝わります。'],
  [true, 'answered', 'asked', '理由は、報告者と投稿者の両方にメールで伝わります。'],
  [false, 'unconfirmed', 'held', '報告者の確認が済んでいないため、メールは送られません。'],
] as const)(
  'the dismissal of a report that is confirmed: %s, %s and %s says who learns of it',
  (is_confirmed, state, asking, told) => {
    const report = { is_confirmed, state, asking, artist: { id: 'a' } } as unknown as ReportDetails;
    expect(listEffects('dismiss', report).at(-1)).toBe(told);
  },
);
