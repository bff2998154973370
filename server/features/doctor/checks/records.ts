import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { toUsernameKey } from '../../../../contract/usernames.ts';
import { inWindows } from '../../../platform/database/database.ts';
import type { Database } from '../../../platform/database/database.ts';
import { toEmailKey } from '../../accounts/accounts.ts';
import { Tally, countOf } from '../check.ts';
import type { Check, Diagnosis } from '../check.ts';

const COUNTED_MAX = 1_000;
const WINDOW_ROWS = 500;

/** What the rows of members, submissions, takedowns and reports store twice. Each statement sees one moment. */
export const records: Check = {
  name: 'records',
  priority: 'critical',
  isCheap: false,
  async run(site) {
    const { db } = await site.openDatabase();
    const keys = new Tally();
    for await (const id of findWrongKeys(db)) keys.add(`member ${id}`);
    const findings = keys.diagnose(KEYS);
    for (const { query, ...diagnosis } of COMPARISONS) {
      const tally = new Tally();
      const { rows } = await sql<{ name: string }>`${query} limit ${COUNTED_MAX}`.execute(db);
      for (const { name } of rows) tally.add(name);
      findings.push(...tally.diagnose(diagnosis));
    }
    return findings;
  },
};

const UNDO =
  'Someone has changed the database by another program. Compare with a backup, and set the value right.';

const KEYS: Diagnosis = {
  kind: 'keys',
  found: (count) =>
    `The key of the username or e-mail address of ${countOf(count, 'member')} is not that of the name.`,
  meaning: 'They cannot log in, their page is not found, or another member can take their name.',
  remedy: UNDO,
};

/** Each query begins with select, which SQLite then reads without the connection for writing. */
const COMPARISONS: readonly (Diagnosis & { readonly query: RawBuilder<unknown> })[] = [
  {
    kind: 'public-takedowns',
    query: sql`select 'sound ' || sounds.id as name from sounds join users on users.id = sounds.artist_id
      where is_published = 1 and (hidden_reason is not null or suspension_reason is not null
        or deletion_requested_at is not null)`,
    found: (count) =>
      `${countOf(count, 'sound')} is public, although it was hidden, or its artist is suspended or deleted.`,
    meaning: 'Everyone can see and download it.',
    remedy: 'Hide the sounds, or suspend the member, again. See "npm run operator -- sounds".',
  },
  {
    kind: 'unmarked-submissions',
    query: sql`select 'quality check ' || quality_checks.id as name from quality_checks
        join users on users.id = user_id where state = 'pending' and status <> 'pending'
      union all
      select 'ID ' || submissions.id from personal_info_submissions as submissions
        join users on users.id = user_id where state = 'pending' and personal_info_status <> 'pending'`,
    found: (count) => `${countOf(count, 'submission')} waits, but its member is not marked as waiting.`,
    meaning: 'The member can submit again, which fails, and the decision may not reach them.',
    remedy: 'Decide on the submission; that sets the member right.',
  },
  {
    kind: 'unverified-members',
    query: sql`select 'member ' || id as name from users
      where (personal_info_status = 'confirmed') <> (is_personal_info_verified = 1)`,
    found: (count) => `${countOf(count, 'member')} is both verified and not verified by an ID.`,
    meaning: 'A payout is refused to a verified member, or possible for another one.',
    remedy: UNDO,
  },
  {
    kind: 'report-states',
    query: sql`select 'report ' || reports.id as name from reports
      left join report_events as last on last.report_id = reports.id and last.version = reports.version
      where last.state is null or last.state <> reports.state`,
    found: (count) => `${countOf(count, 'report')} is in another state than its last event says.`,
    meaning: 'Its deadlines, and whether the sound is hidden, follow the wrong state.',
    remedy: UNDO,
  },
];

/** The row of a deleted account is a pseudonym. */
async function* findWrongKeys(db: Database['db']): AsyncIterable<string> {
  const select = (after: string) =>
    db
      .selectFrom('users')
      .select(['id', 'username', 'username_key', 'email', 'email_key', 'deleted_at'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(WINDOW_ROWS)
      .execute();
  for await (const rows of inWindows('', select, ({ id }) => id)) {
    for (const { id, username, username_key, email, email_key, deleted_at } of rows) {
      if (deleted_at !== null) continue;
      if (toUsernameKey(username) !== username_key || toEmailKey(email) !== email_key) yield id;
    }
  }
}
