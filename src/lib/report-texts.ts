import type { ReportState, ReporterView } from '../../contract/reports.ts';

/** What the state of a report means, for its reporter. */
const REPORT_STATE_TEXTS: Readonly<Record<ReportState, string>> = {
  unconfirmed: 'まだ確定していません。',
  waiting: '投稿者の回答を待っています。',
  'waiting-hidden': 'サウンドを非公開にして、投稿者の回答を待っています。',
  answered: '投稿者が回答しました。運営者が確認しています。',
  'answered-hidden': '投稿者が回答しました。サウンドを非公開にして、運営者が確認しています。',
  unanswered: '運営者が確認しています。',
  'unanswered-hidden': 'サウンドを非公開にして、運営者が確認しています。',
  hidden: '運営者が、サウンドを非公開にしました。',
  deleted: '運営者が、サウンドを削除しました。',
  dismissed: '運営者が、対応は要らないと判断しました。',
  restored: '運営者が判断を改め、この報告による非公開を解除しました。',
  lapsed: '確定されないまま、期限が過ぎました。投稿者には伝わっていません。',
  gone: 'サウンドが削除されたため、確認を終えました。',
};

/** What its reporter reads of a report. One without a deadline waits until the artist is told of it. */
export function toReporterState({ state, due_at }: Pick<ReporterView, 'state' | 'due_at'>): string {
  return state === 'waiting' && !due_at
    ? '確定しました。運営者が確認しています。'
    : REPORT_STATE_TEXTS[state];
}

/** The same for the artist, where it differs. */
export const ARTIST_STATE_TEXTS: Readonly<Record<ReportState, string>> = {
  ...REPORT_STATE_TEXTS,
  waiting: '回答をお待ちしています。',
  'waiting-hidden': 'サウンドは非公開です。回答をお待ちしています。',
  answered: '回答を受け付けました。運営者が確認しています。',
  'answered-hidden': '回答を受け付けました。サウンドは非公開のまま、運営者が確認しています。',
  unanswered: '回答の期限が過ぎました。運営者の判断の前であれば、まだ回答できます。',
  'unanswered-hidden':
    'サウンドは非公開です。回答の期限が過ぎました。運営者の判断の前であれば、まだ回答できます。',
};

/** What happened, by the state after it. '' for an event that this client does not know. */
export function toEventText(event: string, state: ReportState): string {
  if (event === 'expire') {
    return state === 'lapsed' ? '確定の期限が過ぎました' : '投稿者の回答の期限が過ぎました';
  }
  return EVENT_TEXTS[event] ?? '';
}

const EVENT_TEXTS: Readonly<Record<string, string>> = {
  submit: '報告を受け付けました',
  confirm: '報告が確定しました',
  ask: '運営者が、投稿者に回答を求めることにしました',
  tell: '投稿者に知らせました',
  answer: '投稿者が回答しました',
  hide: '運営者がサウンドを非公開にしました',
  restore: '運営者が非公開を解除しました',
  delete: '運営者がサウンドを削除しました',
  dismiss: '運営者が確認を終えました',
  gone: 'サウンドが削除されました',
};

/** What is said about open reports; `isAsked`: the artist can still answer one. */
export function toReportNotice(isAsked: boolean): string {
  return isAsked ? '報告が届いています' : '報告を運営者が確認しています';
}

/** Whether a decision of the staff is still to come. */
export function isUnderReview(state: ReportState): boolean {
  return /^(?:waiting|answered|unanswered)/.test(state);
}
