import { changesRows } from '../../platform/database/statements/outcomes.ts';
import { randomId } from '../../platform/database/statements/random-id.ts';
import type { Mail } from '../../platform/mail/port.ts';
import { insertMail } from './queries.ts';
import type { Db } from './tables.ts';

/**
 * The order of waiting mails. `account`: what a member needs to get into an account or to keep others out of it;
 * `address`: confirms an address; `other` is the default.
 */
const MAIL_PRIORITIES = { account: 0, address: 1, other: 2 } as const;

interface Queueing {
  readonly id?: string;
  readonly dueMs?: number;
  readonly priority?: keyof typeof MAIL_PRIORITIES;
}

/**
 * Adds a mail to the outbox, in the transaction of the event that it reports: both happen or neither. It is sent soon
 * after the reply (sender.ts), or at `dueMs`; until then, `takeBackMail` can take back the mail with this id.
 */
export async function queueMail(
  db: Db,
  mail: Mail,
  nowMs: number,
  { id = randomId(), dueMs = nowMs, priority = 'other' }: Queueing = {},
): Promise<void> {
  await insertMail(db, {
    id,
    to_address: mail.to,
    reply_to: mail.replyTo ?? null,
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    state: 'waiting',
    created_at: nowMs,
    next_attempt_at: dueMs,
    finished_at: null,
    priority: MAIL_PRIORITIES[priority],
  });
}

/** Removes a mail that was queued for `dueMs`. Returns false when it is being sent, or was tried before. */
export async function takeBackMail(db: Db, id: string, dueMs: number): Promise<boolean> {
  return changesRows(
    db
      .deleteFrom('mail_outbox')
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      // The lease of a process that sends it ends later.
      .where('next_attempt_at', '=', dueMs),
  );
}
