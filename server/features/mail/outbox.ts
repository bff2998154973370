import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { DAY_MS, HOUR_MS } from '../../../contract/values/time-units.ts';
import { classifyFailure } from '../../platform/database/drivers/failure.ts';
import type { Database } from '../../platform/database/open.ts';
import type { Clock } from '../../platform/concurrency/clock.ts';
import { UnsendableMail } from '../../platform/mail/port.ts';
import type { MailTransport } from '../../platform/mail/port.ts';
import { claimMails, deleteFinishedMails, markFailed, markSent, selectDueIds } from './queries.ts';
import type { MailRow } from './queries.ts';
import { maskEmail, toFailureReason } from './log-fields.ts';

export interface OutboxDeps {
  readonly database: Database;
  readonly transport: MailTransport;
  readonly clock: Clock;
  readonly log: Logger;
  /** For how long the address and the subject of a sent or failed mail are kept, in days. */
  readonly retainMailsDays?: number;
  /** From 0 to 1; spreads the retries of mails that failed together. */
  readonly random?: () => number;
}

export interface Outbox {
  /** Sends all due mails until none is left or `signal` is aborted. Rejects when the database fails. */
  sendDue(signal: AbortSignal): Promise<void>;
}

const SECOND_MS = 1_000;
/** Number of mails sent concurrently. */
const AT_ONCE = 4;
/**
 * Longer than a transport may take for one mail (SMTP_LIMITS). After this the process is assumed dead and the mail is
 * sent again.
 */
export const LEASE_MS = 180 * SECOND_MS;
const FIRST_WAIT_MS = 30 * SECOND_MS;
const WAIT_MAX_MS = HOUR_MS;
/** Waits are extended by up to this fraction. */
const JITTER = 0.2;
const GIVE_UP_AFTER_MS = DAY_MS;
export const RETAIN_MAILS_DAYS_DEFAULT = 30;
const DELETE_INTERVAL_MS = HOUR_MS;
/** Minimum interval between removals of wiped data from the database's files, each of which rewrites part of them. */
const TRUNCATE_INTERVAL_MS = 5 * SECOND_MS;
/** How often the outcome of a mail is retried while the database cannot store it, and the pause between attempts. */
const RECORD_ATTEMPTS = 10;
const RECORD_PAUSE_MS = SECOND_MS;

/**
 * Sends queued mails at least once. A mail is leased for a while and, if no outcome is recorded by then, leased again.
 * Any number of processes can share one database.
 */
export function createOutbox({
  database,
  transport,
  clock,
  log,
  random = Math.random,
  retainMailsDays = RETAIN_MAILS_DAYS_DEFAULT,
}: OutboxDeps): Outbox {
  const { db } = database;
  let deletedAtMs = Number.NEGATIVE_INFINITY;
  let truncatedAtMs = Number.NEGATIVE_INFINITY;
  /** Initially true: the previous process may have ended between wiping and dropping. */
  let hasOverwritten = true;

  async function sendOne(mail: MailRow, signal: AbortSignal): Promise<void> {
    const trace = { mail: mail.id, to: maskEmail(mail.to_address) };
    try {
      const { note } = await transport.send(toOutgoing(mail));
      log.info({ ...trace, note }, 'mail sent');
    } catch (error) {
      return record(() => recordFailure(mail, error, trace), signal);
    }
    await record(() => markSent(db, mail.id, clock.now()), signal);
    hasOverwritten = true;
  }

  async function recordFailure(mail: MailRow, error: unknown, trace: object): Promise<void> {
    const nowMs = clock.now();
    const reason = toFailureReason(error);
    const attempts = mail.attempts + 1;
    if (error instanceof UnsendableMail || nowMs - mail.created_at >= GIVE_UP_AFTER_MS) {
      await markFailed(db, mail, { reason, givenUpMs: nowMs });
      hasOverwritten = true;
      log.error({ ...trace, attempts, reason }, 'mail delivery failed permanently');
      return;
    }
    const nextAttemptMs = nowMs + toWaitMs(attempts, random());
    await markFailed(db, mail, { reason, nextAttemptMs });
    log.warn(
      { ...trace, attempts, reason, next: new Date(nextAttemptMs).toISOString() },
      'mail delivery failed, will retry',
    );
  }

  async function deleteOldMails(): Promise<void> {
    const nowMs = clock.now();
    if (nowMs - deletedAtMs < DELETE_INTERVAL_MS) return;
    await deleteFinishedMails(db, nowMs - retainMailsDays * DAY_MS);
    deletedAtMs = nowMs;
  }

  /** If another operation of the database prevents it, it is retried at the next poll. */
  function truncateLogIfDue(): void {
    const nowMs = clock.now();
    if (!hasOverwritten || nowMs - truncatedAtMs < TRUNCATE_INTERVAL_MS || !database.truncateLog()) return;
    hasOverwritten = false;
    truncatedAtMs = nowMs;
  }

  return {
    async sendDue(signal) {
      while (!signal.aborted) {
        const nowMs = clock.now();
        const ids = await selectDueIds(db, nowMs, AT_ONCE);
        if (ids.length === 0) break;
        const mails = await claimMails(db, ids, nowMs, nowMs + LEASE_MS);
        // Waits for every mail that is being sent, even if one fails.
        const results = await Promise.allSettled(mails.map((mail) => sendOne(mail, signal)));
        for (const result of results) if (result.status === 'rejected') throw result.reason;
      }
      await deleteOldMails();
      truncateLogIfDue();
    },
  };
}

/** Retries, so that a mail is not sent twice only because the database could not store its outcome at once. */
async function record(run: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (classifyFailure(error) === undefined || attempt === RECORD_ATTEMPTS || signal.aborted) throw error;
    }
    await wait(RECORD_PAUSE_MS);
  }
}

/** 30 s, 1 min, 2 min, 4 min … up to an hour, plus jitter. */
function toWaitMs(attempts: number, random: number): number {
  const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (attempts - 1), WAIT_MAX_MS);
  return Math.round(waitMs * (1 + JITTER * random));
}

function toOutgoing(mail: MailRow) {
  return {
    id: mail.id,
    queuedAtMs: mail.created_at,
    to: mail.to_address,
    ...(mail.reply_to !== null && { replyTo: mail.reply_to }),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
  };
}
