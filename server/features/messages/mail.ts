import { canBeRepliedTo } from '../../platform/mail/port.ts';
import type { Mail } from '../../platform/mail/port.ts';
import { escapeHtml, toMailHtml } from '../mail/layout.ts';
import type { Sender } from '../mail/layout.ts';

/** A member as shown to the artist. */
export interface MessageSender {
  readonly username: string;
  /** The account's address if the member shares it; otherwise null. */
  readonly email: string | null;
  /** The username under which the member accepts messages; otherwise null. */
  readonly page: string | null;
}

/**
 * The mail to the artist. No user input reaches a header, and the sender's text comes last, so that none of it can
 * imitate ours. `sender` is null for a visitor.
 */
export function toMessageMail(
  { siteName, siteUrl }: Sender,
  recipient: { readonly username: string; readonly message_email: string },
  sender: MessageSender | null,
  text: string,
): Mail {
  const subject = `【${siteName}】メッセージが届きました`;
  const lines = [
    `${recipient.username} さん`,
    `${siteName}のアーティストページから、メッセージが届きました。`,
    `差出人: ${sender === null ? '訪問者' : `${sender.username} さん（会員）`}`,
    ...toReplyInstructions(siteUrl, sender),
    `メッセージを受け取りたくない場合は、プロフィールの連絡先メールアドレスを空にしてください。 ${siteUrl}/profile`,
  ];
  const end = '以下は、差出人が書いたメッセージです。';
  return {
    to: recipient.message_email,
    ...(sender?.email && { replyTo: sender.email }),
    subject,
    text: [...lines, end, '----------------------------------------', text, ''].join('\n'),
    html: toMailHtml(
      subject,
      [
        ...[...lines, end].map((line) => `<p>${escapeHtml(line)}</p>`),
        '<hr>',
        `<div style="white-space:pre-wrap;overflow-wrap:anywhere">${escapeHtml(text)}</div>`,
      ].join('\n'),
    ),
  };
}

function toReplyInstructions(siteUrl: string, sender: MessageSender | null): string[] {
  if (sender?.email) {
    return [
      canBeRepliedTo(sender.email)
        ? `このメールに返信すると、差出人（${sender.email}）に届きます。`
        : `差出人に返信するときは、${sender.email} を宛先に入力してください。`,
    ];
  }
  const page = sender?.page ?? null;
  return [
    '差出人のメールアドレスは知らされていません。このメールに返信しても、差出人には届きません。',
    ...(page === null
      ? []
      : [`差出人のページからメッセージを送れます。 ${siteUrl}/artist/${encodeURIComponent(page)}`]),
  ];
}
