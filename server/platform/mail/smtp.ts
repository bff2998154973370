import { isIP } from 'node:net';
import type { NodemailerError } from 'nodemailer';
import { once } from '../once.ts';
import { toMessage } from './message.ts';
import { UnsendableMail } from './port.ts';
import type { MailOrigin, MailTransport } from './port.ts';

/** How long a mail server may take, in ms. */
export interface SmtpLimits {
  readonly connectMs: number;
  /** From the connection to the server's greeting. */
  readonly greetingMs: number;
  /** Without a byte in either direction. */
  readonly silenceMs: number;
  /** For one mail in total: a server that sends slowly is never silent. */
  readonly mailMs: number;
}

const SMTP_LIMITS: SmtpLimits = {
  connectMs: 10_000,
  greetingMs: 10_000,
  silenceMs: 30_000,
  mailMs: 60_000,
};
const CONNECTIONS_MAX = 4;
/** How long a connection is kept for the next mail. */
const IDLE_MS = 30_000;
/** RFC 3463 §3.2: the address itself is wrong or unknown; RFC 6531 §3.5: it is not in ASCII. */
const ADDRESS_REFUSED = /^5\d\d[ -]5\.(?:1\.\d|6\.7)/;
/** RFC 5321 §4.2.2, in reply to a recipient: the address cannot be parsed, or is not allowed as a mailbox name. */
const SYNTAX_REFUSED = /^5(?:01|53)[ -]/;

/** Mail over `smtp://user:password@host:port` (STARTTLS when offered) or `smtps://…` (TLS throughout). */
export function openSmtpMail(
  url: string,
  origin: MailOrigin,
  limits: SmtpLimits = SMTP_LIMITS,
): MailTransport {
  let isUsed = false;
  const open = once(async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      url,
      name: origin.ehlo || toLiteral(new URL(origin.siteUrl).hostname),
      pool: true,
      maxConnections: CONNECTIONS_MAX,
      // The outbox retries later.
      maxRequeues: 1,
      idleTimeout: IDLE_MS,
      connectionTimeout: limits.connectMs,
      dnsTimeout: limits.connectMs,
      greetingTimeout: limits.greetingMs,
      socketTimeout: limits.silenceMs,
      maxRecipients: 1,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  });
  return {
    async send(mail) {
      isUsed = true;
      const mailer = await open();
      try {
        const envelopeSender = origin.toEnvelopeSender?.(mail.id);
        await mailer.sendMail({
          ...toMessage(mail, origin),
          ...(envelopeSender !== undefined && { envelope: { from: envelopeSender, to: mail.to } }),
          signal: AbortSignal.timeout(limits.mailMs),
        });
      } catch (error) {
        // Other refusals may be caused by settings, here or on the server, which can be corrected.
        if (!isAddressRefused(error as NodemailerError)) throw error;
        throw new UnsendableMail('the mail server refuses the address');
      }
      return {};
    },
    async close() {
      if (isUsed) (await open().catch(() => undefined))?.close({ force: true });
    },
  };
}

/** RFC 5321 §4.1.3; `new URL` has brackets around IPv6 already. */
function toLiteral(host: string): string {
  if (isIP(host) === 4) return `[${host}]`;
  return host.startsWith('[') ? `[IPv6:${host.slice(1)}` : host;
}

function isAddressRefused({ response = '', command }: NodemailerError): boolean {
  return ADDRESS_REFUSED.test(response) || (command === 'RCPT TO' && SYNTAX_REFUSED.test(response));
}
