import type { NodemailerError } from 'nodemailer';
import { UnsendableMail } from '../../platform/mail/port.ts';

/** A masked address for the log: `t***@example.test`. */
export function maskEmail(email: string): string {
  return `${email.slice(0, 1)}***${email.slice(email.lastIndexOf('@'))}`;
}

/**
 * Why a mail was not sent, as codes only: `EENVELOPE RCPT TO 450 4.2.1`. The text of a mail server's reply is omitted,
 * since it repeats addresses and may repeat rejected content.
 */
export function toFailureReason(error: unknown): string {
  if (error instanceof UnsendableMail) return error.message;
  if (!(error instanceof Error)) return 'unknown';
  const { code, originalCode, timeoutType, command, responseCode, response } = error as NodemailerError;
  const enhanced = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '')?.[1];
  const parts = [code ?? error.name, originalCode, timeoutType, command, responseCode, enhanced];
  return [...new Set(parts.filter((part) => part !== undefined && part !== ''))].join(' ');
}
