import { DAY_MS, MINUTE_MS } from '../../../../contract/time-units.ts';
import { retryFailedMails } from '../../mail/staff.ts';
import { Tally, countOf } from '../check.ts';
import type { Check } from '../check.ts';
import { own } from '../tables.ts';

/** A running server sends a due mail within seconds. */
const LATE_MS = 15 * MINUTE_MS;
/** Then a mail was given up long enough ago for the operator to have seen it. */
const RECENT_MS = 3 * DAY_MS;
const ATTEMPTS_MAX = 3;
const COUNTED_MAX = 1_000;

export const mails: Check = {
  name: 'mails',
  priority: 'warning',
  consoleText: '送れていないメールがあります',
  async run(site) {
    const { db } = await site.openDatabase();
    const nowMs = site.clock.now();
    const [late, failing, givenUp] = [new Tally(), new Tally(), new Tally()];
    const due = await own(db)
      .selectFrom('mail_outbox')
      .select(['id', 'attempts', 'next_attempt_at', 'last_error'])
      .where('state', '=', 'waiting')
      .orderBy('next_attempt_at')
      .limit(COUNTED_MAX)
      .execute();
    for (const { id, attempts, next_attempt_at } of due) {
      if (next_attempt_at < nowMs - LATE_MS) late.add(id);
      else if (attempts >= ATTEMPTS_MAX) failing.add(id);
    }
    const lost = await own(db)
      .selectFrom('mail_outbox')
      .select('id')
      .where('finished_at', '>=', nowMs - RECENT_MS)
      .where('state', '=', 'given-up')
      .limit(COUNTED_MAX)
      .execute();
    for (const { id } of lost) givenUp.add(id);
    return [
      ...late.diagnose({
        kind: 'late',
        found: (count) => `${countOf(count, 'mail')} should have been sent more than 15 minutes ago.`,
        meaning: 'No server process is sending mails.',
        remedy: 'Start the server; if it is running, look into its log.',
      }),
      ...failing.diagnose({
        kind: 'failing',
        found: (count) => `${countOf(count, 'mail')} could not be sent in ${ATTEMPTS_MAX} attempts or more.`,
        meaning: 'The mail server refuses them or does not answer. They are given up after a day.',
        remedy:
          'Read the last error with "npm run operator -- mail list"; then let them be sent at once (--fix does it).',
        fix: async (tools) =>
          `${countOf(await retryFailedMails(tools), 'mail')} will be sent at once by the running server`,
      }),
      ...givenUp.diagnose({
        kind: 'given-up',
        found: (count) => `${countOf(count, 'mail')} of the last 3 days could not be delivered.`,
        meaning: 'Their text is deleted; their recipients did not get them.',
        remedy:
          'Read the errors with "npm run operator -- mail list --state given-up" and correct SMTP_URL or MAIL_FROM.',
      }),
    ];
  },
};
