import type { Logger } from 'pino';
import type { Database } from '../../database/open.ts';
import type { Clock } from '../../ports/clock.ts';
import { UnsendableMail } from '../../ports/mail.ts';
import type { MailTransport } from '../../ports/mail.ts';
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

/**
 * Sends what was queued, at least once: a mail is taken for a while, and one that nobody has reported
 * on by then is taken again. Any number of processes can do so on one database.
 */
export function createOutbox({
  database: { db },
  transport,
  clock,
  log,
  random = Math.random,
}: OutboxDeps): Outbox {
  let prunedAtMs = Number.NEGATIVE_INFINITY;

  async function sendOne(mail: MailRow): Promise<void> {
    const trace = { mail: mail.id, to: maskEmail(mail.to_address) };
    try {
      const { note } = await transport.send(toOutgoing(mail));
      log.info({ ...trace, note }, 'mail sent');
    } catch (error) {
      return recordFailure(mail, error, trace);
    }
    await markSent(db, mail.id, clock.now());
  }

  async function recordFailure(mail: MailRow, error: unknown, trace: object): Promise<void> {
    const nowMs = clock.now();
    const reason = toReason(error);
    const attempts = mail.attempts + 1;
    if (error instanceof UnsendableMail || nowMs - mail.created_at >= GIVE_UP_AFTER_MS) {
      log.error({ ...trace, attempts, reason }, 'mail given up');
      return markFailed(db, mail, { reason, givenUpMs: nowMs });
    }
    const nextAttemptMs = nowMs + toWaitMs(attempts, random());
    log.warn({ ...trace, attempts, reason, next: new Date(nextAttemptMs).toISOString() }, 'mail not sent');
    return markFailed(db, mail, { reason, nextAttemptMs });
  }

  async function pruneNowAndThen(): Promise<void> {
    const nowMs = clock.now();
    if (nowMs - prunedAtMs < PRUNE_EVERY_MS) return;
    await deleteFinishedMails(db, nowMs - KEPT_MS, PRUNED_AT_ONCE);
    prunedAtMs = nowMs;
  }

  return {
    async sendDue(signal) {
      while (!signal.aborted) {
        const nowMs = clock.now();
        const ids = await selectDueIds(db, nowMs, AT_ONCE);
        if (ids.length === 0) break;
        const mails = await claimMails(db, ids, nowMs, nowMs + LEASE_MS);
        // Nobody is left behind: whoever waits for this waits for every mail under way.
        const results = await Promise.allSettled(mails.map(sendOne));
        for (const result of results) if (result.status === 'rejected') throw result.reason;
      }
      await pruneNowAndThen();
    },
  };
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
