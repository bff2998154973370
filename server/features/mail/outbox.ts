import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { classifyFailure } from '../../platform/database/database.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Clock } from '../../platform/concurrency/concurrency.ts';
import { UnsendableMail } from '../../platform/mail/mail.ts';
import type { MailTransport } from '../../platform/mail/mail.ts';
import { claimMails, deleteFinishedMails, markFailed, markSent, selectDueIds } from './queries.ts';
import type { MailRow } from './queries.ts';
import { maskEmail, toReason } from './traces.ts';

export interface OutboxDeps {
  readonly database: Database;
  readonly transport: MailTransport;
  readonly clock: Clock;
  readonly log: Logger;
  /** From 0 to 1; spreads the attempts of mails that failed together. */
  readonly random?: () => number;
}

export interface Outbox {
  /** Sends every mail that is due, until none is left or `signal` is aborted. Rejects when the database fails. */
  sendDue(signal: AbortSignal): Promise<void>;
}

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;
/** So many are sent at once. */
const AT_ONCE = 4;
/** Longer than a transport may take for one mail (SMTP_LIMITS): then its process has died, and it is sent again. */
const LEASE_MS = 180 * SECOND_MS;
const FIRST_WAIT_MS = 30 * SECOND_MS;
const WAIT_MAX_MS = HOUR_MS;
/** A wait is longer by up to this share. */
const JITTER = 0.2;
const GIVE_UP_AFTER_MS = DAY_MS;
const KEPT_MS = 30 * DAY_MS;
const PRUNE_EVERY_MS = HOUR_MS;
const PRUNED_AT_ONCE = 1_000;
/** What was wiped leaves the database's files at most so often: each time writes some of them anew. */
const DROP_EVERY_MS = 5 * SECOND_MS;
/** How often, and with what pause, the outcome of a mail is put down while the database cannot take it. */
const RECORD_ATTEMPTS = 10;
const RECORD_PAUSE_MS = SECOND_MS;

/**
 * Sends what was queued, at least once: a mail is taken for a while, and one that nobody has reported
 * on by then is taken again. Any number of processes can do so on one database.
 */
export function createOutbox({ database, transport, clock, log, random = Math.random }: OutboxDeps): Outbox {
  const { db } = database;
  let prunedAtMs = Number.NEGATIVE_INFINITY;
  let droppedAtMs = Number.NEGATIVE_INFINITY;
  /** True at first: the process before may have ended between the two. */
  let hasWiped = true;

  async function sendOne(mail: MailRow, signal: AbortSignal): Promise<void> {
    const trace = { mail: mail.id, to: maskEmail(mail.to_address) };
    try {
      const { note } = await transport.send(toOutgoing(mail));
      log.info({ ...trace, note }, 'mail sent');
    } catch (error) {
      return record(() => recordFailure(mail, error, trace), signal);
    }
    await record(() => markSent(db, mail.id, clock.now()), signal);
    hasWiped = true;
  }

  async function recordFailure(mail: MailRow, error: unknown, trace: object): Promise<void> {
    const nowMs = clock.now();
    const reason = toReason(error);
    const attempts = mail.attempts + 1;
    if (error instanceof UnsendableMail || nowMs - mail.created_at >= GIVE_UP_AFTER_MS) {
      await markFailed(db, mail, { reason, givenUpMs: nowMs });
      hasWiped = true;
      log.error({ ...trace, attempts, reason }, 'mail given up');
      return;
    }
    const nextAttemptMs = nowMs + toWaitMs(attempts, random());
    await markFailed(db, mail, { reason, nextAttemptMs });
    log.warn({ ...trace, attempts, reason, next: new Date(nextAttemptMs).toISOString() }, 'mail not sent');
  }

  async function pruneNowAndThen(): Promise<void> {
    const nowMs = clock.now();
    if (nowMs - prunedAtMs < PRUNE_EVERY_MS) return;
    await deleteFinishedMails(db, nowMs - KEPT_MS, PRUNED_AT_ONCE);
    prunedAtMs = nowMs;
  }

  /** Refused because something else is going on in the database, it is tried at the next look. */
  function dropNowAndThen(): void {
    const nowMs = clock.now();
    if (!hasWiped || nowMs - droppedAtMs < DROP_EVERY_MS || !database.dropOverwritten()) return;
    hasWiped = false;
    droppedAtMs = nowMs;
  }

  return {
    async sendDue(signal) {
      while (!signal.aborted) {
        const nowMs = clock.now();
        const ids = await selectDueIds(db, nowMs, AT_ONCE);
        if (ids.length === 0) break;
        const mails = await claimMails(db, ids, nowMs, nowMs + LEASE_MS);
        // Nobody is left behind: whoever waits for this waits for every mail under way.
        const results = await Promise.allSettled(mails.map((mail) => sendOne(mail, signal)));
        for (const result of results) if (result.status === 'rejected') throw result.reason;
      }
      await pruneNowAndThen();
      dropNowAndThen();
    },
  };
}

/** A mail that was taken is not sent twice only because the database could not take it down at once. */
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

/** 30 s, 1 min, 2 min, 4 min … up to an hour, and a little more. */
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
