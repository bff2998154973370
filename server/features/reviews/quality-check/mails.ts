import type { Mail } from '../../../platform/mail/port.ts';
import { toMail } from '../../mail/layout.ts';
import type { Sender } from '../../mail/layout.ts';

/** The applicant. */
interface Addressee {
  readonly username: string;
  readonly email: string;
  /** Blocked: what an approval permits stays forbidden until the block ends. */
  readonly is_blocked: 0 | 1;
}

export function toReceivedMail(sender: Sender, { username, email }: Omit<Addressee, 'is_blocked'>): Mail {
  return toMail(sender, email, 'クオリティチェックの申請を受け付けました', [
    `${username} さん`,
    'クオリティチェックの申請を受け付けました。スタッフが音声を確認し、結果をメールでお知らせします。',
    '承認されると、サウンドをアップロードできるようになります。提出された音声は、審査が終わりしだい削除します。',
    { label: '審査の状況は、プロフィールで確認できます。', url: `${sender.siteUrl}/profile` },
  ]);
}

/** Notifies the operator of an application that waits. */
export function toWaitingMail(
  sender: Sender,
  operatorEmail: string,
  { username }: Pick<Addressee, 'username'>,
  applicationId: string,
): Mail {
  return toMail(sender, operatorEmail, 'クオリティチェックの申請が届きました', [
    `${username} さんから、クオリティチェックの申請がありました。`,
    `受付番号: ${applicationId}`,
    {
      label: '運営のページで、音声を聴いて審査できます。',
      url: `${sender.siteUrl}/operator/quality-checks?id=${applicationId}`,
    },
    `コマンドでも審査できます。npm run operator -- quality-checks show ${applicationId}`,
  ]);
}

export function toApprovedMail(sender: Sender, { username, email, is_blocked }: Addressee): Mail {
  const isBlocked = is_blocked === 1;
  return toMail(sender, email, 'クオリティチェックに合格しました', [
    `${username} さん`,
    isBlocked
      ? 'クオリティチェックの申請が承認されました。アカウントの制限が解除されると、サウンドをアップロードできます。'
      : 'クオリティチェックの申請が承認されました。サウンドをアップロードできるようになりました。',
    '審査のために提出された音声は削除します。公開するには、あらためてアップロードしてください。',
    {
      label: isBlocked ? '状況は、プロフィールで確認できます。' : 'アップロードはこちらからどうぞ。',
      url: `${sender.siteUrl}/profile`,
    },
  ]);
}

export function toRejectedMail(
  sender: Sender,
  { username, email, is_blocked }: Addressee,
  reason: string,
): Mail {
  return toMail(sender, email, 'クオリティチェックの結果のお知らせ', [
    `${username} さん`,
    '提出された音声を確認しましたが、今回は承認できませんでした。提出された音声は削除します。',
    `理由: ${reason}`,
    {
      label:
        is_blocked === 1
          ? '状況は、プロフィールで確認できます。'
          : 'こちらから、すぐにもう一度申請できます。',
      url: `${sender.siteUrl}/profile`,
    },
  ]);
}

export function toRevokedMail(
  sender: Sender,
  { username, email, is_blocked }: Addressee,
  reason: string,
): Mail {
  return toMail(sender, email, 'クオリティチェックの合格を取り消しました', [
    `${username} さん`,
    '運営者が、クオリティチェックの合格を取り消しました。サウンドを新しくアップロードするには、もう一度合格する必要があります。',
    `理由: ${reason}`,
    'これまでのサウンド、報酬、送金の依頼は、そのまま残ります。',
    {
      label:
        is_blocked === 1
          ? '状況は、プロフィールで確認できます。'
          : 'サウンドの管理と次の申請は、プロフィールからできます。',
      url: `${sender.siteUrl}/profile`,
    },
  ]);
}
