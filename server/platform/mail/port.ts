/** A mail. Addresses are ones that `isEmail` (contract/values/emails.ts) accepts. */
export interface Mail {
  readonly to: string;
  /** Omitted from the mail unless `canBeRepliedTo`. */
  readonly replyTo?: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  /** A simple HTML document with the same content. */
  readonly html: string;
}

/** A queued mail. It may be sent twice; both copies are identical, so that they count as one. */
export interface OutgoingMail extends Mail {
  /** Random; used for the Message-ID and the file name. */
  readonly id: string;
  /** Epoch ms; the Date header. */
  readonly queuedAtMs: number;
}

/** The sender of mails. */
export interface MailOrigin {
  readonly from: MailAddress;
  /** Its host is part of every Message-ID. */
  readonly siteUrl: string;
  /** How this host calls itself; by default the host of the site. */
  readonly ehlo?: string;
  /** The address that a mail with this id goes to when it comes back; by default that of the sender. */
  readonly toEnvelopeSender?: ((mailId: string) => string) | undefined;
}

export interface MailAddress {
  /** '' for none. */
  readonly name: string;
  readonly address: string;
}

/** Sends mails out of this process. */
export interface MailTransport {
  /**
   * Returns once another system has accepted the mail; `note` says where it went, without secrets. Throws
   * `UnsendableMail` when no later attempt can succeed, any other error when one may.
   */
  send(mail: OutgoingMail): Promise<{ readonly note?: string }>;
  /** Aborts mails in progress: they fail, but may have been sent. */
  close(): Promise<void>;
}

/** A mail that can never be sent. Its message contains neither addresses nor contents. */
export class UnsendableMail extends Error {
  override readonly name = 'UnsendableMail';
}

/**
 * Whether a mail can carry the Reply-To address. A non-ASCII local part requires SMTPUTF8 on the whole path (RFC 6531),
 * so the recipient's server could refuse the mail because of another person's address.
 */
export function canBeRepliedTo(address: string): boolean {
  return /^[\0-\x7f]*@/.test(address);
}
