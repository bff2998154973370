import type { Mail } from '../../platform/mail/port.ts';
import { toMail } from '../mail/layout.ts';
import type { Sender } from '../mail/layout.ts';

interface Addressee {
  readonly username: string;
  readonly email: string;
}

export function toSuspendedMail(sender: Sender, { username, email }: Addressee, reason: string): Mail {
  return toMail(sender, email, 'アカウントを停止しました', [
    `${username} さん`,
    '運営者が、あなたのアカウントを停止しました。アーティストページとサウンドは、ほかの方には表示されません。',
    `理由: ${reason}`,
    '停止中は、アップロード、公開情報の変更、送金依頼ができません。サウンドと報酬の記録は削除されていません。ログインして、ご自身の情報、サウンド、支払いの明細を確認できます。',
    {
      label: 'ご質問やご意見は、お問い合わせからお寄せください。',
      url: `${sender.siteUrl}/contact`,
    },
  ]);
}

export function toUnsuspendedMail(
  sender: Sender,
  { username, email }: Addressee,
  isStillBlocked: boolean,
): Mail {
  return toMail(sender, email, 'アカウントの停止を解除しました', [
    `${username} さん`,
    'アカウントの停止を解除しました。アーティストページと、公開していたサウンドは、停止前のとおりに表示されます。',
    ...(isStillBlocked
      ? ['停止の前からの制限は続いています。アップロードや公開情報の変更は、まだできません。']
      : []),
    { label: 'サウンドの状態は、プロフィールで確認できます。', url: `${sender.siteUrl}/profile` },
  ]);
}
