import { sql } from 'kysely';
import { toUsernameKey } from '../../../contract/accounts/usernames.ts';
import { DAY_MS } from '../../../contract/values/time-units.ts';
import { isPasswordHash } from '../../platform/crypto/passwords.ts';
import { findSecret } from '../../platform/crypto/secrets.ts';
import { inWindows } from '../../platform/database/statements/windows.ts';
import { Tally, countOf } from '../doctor/check.ts';
import type { Check, Diagnosis, Site } from '../doctor/check.ts';
import { SET_RIGHT, checkRows } from '../doctor/comparison.ts';
import { DECISIONS, RECORDS, SECRETS, VALUES } from '../doctor/parts.ts';
import { checkTexts, encodedIn, isObject } from '../doctor/stored-texts.ts';
import { wasLast } from '../staff/last-action.ts';
import { ERASED_COLUMNS } from './erasure.ts';
import { listUnopenableSecondFactors, toCodeStep } from './second-factor.ts';
import { SESSION_AGE_MAX_MS } from './sessions.ts';
import type { Db } from './tables.ts';
import { toEmailKey } from './users.ts';

const COUNTED_MAX = 1_000;
const WINDOW_ROWS = 500;

const secondFactors: Check = {
  ...SECRETS,
  async run(site) {
    const sessionSecret = findUsable(site);
    if (sessionSecret === undefined) return [];
    const deps = { database: await site.openDatabase(), sessionSecret };
    const unopenable = new Tally();
    for (const id of await listUnopenableSecondFactors(deps, COUNTED_MAX)) unopenable.add(`member ${id}`);
    return unopenable.diagnose({
      kind: 'other-secret',
      found: (count) => `The second factor of ${countOf(count, 'member')} was sealed with another secret.`,
      meaning:
        'The secrets were lost and made again, or SECRET_KEY was changed. These members cannot give a code.',
      remedy:
        'Copy DATA_DIR/secrets or SECRET_KEY from where you keep the keys, or reset their second factors by command.',
    });
  },
};

/** Undefined for a missing or damaged one, which is reported already. */
function findUsable({ settings }: Site): Uint8Array | undefined {
  try {
    return findSecret(settings, 'sessions');
  } catch {
    return undefined;
  }
}

const members: Check = {
  ...RECORDS,
  async run(site) {
    const { db } = await site.openDatabase();
    const [keys, passwords] = [new Tally(), new Tally()];
    for await (const { id, hasKeys, hasPassword } of readMembers(db)) {
      if (!hasKeys) keys.add(`member ${id}`);
      if (!hasPassword) passwords.add(`member ${id}`);
    }
    return [...keys.diagnose(KEYS), ...passwords.diagnose(PASSWORDS)];
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

/** Without deleted accounts, whose rows are pseudonyms. A member without any password is one that was brought over. */
async function* readMembers(db: Db) {
  const select = (after: string) =>
    db
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

/** What the doctor checks of members and their log-ins. */
export const ACCOUNT_CHECKS: readonly Check[] = [
  secondFactors,
  members,
  checkRows(RECORDS, () => [
    {
      kind: 'unerased-members',
      query: sql`select 'member ' || id as name from users where deleted_at is not null and (
        email_key <> '#' || id or username_key <> '#' || id or ${sql.join(
          Object.entries(ERASED_COLUMNS).map(([column, value]) =>
            value === null
              ? sql`${sql.ref(column)} is not null`
              : sql`${sql.ref(column)} <> ${sql.lit(value)}`,
          ),
          sql` or `,
        )})`,
      found: (count) =>
        `${countOf(count, 'member', 'is')} marked as deleted, and personal data is still there.`,
      meaning: 'An account was deleted that nobody asked to delete, or a deletion was undone in part.',
      remedy:
        'Look in a backup. If they asked for it, set deleted_at to null: the server deletes the account again within an hour.',
    },
  ]),
  checkRows(DECISIONS, () => [
    {
      kind: 'unrecorded-staff',
      query: sql`select 'member ' || users.id as name from users
        where is_staff = 1 and (${wasLast('make staff', 'remove staff', 'users.id')}) is not true`,
      found: (count) => `${countOf(count, 'member')} is staff, and no action made them so.`,
      meaning:
        'They can decide about members, sounds and money. Someone may have given them the right in the database.',
      remedy:
        'If nobody knows why, remove the right: "npm run operator -- members remove-staff". Otherwise give it again after that, which puts it on record.',
    },
    {
      kind: 'lifted-blocks',
      query: sql`select 'member ' || users.id as name from users where deleted_at is null and (
        suspension_reason is null and ${wasLast('suspend member', 'unsuspend member', 'users.id')}
        or is_blocked = 0 and ${wasLast('block member', 'unblock member', 'users.id')})`,
      found: (count) =>
        `${countOf(count, 'member')} was blocked or suspended by the staff and is not any more.`,
      meaning: 'They can publish and be paid again, and no action of the staff allowed it.',
      remedy: 'Block or suspend the member again in the console; ending it there puts the end on record.',
    },
  ]),
  checkRows(VALUES, (nowMs) => [
    {
      kind: 'endless-sessions',
      query: sql`select 'member ' || user_id as name from sessions
        where expires_at > ${nowMs + SESSION_AGE_MAX_MS + DAY_MS}`,
      found: (count) => `${countOf(count, 'session')} lasts longer than any log-in.`,
      meaning: 'Someone may have made a log-in that does not end.',
      remedy: 'End the sessions of these members in the console.',
    },
    {
      kind: 'spent-codes',
      query: sql`select 'member ' || user_id as name from second_factors
        where last_step > ${toCodeStep(nowMs + DAY_MS)}`,
      found: (count) => `The second factor of ${countOf(count, 'member')} takes no code for more than a day.`,
      meaning: 'The last code that was used is one of the future: they cannot do what needs a code.',
      remedy: 'Reset their second factors: "npm run operator -- members reset-second-factor".',
    },
  ]),
  checkTexts(encodedIn({ table: 'undo_links', id: 'token_hash', columns: { before: isObject } })),
];
