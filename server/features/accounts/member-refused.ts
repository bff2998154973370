import { Problem } from '../../platform/http/problem.ts';

const REFUSALS = {
  self: [403, 'ご自身のアカウントは操作できません。'],
  'not-staff': [403, '運営者だけが操作できます。'],
  suspended: [409, '停止中のメンバーです。先に停止を解除してください。'],
  deleting: [409, 'このアカウントは、削除の手続き中です。'],
  'already-blocked': [409, 'すでに制限されています。'],
  'not-blocked': [409, '制限されていません。'],
  'already-staff': [409, 'すでに運営者です。'],
  'no-staff-account': [409, '運営者ではありません。'],
  'no-sessions': [409, 'ログイン中の端末はありません。'],
  'last-staff': [409, '最後の運営者です。先に別の運営者を追加してください。'],
} as const;

/** A decision about a member that cannot be carried out as things are. */
export function memberRefused(refusal: keyof typeof REFUSALS): Problem {
  const [status, detail] = REFUSALS[refusal];
  return new Problem(status, detail);
}
