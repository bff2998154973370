import type { SoundDecision, SoundState } from '../../../../contract/operator/sounds.ts';
import type { CommonReasons } from '../reasons.ts';

/** States as the staff reads them. */
export const STATE_NAMES: Readonly<Record<SoundState, string>> = {
  public: '公開中',
  private: '非公開',
  hidden: '運営者が非公開',
  withheld: '投稿者の停止・退会で非公開',
  deleted: '投稿者が削除',
};

export interface DecisionTexts {
  readonly action: string;
  readonly effect: string;
  readonly done: string;
  readonly reasons?: CommonReasons;
}

const INFRINGED = '内容を確認し、ほかの方の権利を侵害していると判断しました。';
const AGAINST_TERMS = '内容を確認し、利用規約に違反していると判断しました。';

export const DECISION_TEXTS: Readonly<Record<SoundDecision, DecisionTexts>> = {
  hide: {
    action: '非公開にする',
    effect:
      'ほかの人には表示されず、再生もダウンロードもできなくなります。あとで解除できます。理由は、投稿者にメールで伝わります。',
    done: 'サウンドを非公開にしました',
    reasons: { 権利の侵害: INFRINGED, 利用規約への違反: AGAINST_TERMS },
  },
  unhide: {
    action: '非公開を解除する',
    effect:
      '投稿者が公開していたサウンドは、もう一度公開されます。投稿者が停止中なら、非公開のままです。投稿者にメールで伝わります。',
    done: 'サウンドの非公開を解除しました',
  },
  delete: {
    action: '削除する',
    effect:
      'サウンド、音声とサムネイルのファイル、お気に入りが失われます。元に戻すことはできません。報酬の記録は残ります。理由は、投稿者にメールで伝わります。',
    done: 'サウンドを削除しました',
    reasons: {
      権利の侵害: INFRINGED,
      利用規約への違反: AGAINST_TERMS,
      投稿者の同意: '投稿者の同意を得て、サウンドを削除します。',
    },
  },
};
