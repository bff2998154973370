/** A mail as it is handed over. Addresses are ones that `isEmail` (contract/emails.ts) accepts. */
export interface Mail {
  readonly to: string;
  /** Left out of the mail unless `canBeRepliedTo`. */
  readonly replyTo?: string;
  /** One line. */
  readonly subject: string;
  readonly text: string;
  /** A simple document that says the same. */
  readonly html: string;
}

/** A mail on its way. It may be handed over twice; both times it is the same, so that they count as one. */
export interface OutgoingMail extends Mail {
  /** Random; the Message-ID and the file are named after it. */
  readonly id: string;
  /** Epoch ms; what its Date says. */
  readonly queuedAtMs: number;
}

/** Whom mails come from. */
export interface MailOrigin {
  readonly from: MailAddress;
  /** Its host stands in every Message-ID. */
  readonly siteUrl: string;
}

export interface MailAddress {
  /** '' for none. */
  readonly name: string;
  readonly address: string;
}

/** Takes mails out of this process. */
export interface MailTransport {
  /**
   * Returns once somebody else answers for the mail; `note` says where it went, without secrets.
   * Throws `UnsendableMail` when no later attempt can succeed, anything else when one may.
   */
  send(mail: OutgoingMail): Promise<{ readonly note?: string }>;
  /** Ends what is under way: it fails, and may have been sent. */
  close(): Promise<void>;
}

/** A mail that cannot be sent, now or later. Its message names neither addresses nor contents. */
export class UnsendableMail extends Error {
  override readonly name = 'UnsendableMail';
}

/**
 * Whether a mail can name the address for replies. A header with a local part beyond ASCII needs SMTPUTF8 on the whole
 * way (RFC 6531), so the recipient's server could refuse the mail because of somebody else's address.
 */
export function canBeRepliedTo(address: string): boolean {
  return /^[\0-\x7f]*@/.test(address);
}
