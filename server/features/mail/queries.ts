import type { Insertable, Selectable } from 'kysely';
import { LISTED_MAILS_MAX } from '../../../contract/operator/mails.ts';
import type { ListedMailState } from '../../../contract/operator/mails.ts';
import { changesRows, countChanged } from '../../platform/database/statements/outcomes.ts';
import { deleteOlder } from '../../platform/database/statements/delete-older.ts';
import type { MailOutboxTable, Db } from './tables.ts';

export type MailRow = Selectable<MailOutboxTable>;
export type MailState = MailRow['state'];

const OLDEST_OF_MAX = 10_000;

/** The content of a mail is wiped: it contains links that are equivalent to passwords. */
const WIPED = { text: '', html: '' };

export async function insertMail(db: Db, mail: Insertable<MailOutboxTable>): Promise<void> {
  await db.insertInto('mail_outbox').values(mail).execute();
}

/** The most important mails, and of those the ones that have waited longest. Read-only, since most polls find nothing. */
export async function selectDueIds(db: Db, nowMs: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('mail_outbox')
    .select('id')
    .where('state', '=', 'waiting')
    .where('next_attempt_at', '<=', nowMs)
    .orderBy('priority')
    .orderBy('next_attempt_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Leases mails until `leaseUntilMs`, during which no other process can lease them. Skips mails leased since they were
 * looked up; the row lock decides which process was first.
 */
export function claimMails(
  db: Db,
  ids: readonly string[],
  nowMs: number,
  leaseUntilMs: number,
): Promise<MailRow[]> {
  return db
    .updateTable('mail_outbox')
    .set({ next_attempt_at: leaseUntilMs })
    .where('id', 'in', ids)
    .where('state', '=', 'waiting')
    .where('next_attempt_at', '<=', nowMs)
    .returningAll()
    .execute();
}

export async function markSent(db: Db, id: string, nowMs: number): Promise<void> {
  await db
    .updateTable('mail_outbox')
    .set({ ...WIPED, state: 'sent', finished_at: nowMs, last_error: '' })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
}

/** The row as it was claimed shows whether the lease is still ours. */
export async function markFailed(
  db: Db,
  claimed: MailRow,
  failure: { readonly reason: string } & (
    { readonly nextAttemptMs: number } | { readonly givenUpMs: number }
  ),
): Promise<void> {
  const outcome =
    'givenUpMs' in failure
      ? { ...WIPED, state: 'given-up' as const, finished_at: failure.givenUpMs }
      : { next_attempt_at: failure.nextAttemptMs };
  await db
    .updateTable('mail_outbox')
    .set({ ...outcome, attempts: claimed.attempts + 1, last_error: failure.reason })
    .where('id', '=', claimed.id)
    .where('state', '=', 'waiting')
    .where('next_attempt_at', '=', claimed.next_attempt_at)
    .execute();
}

/** Records that a sent mail came back. Returns false if it is unknown, or came back before. */
export function markBounced(
  db: Db,
  id: string,
  { status, atMs }: { readonly status: string; readonly atMs: number },
): Promise<boolean> {
  return changesRows(
    db
      .updateTable('mail_outbox')
      .set({ bounced_at: atMs, bounce_status: status })
      .where('id', '=', id)
      .where('state', '=', 'sent')
      .where('bounced_at', 'is', null),
  );
}

/** Gives a waiting mail up and wipes it. One that is being sent at this moment may still arrive. */
export function markDropped(
  db: Db,
  id: string,
  { nowMs, reason }: { readonly nowMs: number; readonly reason: string },
): Promise<boolean> {
  return changesRows(
    db
      .updateTable('mail_outbox')
      .set({ ...WIPED, state: 'given-up', finished_at: nowMs, last_error: reason })
      .where('id', '=', id)
      .where('state', '=', 'waiting'),
  );
}

/** Deletes mails that were sent or given up before a time (epoch ms). */
export async function deleteFinishedMails(db: Db, beforeMs: number): Promise<void> {
  await deleteOlder(db, { table: 'mail_outbox', when: ['finished_at', '<', beforeMs] });
}

/** The newest mails in a state, without their content. Each state is the end of an index. */
export function selectMails(db: Db, state: ListedMailState) {
  const found =
    state === 'came-back'
      ? db.selectFrom('mail_outbox').where('bounced_at', 'is not', null).orderBy('bounced_at', 'desc')
      : db.selectFrom('mail_outbox').where('state', '=', state).orderBy('next_attempt_at', 'desc');
  return found
    .select([
      'id',
      'to_address',
      'subject',
      'state',
      'attempts',
      'created_at',
      'next_attempt_at',
      'last_error',
      'bounce_status',
    ])
    .orderBy('id')
    .limit(LISTED_MAILS_MAX)
    .execute();
}

/** As many as the staff sees beside a member. */
const MAILS_TO_MAX = 20;

/** The newest mails to an address, without their content. */
export function selectMailsTo(db: Db, address: string) {
  return db
    .selectFrom('mail_outbox')
    .select(['id', 'subject', 'state', 'attempts', 'created_at', 'last_error', 'bounce_status'])
    .where('to_address', '=', address)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(MAILS_TO_MAX)
    .execute();
}

/** When the oldest waiting mail was queued, of the `OLDEST_OF_MAX` that are due first. */
export async function findOldestWaiting(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom((found) =>
      found
        .selectFrom('mail_outbox')
        .select('created_at')
        .where('state', '=', 'waiting')
        .orderBy('next_attempt_at')
        .limit(OLDEST_OF_MAX)
        .as('first'),
    )
    .select(({ fn }) => fn.min('created_at').as('oldest'))
    .executeTakeFirst();
  return row?.oldest ?? undefined;
}

/**
 * Makes mails due that have failed and wait until after `fromMs` for their next attempt. Returns their number. A mail
 * that is being sent is not one of them if `fromMs` is later than the end of any lease.
 */
export async function advanceFailedMails(db: Db, fromMs: number, nowMs: number): Promise<number> {
  return countChanged(
    db
      .updateTable('mail_outbox')
      .set({ next_attempt_at: nowMs })
      .where('state', '=', 'waiting')
      .where('next_attempt_at', '>', fromMs)
      .where('attempts', '>', 0),
  );
}

/** Makes one waiting mail due, or all (null). Returns their number. */
export async function rescheduleMails(db: Db, id: string | null, nowMs: number): Promise<number> {
  let query = db.updateTable('mail_outbox').set({ next_attempt_at: nowMs }).where('state', '=', 'waiting');
  if (id !== null) query = query.where('id', '=', id);
  return countChanged(query);
}
