import type { Kysely } from 'kysely';
import { randomId } from '../../platform/database/database.ts';
import type { Schema } from '../../platform/database/database.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { insertMail } from './queries.ts';

/**
 * Adds a mail to the outbox, in the transaction of the event that it reports: both happen or neither. It is sent soon
 * after the reply (sender.ts).
 */
export async function queueMail(db: Kysely<Schema>, mail: Mail, nowMs: number): Promise<void> {
  await insertMail(db, {
    id: randomId(),
    to_address: mail.to,
    reply_to: mail.replyTo ?? null,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    state: 'waiting',
    created_at: nowMs,
    next_attempt_at: nowMs,
    finished_at: null,
  });
}
