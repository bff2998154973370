import type { Generated, Kysely } from 'kysely';

/** Outgoing mails; their content is deleted once they are sent. */
export interface MailOutboxTable {
  id: string;
  to_address: string;
  reply_to: string | null;
  subject: string;
  text: string;
  html: string;
  state: 'waiting' | 'sent' | 'given-up';
  attempts: Generated<number>;
  created_at: number;
  /** Not sent before this time; a process that takes the mail moves it forward. */
  next_attempt_at: number;
  finished_at: number | null;
  last_error: Generated<string>;
  /** Lower ones are sent first (`MAIL_PRIORITIES`). */
  priority: Generated<number>;
  /** When a mail came back that said it could not be delivered; null: none did. */
  bounced_at: Generated<number | null>;
  /** Of that mail, as in RFC 3463, such as `5.1.1`. */
  bounce_status: Generated<string>;
}

interface MailTables {
  mail_outbox: MailOutboxTable;
}

declare module '../../platform/database/schema.ts' {
  interface Schema extends MailTables {}
}

/** What the queries of this feature see. */
export type Db = Kysely<MailTables>;
