import { formatDateTime } from '../../../contract/values/date-times.ts';
import type { Mail } from '../../platform/mail/port.ts';
import type { Owner } from '../accounts/mails.ts';
import { toMail } from '../mail/layout.ts';
import type { Part, Sender } from '../mail/layout.ts';

type Addressee = Pick<Owner, 'username' | 'email'>;

interface ConfirmationLink {
  readonly token: string;
  /** Epoch ms; omitted if 24 hours from now. */
  readonly expiresAtMs?: number;
}

function describeLifetime({ expiresAtMs }: ConfirmationLink): string {
  const lifetime = expiresAtMs === undefined ? '24時間' : `${formatDateTime(expiresAtMs)}（日本時間）まで`;
  return `このリンクは${lifetime}、1回だけ有効です。`;
}

/** Omits the username: the person who entered the address may not own it. */
export function toEmailConfirmationMail(sender: Sender, to: string, link: ConfirmationLink): Mail {
  const query = new URLSearchParams({ email_token: link.token }).toString();
  return toMail(sender, to, '新しいメールアドレスの確認', [
    `${sender.siteName}で、このメールアドレスへの変更の手続きがありました。`,
    {
      label: 'ログインした状態で次のリンクを開くと、確認が済み、このメールアドレスに切り替わります。',
      url: `${sender.siteUrl}/profile?${query}`,
    },
    describeLifetime(link),
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

/** Omits the new address: this mailbox may now belong to someone else. `undo`: the paragraphs of `addUndoLink`. */
export function toEmailChangeRequestedMail(sender: Sender, member: Addressee, undo: readonly Part[]): Mail {
  return toMail(sender, member.email, 'メールアドレスの変更の手続きがありました', [
    `${member.username} さん`,
    'アカウントのメールアドレスを変更する手続きがありました。新しいメールアドレスの確認が済むまでは、このメールアドレスが引き続き有効です。',
    ...undo,
  ]);
}

/** Sent to the previous address, which the undo link restores. */
export function toEmailChangedMail(sender: Sender, member: Addressee, undo: readonly Part[]): Mail {
  return toMail(sender, member.email, 'メールアドレスを変更しました', [
    `${member.username} さん`,
    'アカウントのメールアドレスが変更されました。このメールアドレスでは、今後ログインできません。',
    ...undo,
    {
      label: '取り消せないときは、すぐに運営までご連絡ください。',
      url: `${sender.siteUrl}/contact`,
    },
  ]);
}

/** `changes`: what was changed, masked. */
export function toDetailsChangedMail(
  sender: Sender,
  member: Addressee,
  changes: readonly string[],
  undo: readonly Part[],
): Mail {
  return toMail(sender, member.email, 'プロフィールを変更しました', [
    `${member.username} さん`,
    `次の項目が登録または変更されました：${changes.join('、')}`,
    ...undo,
  ]);
}

/** Omits the username: the address may belong to someone else. */
export function toMessageAddressMail(sender: Sender, to: string, link: ConfirmationLink): Mail {
  const query = new URLSearchParams({ message_email_token: link.token }).toString();
  return toMail(sender, to, 'メッセージの宛先の確認', [
    `${sender.siteName}で、訪問者からのメッセージをこのメールアドレスで受け取る手続きがありました。`,
    {
      label: 'ログインした状態で次のリンクを開くと、確認が済み、メッセージが届くようになります。',
      url: `${sender.siteUrl}/profile?${query}`,
    },
    describeLifetime(link),
    'このメールに心当たりがない場合は、リンクを開かずに破棄してください。メッセージは届きません。',
  ]);
}
