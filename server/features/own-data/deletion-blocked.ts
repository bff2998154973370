import { Problem } from '../../platform/http/http.ts';

const BLOCKERS = {
  'last-staff': '最後の運営者アカウントは削除できません。先に、ほかの運営者を追加してください。',
  'under-way': 'このアカウントは、すでに削除の手続き中です。',
  'open-transfer': '手続き中の送金依頼があります。送金が完了するか、却下されてから、もう一度お試しください。',
} as const;

/** An account that cannot be deleted now: 400 for another balance, 409 for all other reasons. */
export class DeletionBlocked extends Problem {
  readonly blocker: keyof typeof BLOCKERS | 'other-balance';
  /** The balance that has to be given up, in yen. */
  readonly balance: number;

  constructor(blocker: keyof typeof BLOCKERS | { readonly balance: number }) {
    if (typeof blocker === 'string') super(409, BLOCKERS[blocker]);
    else {
      const yen = blocker.balance.toLocaleString('ja-JP');
      super(400, {
        forfeit: `報酬残高は${yen}円です。先に送金を依頼するか、この金額を受け取らないことを確認してください。`,
      });
    }
    this.blocker = typeof blocker === 'string' ? blocker : 'other-balance';
    this.balance = typeof blocker === 'string' ? 0 : blocker.balance;
  }
}
