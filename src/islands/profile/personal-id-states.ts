import type { Profile } from '../../../contract/accounts/profile.ts';

type Tone = 'plain' | 'waiting' | 'good' | 'bad';

/** The state of the identity check (spec §4), as a short and a full text. */
export interface IdState {
  readonly tone: Tone;
  readonly short: string;
  readonly long: string;
  /** Whether an ID may be sent: only the first one, or another after a rejection. */
  readonly canSend: boolean;
}

const STATES: Readonly<Record<string, IdState>> = {
  pending: {
    tone: 'waiting',
    short: '本人確認：審査中',
    long: '運営事務局が確認しています。',
    canSend: false,
  },
  confirmed: { tone: 'good', short: '本人確認：承認済み', long: '承認されました。', canSend: false },
  rejected: {
    tone: 'bad',
    short: '本人確認：再提出が必要です',
    long: '承認されませんでした。本人確認書類をもう一度提出してください。',
    canSend: true,
  },
};

const NOTHING: IdState = {
  tone: 'plain',
  short: '本人確認：未提出',
  long: '運転免許証、保険証、マイナンバーカードのいずれかの写真をお送りください。',
  canSend: true,
};

export function describeId({ personal_info_status, is_personal_info_verified }: Profile): IdState {
  if (is_personal_info_verified) return STATES['confirmed'] ?? NOTHING;
  return STATES[personal_info_status] ?? NOTHING;
}
