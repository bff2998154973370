import { toDayStart } from '../../../../contract/values/months.ts';
import type { CreditAction, ListedState } from '../../../../contract/operator/credits.ts';

const days = new Intl.DateTimeFormat('ja-JP', { dateStyle: 'medium', timeZone: 'Asia/Tokyo' });

/** `2026/11/22` from a day (`toDay`). */
export function formatDay(day: number): string {
  return days.format(toDayStart(day));
}

const REASONS: Readonly<Record<string, string>> = {
  'network-day': '同じネットワークから、1日の上限を超えた',
  'network-artist-day': '同じネットワークから、このアーティストに1日の上限を超えた',
  'provider-day': '同じ回線事業者から、1日の上限を超えた',
  'provider-artist-day': '1日の上限の半分を超えて、一つの回線事業者から来た',
  velocity: 'ふだんより大幅に多い',
  'artist-day': 'アーティストの1日の上限を超えた',
  'site-day': 'サイト全体の1日の上限を超えた',
};

/** Why a credit is held, or what the staff wrote. */
export function formatReason(reason: string): string {
  return REASONS[reason] ?? reason;
}

export const ACTION_TEXTS: Readonly<
  Record<
    CreditAction,
    { readonly name: string; readonly verb: string; readonly button: string; readonly effect: string }
  >
> = {
  approve: { name: '承認', verb: '承認し', button: '承認する', effect: 'アーティストの残高に入ります。' },
  reject: { name: '却下', verb: '却下し', button: '却下する', effect: '報酬になりません。元に戻せません。' },
  reverse: {
    name: '取り消し',
    verb: '取り消し',
    button: '取り消す',
    effect: '残高から引きます。元に戻せません。',
  },
};

export const STATE_NAMES: Readonly<Record<ListedState, string>> = {
  held: '保留中',
  credited: '計上済み',
  rejected: '却下',
  reversed: '取り消し済み',
};
