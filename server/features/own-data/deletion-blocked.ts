import { Problem } from '../../platform/http/problem.ts';

const BLOCKERS = {
  'last-staff': '最後の運営者アカウントは削除できません。先に、ほかの運営者を追加してください。',
  'under-way': 'このアカウントは、すでに削除の手続き中です。',
  'open-payout': '手続き中の送金依頼があります。送金が完了するか、却下されてから、もう一度お試しください。',
} as const;

/** An account that cannot be deleted now. */
export function deletionBlocked(blocker: keyof typeof BLOCKERS): Problem {
  return new Problem(409, BLOCKERS[blocker]);
}

/** For a wish that does not give up this balance, in yen. */
export function otherBalance(balance: number): Problem {
  const yen = balance.toLocaleString('ja-JP');
  return new Problem(400, {
    forfeit: `報酬残高は${yen}円です。先に送金を依頼するか、この金額を受け取らないことを確認してください。`,
  });
}
