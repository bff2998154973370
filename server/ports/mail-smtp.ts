import { createTransport } from 'nodemailer';
import type { NodemailerError } from 'nodemailer';
import { toMessage } from './mail-message.ts';
import { UnsendableMail } from './mail.ts';
import type { MailOrigin, MailTransport } from './mail.ts';

/** How long a mail server may take, in ms. */
export interface SmtpLimits {
  readonly connectMs: number;
  /** From the connection to the server's first word. */
  readonly greetingMs: number;
  /** Without a byte either way. */
  readonly silenceMs: number;
  /** For one mail from beginning to end: a server that trickles its words is never silent. */
  readonly mailMs: number;
}

const SMTP_LIMITS: SmtpLimits = {
  connectMs: 10_000,
  greetingMs: 10_000,
  silenceMs: 30_000,
  mailMs: 60_000,
};
const CONNECTIONS_MAX = 4;
/** A connection is kept this long for the next mail. */
const IDLE_MS = 30_000;
/** RFC 3463 §3.2: the address itself is wrong or unknown. */
const ADDRESS_REFUSED = /^5\d\d[ -]5\.1\.\d/;

/** Mail over `smtp://user:password@host:port` (STARTTLS when offered) or `smtps://…` (TLS throughout). */
export function openSmtpMail(
  url: string,
  origin: MailOrigin,
  limits: SmtpLimits = SMTP_LIMITS,
): MailTransport {
  const mailer = createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    // The outbox tries again by itself, later.
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
  return {
    async send(mail) {
      try {
        await mailer.sendMail({ ...toMessage(mail, origin), signal: AbortSignal.timeout(limits.mailMs) });
      } catch (error) {
        // Other refusals may be the fault of the server's settings or ours, which can be put right.
        if (!ADDRESS_REFUSED.test((error as NodemailerError).response ?? '')) throw error;
        throw new UnsendableMail('the address is unknown to its host');
      }
      return {};
    },
    async close() {
      mailer.close({ force: true });
    },
  };
}
