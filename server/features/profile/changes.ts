import * as v from 'valibot';
import { toDonationUrl } from '../../../contract/donation.ts';
import { pageTags } from '../../../contract/page-tags.ts';
import { DONATION_URL_PROBLEM, PAYOUT_FIELDS, findLock } from '../../../contract/profile-fields.ts';
import type { ProfileField } from '../../../contract/profile-fields.ts';
import type { ProfileChange } from '../../../contract/profile.ts';
import { UsernameSchema } from '../../../contract/usernames.ts';
import { isUniqueViolation } from '../../database/unique-violation.ts';
import type { ApiDeps } from '../../http/context.ts';
import { Problem, notFound } from '../../http/problem.ts';
import { isWithinLimit } from '../../ports/rate-limits.ts';
import { announceArtist } from '../artists/changes.ts';
import { deleteExpired } from '../accounts/expiry.ts';
import { REGISTRATION_MAILS } from '../accounts/limits.ts';
import { toEmailKey } from '../artists/users.ts';
import { BLOCKED_PROBLEM } from '../staff/reasons.ts';
import { indexArtist } from '../sounds/reindexing.ts';
import { requestEmailChange } from './email-change.ts';
import { EMAIL_CHANGES, RENAMES } from './limits.ts';
import { findProfileRow, lockProfile, updateProfileRow } from './queries.ts';
import type { LockedProfile } from './queries.ts';
import { nameTaken, rename } from './renames.ts';

const NEEDED_PROBLEM = '本人確認と送金に必要なため、空にはできません。';

/** What strangers see of a profile. */
const PUBLIC_FIELDS = ['bio', 'message_email', 'donation_url'] as const;
const PUBLIC_NAMES = ['username', ...PUBLIC_FIELDS] as const;

/**
 * Changes the given fields of a member's profile, all or none; an address only begins to be changed,
 * see `requestEmailChange`. Throws `Problem` 400 naming the field that is locked, taken or wrong, 403 naming those
 * that a blocked member cannot change, and `TooMany`.
 */
export async function changeProfile(deps: ApiDeps, userId: string, change: ProfileChange): Promise<void> {
  const { database, clock, rateLimits } = deps;
  const wanted = withUsername(withDonationUrl(change, deps.donationHost));
  const present = await findProfileRow(database.db, userId);
  if (present === undefined) throw notFound();

  const isRename = wanted.username !== undefined && wanted.username !== present.username;
  if (isRename) await rateLimits.take(RENAMES, userId);
  let outcome: Awaited<ReturnType<typeof applyChange>>;
  try {
    const mayMail = await countEmailChange(deps, userId, wanted.email, present.email);
    outcome = await applyChange(deps, userId, wanted, mayMail);
  } catch (error) {
    if (isRename) await rateLimits.giveBack(RENAMES, userId);
    throw isUniqueViolation(error) ? nameTaken() : error;
  }
  const { usernames, isPublic, isRenamed } = outcome;
  if (isPublic) announceArtist(deps, usernames, { isFaceChanged: isRenamed });
  if (isRenamed) await indexNow(deps, userId);
  if (wanted.email !== undefined) await deleteExpired(database, 'email_changes', clock.now());
}

/** Whether the new address may get a mail; the present one, which cancels a change, costs nothing. */
async function countEmailChange(
  { rateLimits }: ApiDeps,
  userId: string,
  email: string | undefined,
  present: string,
): Promise<boolean> {
  if (email === undefined || email === present) return false;
  await rateLimits.take(EMAIL_CHANGES, userId);
  return isWithinLimit(rateLimits, REGISTRATION_MAILS, toEmailKey(email));
}

function applyChange(deps: ApiDeps, userId: string, wanted: ProfileChange, mayMail: boolean) {
  const { database, clock } = deps;
  const nowMs = clock.now();
  const { username, email, ...fields } = wanted;
  return database.db.transaction().execute(async (transaction) => {
    const member = await lockProfile(transaction, database.dialect, userId);
    if (member === undefined) throw notFound();
    refuseLocked(member, wanted);
    if (member.is_blocked === 1) refusePublic(member, wanted);
    const isRenamed = username !== undefined && username !== member.username;
    if (isRenamed) await rename(transaction, member, username, nowMs);
    if (Object.keys(fields).length > 0) await updateProfileRow(transaction, userId, fields);
    if (email !== undefined) await requestEmailChange(transaction, deps, member, { email, mayMail, nowMs });
    const isPublic = isRenamed || PUBLIC_FIELDS.some((field) => isChanged(field, member, fields));
    return { isPublic, isRenamed, usernames: isRenamed ? [member.username, username] : [member.username] };
  });
}

function isChanged(
  field: (typeof PUBLIC_FIELDS)[number],
  member: LockedProfile,
  fields: ProfileChange,
): boolean {
  return fields[field] !== undefined && fields[field] !== member[field];
}

/** What others see of a blocked member stays as it is. */
function refusePublic(member: LockedProfile, wanted: ProfileChange): void {
  const changed = PUBLIC_NAMES.filter((name) => wanted[name] !== undefined && wanted[name] !== member[name]);
  if (changed.length === 0) return;
  throw new Problem(403, Object.fromEntries(changed.map((name) => [name, BLOCKED_PROBLEM])));
}

function refuseLocked(member: LockedProfile, wanted: ProfileChange): void {
  const check = {
    isVerified: member.is_personal_info_verified === 1,
    isUnderReview: member.personal_info_status === 'pending',
  };
  const needed: ReadonlySet<ProfileField> = new Set(
    check.isVerified || check.isUnderReview ? PAYOUT_FIELDS : [],
  );
  const locks = (Object.keys(wanted) as ProfileField[]).flatMap((field) => {
    const isEmptied = needed.has(field) && wanted[field] === '' && member[field] !== '';
    const problem = findLock(field, check, member[field]) ?? (isEmptied ? NEEDED_PROBLEM : null);
    return problem === null ? [] : [[field, problem] as const];
  });
  if (locks.length > 0) throw new Problem(400, Object.fromEntries(locks));
}

/** The rules of usernames are the host's: the contract asks for a name and no more. */
function withUsername(change: ProfileChange): ProfileChange {
  if (change.username === undefined) return change;
  const username = v.safeParse(UsernameSchema, change.username);
  if (!username.success) throw new Problem(400, { username: username.issues[0].message });
  return { ...change, username: username.output };
}

function withDonationUrl(change: ProfileChange, donationHost: string): ProfileChange {
  if (change.donation_url === undefined || change.donation_url === '') return change;
  const donation_url = toDonationUrl(change.donation_url, donationHost);
  if (donation_url === null) throw new Problem(400, { donation_url: DONATION_URL_PROBLEM });
  return { ...change, donation_url };
}

/** The name is changed, whatever becomes of the search; a chore does what is left undone. */
async function indexNow(deps: ApiDeps, userId: string): Promise<void> {
  try {
    if ((await indexArtist(deps.database, userId)) > 0) deps.catalogueChanged([pageTags.listings]);
  } catch (error) {
    deps.logger.error({ err: error }, 'a renamed artist is still searched for by the old name');
  }
}
