import type { Mail } from '../../ports/mail.ts';
import { toMail } from '../accounts/mails.ts';
import type { Sender } from '../accounts/mails.ts';

/** Who applied. */
interface Addressee {
  readonly username: string;
  readonly email: string;
}

export function toReceivedMail(sender: Sender, { username, email }: Addressee): Mail {
  return toMail(sender, email, 'クオリティチェックの申請を受け付けました', [
    `${username} さん`,
    'クオリティチェックの申請を受け付けました。スタッフが音声を確認し、結果をメールでお知らせします。',
    '承認されると、サウンドをアップロードできるようになります。提出された音声は、審査が終わりしだい削除します。',
    { label: '審査の状況は、プロフィールで確認できます。', url: `${sender.siteUrl}/profile` },
  ]);
}

/** To the operator: that one waits. */
export function toWaitingMail(
  sender: Sender,
  operatorEmail: string,
  { username }: Pick<Addressee, 'username'>,
  applicationId: string,
): Mail {
  return toMail(sender, operatorEmail, 'クオリティチェックの申請が届きました', [
    `${username} さんから、クオリティチェックの申請がありました。`,
    `受付番号: ${applicationId}`,
    `次のコマンドで、音声を聴くためのアドレスを表示できます。npm run operator -- quality-checks show ${applicationId}`,
  ]);
}

export function toApprovedMail(sender: Sender, { username, email }: Addressee): Mail {
  return toMail(sender, email, 'クオリティチェックに合格しました', [
    `${username} さん`,
    'クオリティチェックの申請が承認されました。サウンドをアップロードできるようになりました。',
    '審査のために提出された音声は削除しました。公開するには、あらためてアップロードしてください。',
    { label: 'アップロードはこちらからどうぞ。', url: `${sender.siteUrl}/profile` },
  ]);
}

export function toRejectedMail(sender: Sender, { username, email }: Addressee, reason: string): Mail {
  return toMail(sender, email, 'クオリティチェックの結果のお知らせ', [
    `${username} さん`,
    '提出された音声を確認しましたが、今回は承認できませんでした。提出された音声は削除しました。',
    `理由: ${reason}`,
    { label: 'こちらから、すぐにもう一度申請できます。', url: `${sender.siteUrl}/profile` },
  ]);
}
