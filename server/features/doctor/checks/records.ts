import { sql } from 'kysely';
import { SITE_PICTURES } from '../../../../contract/operator/site.ts';
import { toUsernameKey } from '../../../../contract/usernames.ts';
import { isPasswordHash } from '../../../platform/crypto/passwords.ts';
import { inWindows } from '../../../platform/database/statements/windows.ts';
import type { Database } from '../../../platform/database/open.ts';
import { ERASED_COLUMNS } from '../../accounts/erasure.ts';
import { toEmailKey } from '../../accounts/users.ts';
import { Tally, countOf } from '../check.ts';
import type { Check, Diagnosis } from '../check.ts';
import { SET_RIGHT, compareRows } from '../comparison.ts';
import type { Comparison } from '../comparison.ts';
import { own } from '../tables.ts';

const WINDOW_ROWS = 500;

/**
 * What the rows of members, sounds, submissions, takedowns, reports and pictures store twice, and values that no call
 * writes. Each statement sees one moment.
 */
export const records: Check = {
  name: 'records',
  priority: 'critical',
  consoleText: null,
  async run(site) {
    const { db } = await site.openDatabase();
    const [keys, passwords] = [new Tally(), new Tally()];
    for await (const { id, hasKeys, hasPassword } of readMembers(db)) {
      if (!hasKeys) keys.add(`member ${id}`);
      if (!hasPassword) passwords.add(`member ${id}`);
    }
    return [
      ...keys.diagnose(KEYS),
      ...passwords.diagnose(PASSWORDS),
      ...(await compareRows(db, COMPARISONS)),
    ];
  },
};

const KEYS: Diagnosis = {
  kind: 'keys',
  found: (count) =>
    `The key of the username or e-mail address of ${countOf(count, 'member')} is not that of the name.`,
  meaning: 'They cannot log in, their page is not found, or another member can take their name.',
  remedy: SET_RIGHT,
};

const PASSWORDS: Diagnosis = {
  kind: 'passwords',
  found: (count) => `The stored password of ${countOf(count, 'member')} is empty or damaged.`,
  meaning: 'No password matches it: they cannot log in.',
  remedy:
    'They choose a new password by the link of "forgotten password", or restore the value from a backup.',
};

const COMPARISONS: readonly Comparison[] = [
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
    found: (count) => `${countOf(count, 'member', 'is')} both verified and not verified by an ID.`,
    meaning: 'A payout is refused to a verified member, or possible for another one.',
    remedy: SET_RIGHT,
  },
  {
    kind: 'unerased-members',
    query: sql`select 'member ' || id as name from users where deleted_at is not null and (
      email_key <> '#' || id or username_key <> '#' || id or ${sql.join(
        Object.entries(ERASED_COLUMNS).map(([column, value]) =>
          value === null ? sql`${sql.ref(column)} is not null` : sql`${sql.ref(column)} <> ${sql.lit(value)}`,
        ),
        sql` or `,
      )})`,
    found: (count) =>
      `${countOf(count, 'member', 'is')} marked as deleted, and personal data is still there.`,
    meaning: 'An account was deleted that nobody asked to delete, or a deletion was undone in part.',
    remedy:
      'Look in a backup. If they asked for it, set deleted_at to null: the server deletes the account again within an hour.',
  },
  {
    kind: 'undated-reports',
    query: sql`select 'report ' || id as name from reports where due_at is null
      and (state = 'unconfirmed' or state like 'waiting%' and asking = 'asked')`,
    found: (count) => `${countOf(count, 'report', 'waits')} without a deadline.`,
    meaning: 'It never becomes due, and nobody is reminded of it.',
    remedy: SET_RIGHT,
  },
  {
    kind: 'doomed-pictures',
    // Those of sounds are looked up before they are deleted.
    query: sql`select 'picture ' || picture_key as name from retired_pictures where picture_key in (
      select picture_key from users where picture_key is not null
      union all select background_key from users where background_key is not null
      ${sql.join(
        SITE_PICTURES.map(
          (picture) =>
            sql`union all select ${sql.ref(picture)} from site_config where ${sql.ref(picture)} is not null`,
        ),
        sql` `,
      )})`,
    found: (count) => `${countOf(count, 'picture', 'is')} in use, and the server is about to delete it.`,
    meaning: 'Older rows of members or of the site were restored; the files go within an hour.',
    remedy: 'Stop the server, delete these rows of the table retired_pictures, and start it again.',
  },
  {
    kind: 'report-states',
    query: sql`select 'report ' || reports.id as name from reports
      left join report_events as last on last.report_id = reports.id and last.version = reports.version
      where last.state is null or last.state <> reports.state`,
    found: (count) => `${countOf(count, 'report')} is in another state than its last event says.`,
    meaning: 'Its deadlines, and whether the sound is hidden, follow the wrong state.',
    remedy: SET_RIGHT,
  },
];

/** Without deleted accounts, whose rows are pseudonyms. A member without any password is one that was brought over. */
async function* readMembers(db: Database['db']) {
  const select = (after: string) =>
    own(db)
      .selectFrom('users')
      .select(['id', 'username', 'username_key', 'email', 'email_key', 'password_hash', 'deleted_at'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(WINDOW_ROWS)
      .execute();
  for await (const rows of inWindows('', select, ({ id }) => id)) {
    for (const { id, username, username_key, email, email_key, password_hash, deleted_at } of rows) {
      if (deleted_at !== null) continue;
      const hasKeys = toUsernameKey(username) === username_key && toEmailKey(email) === email_key;
      yield { id, hasKeys, hasPassword: password_hash === null || isPasswordHash(password_hash) };
    }
  }
}
