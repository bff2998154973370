import type { Mail } from '../../ports/mail.ts';
import { toMail } from '../accounts/mails.ts';
import type { Owner, Sender } from '../accounts/mails.ts';

type Addressee = Pick<Owner, 'username' | 'email'>;

/** The username is left out: whoever typed the address need not own it. */
export function toEmailConfirmationMail(sender: Sender, to: string, token: string): Mail {
  const query = new URLSearchParams({ email_token: token }).toString();
  return toMail(sender, to, '新しいメールアドレスの確認', [
    `${sender.siteName}で、このメールアドレスへの変更の手続きがありました。`,
    {
      label: 'ログインした状態で次のリンクを開くと、確認が済み、このメールアドレスに切り替わります。',
      url: `${sender.siteUrl}/profile?${query}`,
    },
    'このリンクは24時間、1回だけ有効です。',
    'このメールに心当たりがない場合は、リンクを開かずに破棄してください。何も変わりません。',
  ]);
}

export function toAddressInUseMail(sender: Sender, to: string): Mail {
  return toMail(sender, to, 'このメールアドレスは登録済みです', [
    `${sender.siteName}で、あるアカウントのメールアドレスをこのメールアドレスに変更する手続きがありましたが、すでに別のアカウントで使われているため、変更されません。`,
    {
      label: 'このメールアドレスのアカウントには、こちらからログインできます。',
      url: `${sender.siteUrl}/login`,
    },
    '心当たりがない場合は、このメールを破棄してください。アカウントに変更はありません。',
  ]);
}

/** The new address is left out: this letter box may be somebody else's by now. */
export function toEmailChangeAnnouncedMail(sender: Sender, member: Addressee): Mail {
  return toMail(sender, member.email, 'メールアドレスの変更の手続きがありました', [
    `${member.username} さん`,
    'アカウントのメールアドレスを変更する手続きがありました。新しいメールアドレスの確認が済むまでは、このメールアドレスが引き続き有効です。',
    {
      label:
        '心当たりがない場合は、第三者がログインしているおそれがあります。すぐにこちらからパスワードを再設定してください。すべての端末からログアウトされます。',
      url: `${sender.siteUrl}/forgot-password`,
    },
    {
      label: 'そのあと、プロフィールで変更の手続きを取り消してください。',
      url: `${sender.siteUrl}/profile`,
    },
  ]);
}

export function toEmailChangedMail(sender: Sender, member: Addressee): Mail {
  return toMail(sender, member.email, 'メールアドレスを変更しました', [
    `${member.username} さん`,
    'アカウントのメールアドレスが変更されました。このメールアドレスでは、今後ログインできません。',
    {
      label: '心当たりがない場合は、すぐに運営までご連絡ください。',
      url: `${sender.siteUrl}/contact`,
    },
  ]);
}
