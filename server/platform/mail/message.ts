import type { MailComposerOptions } from 'nodemailer/lib/mail-composer';
import { isEmail } from '../../../contract/values/emails.ts';
import { UnsendableMail, canBeRepliedTo } from './port.ts';
import type { MailOrigin, OutgoingMail } from './port.ts';

/** Line ends, other control characters, and separators that some programs treat as line ends. */
const NO_HEADER_TEXT = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/**
 * The mail in nodemailer's format: plain text and HTML, marked as automatic (RFC 3834 §5). Throws `UnsendableMail` for
 * values that could be read as more than one address or header line. Addresses are passed as objects, which bypasses
 * nodemailer's parser for comments, groups and quotes. nodemailer quotes local parts such as `foo.` (RFC 5321 §4.1.2)
 * and encodes domains as punycode.
 */
export function toMessage(mail: OutgoingMail, { from, siteUrl }: MailOrigin): MailComposerOptions {
  if (!isEmail(mail.to)) throw new UnsendableMail('the recipient is not a plain address');
  if (mail.replyTo !== undefined && !isEmail(mail.replyTo)) {
    throw new UnsendableMail('the reply address is not a plain address');
  }
  if (NO_HEADER_TEXT.test(mail.subject)) throw new UnsendableMail('the subject is not one line');
  return {
    from: { ...from },
    to: { name: '', address: mail.to },
    ...(mail.replyTo !== undefined &&
      canBeRepliedTo(mail.replyTo) && { replyTo: { name: '', address: mail.replyTo } }),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    messageId: `<${mail.id}@${new URL(siteUrl).hostname}>`,
    date: new Date(mail.queuedAtMs),
    headers: { 'Auto-Submitted': 'auto-generated' },
    // Base64 words: Japanese takes a third of its size as quoted-printable.
    textEncoding: 'B',
    baseBoundary: mail.id,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
