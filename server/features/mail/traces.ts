import type { NodemailerError } from 'nodemailer';
import { UnsendableMail } from '../../platform/mail/mail.ts';

/** What the log may say of an address: `t***@example.test`. */
export function maskEmail(email: string): string {
  return `${email.slice(0, 1)}***${email.slice(email.lastIndexOf('@'))}`;
}

/**
 * Why a mail was not sent, in codes alone: `EENVELOPE RCPT TO 450 4.2.1`. What a mail server says in
 * words is left out, since it repeats addresses and may repeat what it refuses to take.
 */
export function toReason(error: unknown): string {
  if (error instanceof UnsendableMail) return error.message;
  if (!(error instanceof Error)) return 'unknown';
  const { code, originalCode, timeoutType, command, responseCode, response } = error as NodemailerError;
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1];
  const parts = [code ?? error.name, originalCode, timeoutType, command, responseCode, enhanced];
  return [...new Set(parts.filter((part) => part !== undefined && part !== ''))].join(' ');
}
