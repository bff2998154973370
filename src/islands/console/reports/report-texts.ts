import type {
  ReportAction,
  ReportDetails,
  ReportLine,
  ReportList,
} from '../../../../contract/operator/reports.ts';
import { REPORT_STATE_NAMES } from '../../../../contract/operator/action-texts.ts';
import { formatCount } from '../../../lib/format.ts';
import type { CommonReasons } from '../reasons.ts';
import { formatSince, formatTime } from '../times.ts';

export const LIST_NAMES: Readonly<Record<ReportList, string>> = {
  open: '終わっていない報告',
  due: '判断が必要',
  held: '投稿者に未連絡',
  asked: '投稿者の回答待ち',
  unconfirmed: '報告者の確認待ち',
  closed: '終わった報告',
};

/** The state of a report, and whether its artist knows of it. */
export function toStateName({ state, asking }: Pick<ReportLine, 'state' | 'asking'>): string {
  if (state !== 'waiting' || asking === 'asked') return REPORT_STATE_NAMES[state];
  return asking === 'held' ? '保留（投稿者に未連絡）' : '次のメールで投稿者に連絡';
}

/** When the artist or the reporter has to act, or how long the staff has been expected to. */
export function toDeadline({ state, due_at, is_overdue, updated_at }: ReportLine): string {
  if (due_at !== null) return `期限 ${formatTime(due_at)}`;
  if (is_overdue) return `期限切れ（${formatSince(updated_at)}）`;
  return state.startsWith('answered') ? `回答（${formatSince(updated_at)}）` : formatSince(updated_at);
}

export interface ActionTexts {
  readonly name: string;
  readonly title: string;
  readonly reasons: CommonReasons;
}

export const ACTION_TEXTS: Readonly<Record<ReportAction, ActionTexts>> = {
  ask: {
    name: '投稿者に知らせる',
    title: '投稿者に報告を知らせ、回答を求めますか？',
    reasons: { 事情の確認: '報告の内容について、投稿者の回答が必要と判断しました。' },
  },
  hide: {
    name: '非公開にする',
    title: 'サウンドを非公開にしますか？',
    reasons: {
      確認のあいだ: '権利についての報告を確認するあいだ、サウンドを非公開にします。',
      権利の侵害: '報告の内容と投稿者の回答を確認し、権利を侵害しているおそれが高いと判断しました。',
      回答なし: '期限までに回答がなかったため、サウンドを非公開にします。',
    },
  },
  restore: {
    name: '非公開を解除する',
    title: 'サウンドの非公開を解除しますか？',
    reasons: {
      問題なし: '内容を確認し、権利の侵害は認められないと判断しました。',
      報告の取り下げ: '報告した方から、取り下げの連絡がありました。',
    },
  },
  delete: {
    name: '削除する',
    title: 'サウンドを削除しますか？',
    reasons: {
      権利の侵害: '報告の内容と投稿者の回答を確認し、ほかの方の権利を侵害していると判断しました。',
      利用規約への違反: '内容を確認し、利用規約に違反していると判断しました。',
      投稿者の同意: '投稿者の同意を得て、サウンドを削除します。',
    },
  },
  dismiss: {
    name: '対応しない',
    title: '対応せずに、報告を終えますか？',
    reasons: {
      侵害なし: '内容を確認しましたが、権利の侵害は認められませんでした。',
      情報が不足: 'いただいた情報では、権利の侵害を確認できませんでした。',
      利用の許諾: '投稿者が、権利者から利用の許諾を得ていることを確認しました。',
    },
  },
};

/** What an action does, sentence by sentence. */
export function listEffects(action: ReportAction, report: ReportDetails): string[] {
  return [...toEffects(action, report), toTold(action, report)];
}

function toEffects(action: ReportAction, { state, audio, others }: ReportDetails): string[] {
  if (action === 'ask') {
    return [
      '投稿者への新しい報告のメールは、1日1通にまとめて送ります。回答の期限は、送ったときから数えます。',
    ];
  }
  if (action === 'hide') {
    const answer = state.startsWith('waiting') ? '投稿者は、期限まで回答できます。' : '';
    return [`ほかの人には表示されず、再生もダウンロードもできなくなります。あとで解除できます。${answer}`];
  }
  if (action === 'restore') return ['ほかの理由で非公開になっていなければ、もう一度公開されます。'];
  if (action === 'dismiss') {
    return [
      state.endsWith('-hidden') ? '報告による非公開は解除されます。' : 'サウンドは今のまま変わりません。',
    ];
  }
  return [
    `サウンド、音声とサムネイルのファイル、お気に入り${formatCount(audio?.favorites ?? 0)}件が失われます。元に戻すことはできません。`,
    `ダウンロード${formatCount(audio?.downloads ?? 0)}回の報酬の記録は残ります。`,
    ...(others > 0 ? [`このサウンドへのほかの報告${formatCount(others)}件も終わります。`] : []),
  ];
}

function toTold(action: ReportAction, { is_confirmed, artist, asking, state }: ReportDetails): string {
  if (action === 'ask') return '理由は、投稿者と報告者が見る経過に表示されます。';
  if (is_confirmed && state === 'waiting' && asking !== 'asked' && action === 'dismiss') {
    return '理由は、報告者にメールで伝わります。投稿者には、報告があったことも伝わりません。';
  }
  if (is_confirmed) {
    return artist === null
      ? '理由は、報告者にメールで伝わります。'
      : '理由は、報告者と投稿者の両方にメールで伝わります。';
  }
  return action === 'dismiss'
    ? '報告者の確認が済んでいないため、メールは送られません。'
    : '理由は、投稿者にメールで伝わります。確認が済んでいない報告者には送られません。';
}
