import { canBeRepliedTo } from '../../../platform/mail/mail.ts';
import type { Mail } from '../../../platform/mail/mail.ts';
import { escapeHtml, toMailHtml } from '../../mail/mail.ts';

/** A message to the operator. */
export interface ContactMessage {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly message: string;
  /** The member who wrote it; null for a visitor. */
  readonly username: string | null;
}

/**
 * The mail to the operator. The sender's address, after `isEmail`, is the only user input that reaches a header. The
 * address is unverified.
 */
export function toContactMail(message: ContactMessage, siteName: string, operatorEmail: string): Mail {
  const subject = `【${siteName}】お問い合わせ`;
  const toReply = canBeRepliedTo(message.email)
    ? 'このメールに返信すると、送信者に届きます。'
    : '返信するときは、送信者のメールアドレスを宛先に入力してください。';
  const intro = `お問い合わせフォームからメッセージが届きました。${toReply}`;
  const facts: readonly (readonly [string, string])[] = [
    // White space is collapsed to one line, so that a name cannot imitate another field.
    ['お名前', message.name.replace(/\s+/gu, ' ')],
    ['メールアドレス', `${message.email}（本人のものかは未確認）`],
    ['会員', message.username ?? 'ログインしていない訪問者'],
    ['受付番号', message.id],
  ];
  return {
    to: operatorEmail,
    replyTo: message.email,
    subject,
    text: [
      intro,
      '',
      ...facts.map(([label, value]) => `${label}: ${value}`),
      '',
      '----------------------------------------',
      message.message,
      '',
    ].join('\n'),
    html: toMailHtml(
      subject,
      [
        `<p>${intro}</p>`,
        `<p>${facts.map(([label, value]) => `${label}: ${escapeHtml(value)}`).join('<br>\n')}</p>`,
        '<hr>',
        `<div style="white-space:pre-wrap;overflow-wrap:anywhere">${escapeHtml(message.message)}</div>`,
      ].join('\n'),
    ),
  };
}
