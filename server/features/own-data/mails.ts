import { formatDateTime } from '../../../contract/values/date-times.ts';
import type { Mail } from '../../platform/mail/port.ts';
import { toMail } from '../mail/layout.ts';
import type { Part, Sender } from '../mail/layout.ts';

/** Before the link that cancels a deletion. */
export const IF_CHANGED_MIND =
  '考えが変わったときも、心当たりがないときも、次のリンクから取り消せます。考えが変わったときは、パスワードはこれまでのまま使えます。';

/** Names the time of the deletion and what is given up; ends with the link that cancels it. */
export function toDeletionMail(
  sender: Sender,
  owner: { readonly username: string; readonly email: string },
  deletion: { readonly atMs: number; readonly forfeit: number; readonly reason: string },
  undo: readonly Part[],
): Mail {
  const yen = deletion.forfeit.toLocaleString('ja-JP');
  return toMail(sender, owner.email, 'アカウントの削除を受け付けました', [
    `${owner.username} さん`,
    deletion.reason === ''
      ? 'アカウントの削除を受け付けました。'
      : `運営者が、アカウントの削除を受け付けました。理由: ${deletion.reason}`,
    `${formatDateTime(deletion.atMs)}（日本時間）以降に、サウンド、お気に入り、プロフィールを完全に削除します。それまでの間、アーティストページとサウンドは公開されず、ログインもできません。`,
    ...(deletion.forfeit === 0
      ? []
      : [`報酬残高の${yen}円は受け取れなくなります。報酬と送金の記録は、お名前を除いて残ります。`]),
    ...undo,
  ]);
}

/** After a change of mind; the password has stayed. */
export function toDeletionCancelledMail(
  sender: Sender,
  owner: { readonly username: string; readonly email: string },
): Mail {
  return toMail(sender, owner.email, 'アカウントの削除を取り消しました', [
    `${owner.username} さん`,
    'アカウントの削除を取り消しました。アーティストページとサウンドは、削除を受け付ける前の状態に戻りました。',
    { label: 'これまでのパスワードで、こちらからログインできます。', url: `${sender.siteUrl}/login` },
    {
      label: '削除や取り消しに心当たりがないときは、すぐにこちらからパスワードを再設定してください。',
      url: `${sender.siteUrl}/forgot-password`,
    },
  ]);
}
