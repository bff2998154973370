import type { Mail } from '../../platform/mail/port.ts';
import { toMail } from '../mail/layout.ts';
import type { Sender } from '../mail/layout.ts';

/** Omits the username: the person who entered it may not own the address. */
export function toConfirmationMail(sender: Sender, to: string, uid: string, token: string): Mail {
  const query = new URLSearchParams({ user: uid, token }).toString();
  return toMail(sender, to, 'メールアドレスの確認', [
    `${sender.siteName}にご登録いただき、ありがとうございます。`,
    {
      label: '次のリンクを開くと、メールアドレスの確認が済み、ログインできるようになります。',
      url: `${sender.siteUrl}/login?${query}`,
    },
    'このリンクは24時間有効です。',
    'このメールに心当たりがない場合は、リンクを開かずに破棄してください。登録は完了しません。',
  ]);
}

export function toAlreadyRegisteredMail(sender: Sender, to: string): Mail {
  return toMail(sender, to, 'このメールアドレスは登録済みです', [
    `このメールアドレスで${sender.siteName}への新規登録の手続きがありましたが、すでにアカウントがあります。新しいアカウントは作られていません。`,
    { label: 'ログインはこちらからどうぞ。', url: `${sender.siteUrl}/login` },
    { label: 'パスワードをお忘れの場合は、こちらから再設定できます。', url: toForgotUrl(sender) },
    '心当たりがない場合は、このメールを破棄してください。アカウントに変更はありません。',
  ]);
}

export function toPasswordResetMail(sender: Sender, owner: Owner, token: string): Mail {
  const query = new URLSearchParams({ uid: owner.id, token }).toString();
  return toMail(sender, owner.email, 'パスワードの再設定', [
    `${owner.username} さん`,
    {
      label: '次のリンクから、新しいパスワードを設定してください。',
      url: `${sender.siteUrl}/reset-password?${query}`,
    },
    'このリンクは30分間、1回だけ有効です。',
    '心当たりがない場合は、リンクを開かずに破棄してください。パスワードは変わりません。',
  ]);
}

export function toPasswordChangedMail(sender: Sender, owner: Owner): Mail {
  return toMail(sender, owner.email, 'パスワードを変更しました', [
    `${owner.username} さん`,
    'パスワードが変更されました。安全のため、すべての端末からログアウトしています。',
    {
      label: '心当たりがない場合は、すぐにこちらからパスワードを再設定してください。',
      url: toForgotUrl(sender),
    },
  ]);
}

export function toSessionEndedMail(sender: Sender, owner: Owner): Mail {
  return toMail(sender, owner.email, 'ログアウトのお知らせ', [
    `${owner.username} さん`,
    '使用済みのログイン情報がもう一度使われたため、安全のため、その端末をログアウトしました。引き続きご利用になるには、もう一度ログインしてください。',
    {
      label: '心当たりがない場合は、念のためこちらからパスワードを再設定してください。',
      url: toForgotUrl(sender),
    },
  ]);
}

/** Confirms an undo; `notes` are paragraphs of their own, `token` is for choosing the new password that the account requires. */
export function toUndoneMail(
  sender: Sender,
  owner: Owner,
  {
    labels,
    notes,
    token,
  }: { readonly labels: readonly string[]; readonly notes: readonly string[]; readonly token: string },
): Mail {
  const query = new URLSearchParams({ uid: owner.id, token }).toString();
  return toMail(sender, owner.email, '変更を取り消しました', [
    `${owner.username} さん`,
    `次の項目を変更前の状態に戻し、すべての端末からログアウトしました：${labels.join('、')}`,
    ...notes,
    {
      label:
        'これまでのパスワードは使えません。次のリンクから、新しいパスワードを設定してください。このリンクは30分間、1回だけ有効です。',
      url: `${sender.siteUrl}/reset-password?${query}`,
    },
    { label: 'リンクの期限が切れたときは、こちらから再設定できます。', url: toForgotUrl(sender) },
  ]);
}

/** The owner of an account. */
export interface Owner {
  readonly id: string;
  readonly username: string;
  readonly email: string;
}

function toForgotUrl({ siteUrl }: Sender): string {
  return `${siteUrl}/forgot-password`;
}
