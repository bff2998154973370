import type { Mail } from '../../../platform/mail/port.ts';
import { toMail } from '../../mail/layout.ts';
import type { Part, Sender } from '../../mail/layout.ts';

/** Undecided images are destroyed after this many days. */
export const REVIEW_DAYS_MAX = 30;

/** The owner of the ID; mails contain nothing else about it. */
interface Addressee {
  readonly username: string;
  readonly email: string;
}

/** Notifies the operator of an ID that waits, without naming its owner. */
export function toWaitingMail(sender: Sender, operatorEmail: string, submissionId: string): Mail {
  return toMail(sender, operatorEmail, '本人確認書類が届きました', [
    '審査を待っている本人確認書類があります。管理画面から確認してください。',
    `受付番号: ${submissionId}`,
    '個人情報を守るため、このメールには提出者の情報を記載していません。',
  ]);
}

export function toReceivedMail(sender: Sender, { username, email }: Addressee, undo: readonly Part[]): Mail {
  return toMail(sender, email, '本人確認書類を受け付けました', [
    `${username} さん`,
    '本人確認書類を受け付けました。審査が終わりましたら、メールでお知らせします。',
    '画像は暗号化して保管し、審査が終わりしだい削除します。',
    `${REVIEW_DAYS_MAX}日以内に審査が終わらなかった場合も画像を削除し、再提出をお願いします。`,
    ...undo,
  ]);
}

export function toConfirmedMail(sender: Sender, { username, email }: Addressee): Mail {
  return toMail(sender, email, '本人確認が完了しました', [
    `${username} さん`,
    '本人確認書類が承認されました。提出された画像は削除しました。',
    '振込先の金融機関名、支店名、預金種別、口座番号は、変更できなくなりました。',
    { label: 'プロフィールはこちらから確認できます。', url: `${sender.siteUrl}/profile` },
  ]);
}

export function toRejectedMail(sender: Sender, { username, email }: Addressee, reason: string): Mail {
  return toMail(sender, email, '本人確認書類の再提出のお願い', [
    `${username} さん`,
    '本人確認書類を確認しましたが、承認できませんでした。提出された画像は削除しました。',
    `理由: ${reason}`,
    { label: 'お手数ですが、こちらからもう一度提出してください。', url: `${sender.siteUrl}/profile` },
  ]);
}

export function toExpiredMail(sender: Sender, { username, email }: Addressee): Mail {
  return toMail(sender, email, '本人確認書類の再提出のお願い', [
    `${username} さん`,
    `提出された本人確認書類の審査を、${REVIEW_DAYS_MAX}日以内に終えることができませんでした。個人情報を守るため、画像は削除しました。`,
    'お待たせしたうえにお手数をおかけし、申し訳ありません。',
    { label: 'こちらからもう一度提出してください。', url: `${sender.siteUrl}/profile` },
  ]);
}
