import type { Mail } from '../../platform/mail/port.ts';
import { toMail } from '../mail/layout.ts';
import type { Sender } from '../mail/layout.ts';
import type { Owner } from './mails.ts';

const TEXTS = {
  on: ['2段階認証を有効にしました', '管理画面の2段階認証が有効になりました。'],
  off: ['2段階認証を無効にしました', '管理画面の2段階認証が無効になりました。'],
  recovery: ['回復コードが使われました', '管理画面の2段階認証で、回復コードが使われました。'],
  wrong: [
    '認証コードの誤りが続いています',
    'パスワードでログインした人が、管理画面の2段階認証で、認証コードを何度も誤りました。',
  ],
  reset: ['2段階認証が解除されました', 'ほかの運営者が、管理画面の2段階認証を解除しました。'],
} as const;

/** Notifies a staff account of a change of its second factor. `left` recovery codes remain. */
export function toSecondFactorMail(
  sender: Sender,
  { username, email }: Owner,
  event: keyof typeof TEXTS,
  left: number,
): Mail {
  const [subject, text] = TEXTS[event];
  return toMail(sender, email, subject, [
    `${username} さん`,
    text,
    ...(event === 'recovery' ? [`残りの回復コードは${left}個です。`] : []),
    '心当たりがない場合は、すぐにパスワードを変更し、ほかの運営者に知らせてください。',
  ]);
}
