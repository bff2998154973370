import { sql } from 'kysely';
import { DAY_MS, MINUTE_MS } from '../../../contract/values/time-units.ts';
import { retryFailedMails } from './staff.ts';
import { Tally, countOf } from '../doctor/check.ts';
import type { Check } from '../doctor/check.ts';
import { checkRows } from '../doctor/comparison.ts';
import { VALUES } from '../doctor/parts.ts';
import type { Db } from './tables.ts';

/** A running server sends a due mail within seconds. */
const LATE_MS = 15 * MINUTE_MS;
/** Then a mail was given up long enough ago for the operator to have seen it. */
const RECENT_MS = 3 * DAY_MS;
const ATTEMPTS_MAX = 3;
const COUNTED_MAX = 1_000;

const mails: Check = {
  name: 'mails',
  priority: 'warning',
  stage: 'quick',
  consoleText: '送れていないメールがあります',
  async run(site) {
    const { db }: { readonly db: Db } = await site.openDatabase();
    const nowMs = site.clock.now();
    const [late, failing, givenUp] = [new Tally(), new Tally(), new Tally()];
    const due = await db
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
    const lost = await db
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

/** What the doctor checks of mails. */
export const MAIL_CHECKS: readonly Check[] = [
  mails,
  checkRows(VALUES, (nowMs) => [
    {
      kind: 'late-mails',
      query: sql`select 'mail ' || id as name from mail_outbox
        where state = 'waiting' and next_attempt_at > ${nowMs + 2 * DAY_MS}`,
      found: (count) => `${countOf(count, 'mail')} waits for longer than the server would let it.`,
      meaning: 'It is not sent until then.',
      remedy: 'Send it at once: "npm run operator -- mail retry".',
    },
  ]),
];
