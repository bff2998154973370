import { classifyFailure, isTransient } from '../../platform/database/drivers/failure.ts';
import { createOutbox } from './outbox.ts';
import type { OutboxDeps } from './outbox.ts';

/** Sends mails while the process is serving. */
export interface MailSender {
  /** Looks for due mails; returns at once. */
  wake(): void;
  /** Waits for a limited time for mails being sent; the rest stays in the outbox. Closes the transport. */
  close(): Promise<void>;
}

export interface MailSenderTimes {
  /** Interval for finding mails that have become due and those of other processes. */
  readonly pollMs: number;
  /** How long `close` waits for mails being sent. */
  readonly closeMs: number;
}

const TIMES: MailSenderTimes = { pollMs: 2_000, closeMs: 5_000 };
/** Time to record aborted mails as failed. */
const CUT_OFF_MS = 1_000;

/** Starts polling the outbox: at once, when woken, and at intervals. Does not prevent the process from ending. */
export function startMailSender(deps: OutboxDeps, times: MailSenderTimes = TIMES): MailSender {
  const outbox = createOutbox(deps);
  const closing = new AbortController();
  let isRequested = false;
  let isFailing = false;
  let round: Promise<void> | undefined;

  function wake(): void {
    if (closing.signal.aborted) return;
    isRequested = true;
    round ??= run().finally(() => (round = undefined));
  }

  async function run(): Promise<void> {
    while (isRequested && !closing.signal.aborted) {
      isRequested = false;
      try {
        await outbox.sendDue(closing.signal);
        if (isFailing) deps.log.info('mail outbox is available again');
        isFailing = false;
      } catch (error) {
        // Logged once, not every two seconds while the database is unavailable.
        const failure = classifyFailure(error);
        const level = isTransient(failure) ? 'warn' : 'error';
        if (!isFailing) deps.log[level]({ err: error, failure }, 'the outbox cannot be read');
        isFailing = true;
      }
    }
  }

  const timer = setInterval(wake, times.pollMs);
  timer.unref();
  wake();

  return {
    wake,
    async close() {
      closing.abort();
      clearInterval(timer);
      await waitAtMost(times.closeMs, round);
      await deps.transport.close();
      await waitAtMost(CUT_OFF_MS, round);
    },
  };
}

/** Waits for `work`, at most `limitMs`. */
async function waitAtMost(limitMs: number, work: Promise<void> | undefined): Promise<void> {
  if (work === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
