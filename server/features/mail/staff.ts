import type { ListedMailState } from '../../../contract/operator/mails.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/http/context.ts';
import { recordAction, requireStaff } from '../staff/actions.ts';
import type { RecordedAction } from '../staff/actions.ts';
import { LEASE_MS } from './outbox.ts';
import { advanceFailedMails, markDropped, rescheduleMails, selectMails } from './queries.ts';
import type { MailState } from './queries.ts';
import { maskEmail } from './log-fields.ts';
import type { Handle } from '../../platform/database/handle.ts';

type MailDeps = Pick<Platform, 'database' | 'clock'>;

/** A mail as staff see it: without its text and with a masked address. Times are epoch ms. */
export interface ListedMail {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly state: MailState;
  readonly attempts: number;
  readonly createdAt: number;
  /** null once it is sent or abandoned. */
  readonly nextAttemptAt: number | null;
  /** Codes of the last failure, or of the mail that came back. */
  readonly lastError: string;
}

/** The newest mails in a state, at most `LISTED_MAILS_MAX`. */
export async function listMails({ database }: MailDeps, state: ListedMailState): Promise<ListedMail[]> {
  const rows = await selectMails(database.db, state);
  return rows.map((row) => ({
    id: row.id,
    to: maskEmail(row.to_address),
    subject: row.subject,
    state: row.state,
    attempts: row.attempts,
    createdAt: row.created_at,
    nextAttemptAt: row.state === 'waiting' ? row.next_attempt_at : null,
    lastError: row.bounce_status || row.last_error,
  }));
}

/**
 * Makes a waiting mail due now, or all of them (null). Returns their number. An abandoned mail has no text any more.
 * Throws `Problem` 403, and 404 when this mail is not waiting.
 */
export async function retryMails(
  { database, clock }: MailDeps,
  staffId: string,
  id: string | null,
): Promise<number> {
  return database.db.transaction().execute(async (transaction: Handle) => {
    await requireStaff(transaction, staffId);
    const mails = await rescheduleMails(transaction, id, clock.now());
    if (id !== null && mails === 0) throw notFound();
    const action: RecordedAction = {
      staffId,
      action: 'retry mail',
      subject: id ?? 'all',
      note: String(mails),
    };
    await recordAction(transaction, action, clock.now());
    return mails;
  });
}

/**
 * Takes a waiting mail out of the queue; its recipient never gets it. Throws `Problem` 403, and 404 when this mail is not
 * waiting.
 */
export async function dropMail({ database, clock }: MailDeps, staffId: string, id: string): Promise<void> {
  await database.db.transaction().execute(async (transaction: Handle) => {
    await requireStaff(transaction, staffId);
    const nowMs = clock.now();
    if (!(await markDropped(transaction, id, { nowMs, reason: 'dropped by staff' }))) throw notFound();
    await recordAction(transaction, { staffId, action: 'drop mail', subject: id, note: '' }, nowMs);
  });
}

/** Makes mails due that have failed before, except those that are being sent now. Returns their number. */
export function retryFailedMails({ database, clock }: MailDeps): Promise<number> {
  const nowMs = clock.now();
  return advanceFailedMails(database.db, nowMs + LEASE_MS, nowMs);
}
