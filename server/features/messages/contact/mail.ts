import { canBeRepliedTo } from '../../../platform/mail/port.ts';
import type { Mail } from '../../../platform/mail/port.ts';
import { escapeHtml, toMailHtml } from '../../mail/layout.ts';

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
  return { replyTo: message.email, ...toMail(operatorEmail, subject, intro, [message]) };
}

/** One mail about several messages; each is below the facts about it. */
export function toDigestMail(
  messages: readonly ContactMessage[],
  siteName: string,
  operatorEmail: string,
): Mail {
  const subject = `【${siteName}】お問い合わせ（${messages.length}件）`;
  const intro = `お問い合わせが続いているため、${messages.length}件をまとめてお送りします。返信するときは、それぞれのメールアドレスを宛先に入力してください。`;
  return toMail(operatorEmail, subject, intro, messages);
}

function toMail(to: string, subject: string, intro: string, messages: readonly ContactMessage[]): Mail {
  return {
    to,
    subject,
    text: [intro, ...messages.map(toText), ''].join('\n\n'),
    html: toMailHtml(subject, [`<p>${intro}</p>`, ...messages.map(toHtml)].join('\n')),
  };
}

function toFacts({ name, email, username, id }: ContactMessage): readonly (readonly [string, string])[] {
  return [
    // White space is collapsed to one line, so that a name cannot imitate another field.
    ['お名前', name.replace(/\s+/gu, ' ')],
    ['メールアドレス', `${email}（本人のものかは未確認）`],
    ['会員', username ?? 'ログインしていない訪問者'],
    ['受付番号', id],
  ];
}

function toText(message: ContactMessage): string {
  const facts = toFacts(message).map(([label, value]) => `${label}: ${value}`);
  return [...facts, '', '----------------------------------------', message.message].join('\n');
}

function toHtml(message: ContactMessage): string {
  return [
    `<p>${toFacts(message)
      .map(([label, value]) => `${label}: ${escapeHtml(value)}`)
      .join('<br>\n')}</p>`,
    '<hr>',
    `<div style="white-space:pre-wrap;overflow-wrap:anywhere">${escapeHtml(message.message)}</div>`,
  ].join('\n');
}
