import * as v from 'valibot';
import { toDonationUrl } from '../../../contract/accounts/donation.ts';
import { pageTags } from '../../../contract/site/page-tags.ts';
import {
  DONATION_URL_PROBLEM,
  PAYOUT_FIELDS,
  REVIEWED_FIELDS,
  findLock,
} from '../../../contract/accounts/profile-fields.ts';
import type { ProfileField } from '../../../contract/accounts/profile-fields.ts';
import type { ProfileChange, ReadFields } from '../../../contract/accounts/profile.ts';
import { UsernameSchema } from '../../../contract/accounts/usernames.ts';
import { isUniqueViolation } from '../../platform/database/drivers/unique-violation.ts';
import { Problem, notFound } from '../../platform/http/problem.ts';
import { mailingStranger, takeMails } from '../../platform/http/mail-budget.ts';
import type { Caller, Platform } from '../../platform/http/context.ts';
import { isWithinLimit } from '../../platform/limits/rate-limits.ts';
import { announceArtist } from '../artists/changes.ts';
import { REGISTRATION_MAILS } from '../accounts/limits.ts';
import { addUndoLink } from '../accounts/undo-links.ts';
import { deleteExpired } from '../accounts/expiry.ts';
import { findAddressChanges } from '../accounts/address-change-queries.ts';
import { requireSession } from '../accounts/sessions.ts';
import { requireStaffLogIn } from '../accounts/recent-login.ts';
import { toMailboxKey } from '../accounts/users.ts';
import type { ChangeContext } from '../accounts/undo-links.ts';
import { toPayoutHold } from '../ledger/payout-hold.ts';
import { queueMail } from '../mail/service.ts';
import { BLOCKED_PROBLEM } from '../staff/reasons.ts';
import { indexArtist } from '../catalogue/search/reindexing.ts';
import { insertUnindexed } from '../catalogue/search/reindexing-queries.ts';
import { requestEmailChange, requestMessageAddress } from './email-change.ts';
import {
  PUBLIC_FIELDS,
  PUBLIC_NAMES,
  cancelsAddressChange,
  describeChange,
  listGuarded,
} from './guarded-fields.ts';
import type { GuardedField } from './guarded-fields.ts';
import { EMAIL_CHANGES, GUARDED_CHANGES, RENAMES } from './limits.ts';
import { toDetailsChangedMail } from './mails.ts';
import type { ProfileOptions } from './options.ts';
import { findProfileRow, lockProfile } from './queries.ts';
import type { LockedProfile } from './queries.ts';
import { nameTaken, rename } from './renames.ts';
import type { Handle } from '../../platform/database/handle.ts';
import { updateMemberRow } from '../accounts/queries.ts';

const NEEDED_PROBLEM = '本人確認と送金に必要なため、空にはできません。';

/** The owner is notified of changes of guarded fields, and of their undoing. */
const MAILS_OF_GUARDED = 2;
/** A link to the new address; to the former one, that it was asked for and that it was made. */
const MAILS_OF_ADDRESS = 3;
/** For both addresses and other fields in one call. */
export const CHANGE_MAILS = mailingStranger(MAILS_OF_GUARDED + 2 * MAILS_OF_ADDRESS, 'service');

type ProfileOwner = Pick<Caller, 'id' | 'sessionId' | 'authenticatedAt' | 'secondFactorAt'>;

/**
 * Changes the given fields of a member's profile, all or none; a change of address is only started, see
 * `requestEmailChange`. For guarded fields (`guarded-fields.ts`) the owner is notified by mail, with a link that undoes
 * the change; a change of payee details holds payouts (`toPayoutHold`). `device`: see `describeDevice`; `address`: the
 * network address, whose mails are counted. Throws
 * `Problem` 400 naming the field that is locked, taken or invalid, 401 when the session has ended meanwhile, 403 naming
 * those that a blocked member cannot change, or when guarded fields or the cancellation of a pending address need a
 * more recent log-in, with a code if the account has a second factor, 409 naming those of `read` that say something else by now, and `TooManyRequests`.
 */
export async function changeProfile(
  deps: Platform & Pick<ProfileOptions, 'donationHost'>,
  caller: ProfileOwner,
  { read = {}, ...change }: ProfileChange & { readonly read?: ReadFields | undefined },
  { device, address }: { readonly device: string; readonly address: string },
): Promise<void> {
  const { database, clock, rateLimits } = deps;
  const { id: userId } = caller;
  const wanted = withUsername(withDonationUrl(change, deps.donationHost));
  const present = await findProfileRow(database.db, userId);
  if (present === undefined) throw notFound();
  const waiting = await findAddressChanges(database.db, userId, clock.now());
  const isGuarded = listGuarded(wanted, present, waiting).length > 0;
  // Before further counting: the same call is repeated once the password was entered. Staff with a second factor give a
  // code as well: whoever knows the password alone could take the account's mails.
  if (isGuarded || cancelsAddressChange(wanted, present, waiting))
    requireStaffLogIn(caller, true, clock.now());
  if (isGuarded) await rateLimits.take(GUARDED_CHANGES, userId);

  const isRename = wanted.username !== undefined && wanted.username !== present.username;
  if (isRename) await rateLimits.take(RENAMES, userId);
  let outcome: Awaited<ReturnType<typeof applyChange>>;
  let refundMails = () => Promise.resolve();
  try {
    const addresses = [wanted.email, wanted.message_email].filter((email) => isNewAddress(email, present));
    const max = (isGuarded ? MAILS_OF_GUARDED : 0) + MAILS_OF_ADDRESS * addresses.length;
    refundMails = await takeMails(rateLimits, { max, isToStranger: addresses.length > 0 }, address);
    const mayMail = {
      account: await countMail(deps, userId, wanted.email, present),
      message: await countMail(deps, userId, wanted.message_email, present),
    };
    outcome = await applyChange(deps, caller, wanted, { mayMail, device, read });
  } catch (error) {
    await refundMails();
    if (isRename) await rateLimits.refund(RENAMES, userId);
    throw isUniqueViolation(error) ? nameTaken() : error;
  }
  const { usernames, isPublic, isRenamed, isReread } = outcome;
  if (isPublic) announceArtist(deps, usernames, { isFaceChanged: isRenamed });
  if (isRenamed || isReread) await indexNow(deps, userId);
  if (wanted.email !== undefined || wanted.message_email !== undefined)
    await deleteExpired(database, 'address_changes', clock.now());
}

/** Whether a new address may get a mail; those already in use need none and are not counted. */
async function countMail(
  { rateLimits }: Platform,
  userId: string,
  address: string | undefined,
  present: { readonly email: string; readonly message_email: string },
): Promise<boolean> {
  if (!isNewAddress(address, present)) return false;
  await rateLimits.take(EMAIL_CHANGES, userId);
  return isWithinLimit(rateLimits, REGISTRATION_MAILS, toMailboxKey(address));
}

function isNewAddress(
  address: string | undefined,
  present: { readonly email: string; readonly message_email: string },
): address is string {
  return (
    address !== undefined && address !== '' && address !== present.email && address !== present.message_email
  );
}

interface ChangeOptions {
  readonly mayMail: { readonly account: boolean; readonly message: boolean };
  readonly device: string;
  /** What fields said when they were read. */
  readonly read: ReadFields;
}

function applyChange(
  deps: Platform,
  caller: ProfileOwner,
  wanted: ProfileChange,
  { mayMail, device, read }: ChangeOptions,
) {
  const { database, clock } = deps;
  const nowMs = clock.now();
  const context = { nowMs, device };
  const { username, email, message_email, ...fields } = wanted;
  return database.db.transaction().execute(async (transaction: Handle) => {
    const member = await lockProfile(transaction, caller.id);
    if (member === undefined) throw notFound();
    await requireSession(transaction, caller, nowMs);
    refuseOutdated(member, read);
    refuseLocked(member, wanted);
    if (member.is_blocked === 1) refusePublic(member, wanted);
    const waiting = await findAddressChanges(transaction, member.id, nowMs);
    const guarded = listGuarded(wanted, member, waiting);
    if (guarded.length > 0 || cancelsAddressChange(wanted, member, waiting))
      requireStaffLogIn(caller, true, nowMs);
    const isRenamed = username !== undefined && username !== member.username;
    if (isRenamed) await rename(transaction, member, username, nowMs);
    const isReread = isChanged('name_reading', member, wanted);
    if (isReread) await insertUnindexed(transaction, member.id);
    const isPayoutHeld = guarded.some((field) =>
      (REVIEWED_FIELDS as readonly ProfileField[]).includes(field),
    );
    const values = { ...fields, ...(isPayoutHeld && { payout_held_until: toPayoutHold(nowMs) }) };
    if (Object.keys(values).length > 0) await updateMemberRow(transaction, member.id, values);
    if (message_email !== undefined) {
      const wish = { email: message_email, waiting: waiting.message, mayMail: mayMail.message };
      await requestMessageAddress(transaction, deps, member, wish, nowMs);
    }
    await queueDetailsMail(transaction, deps, member, { wanted, guarded }, context);
    if (email !== undefined) {
      const wish = { email, waiting: waiting.account, mayMail: mayMail.account };
      await requestEmailChange(transaction, deps, member, wish, context);
    }
    // An address for messages is shown once it is confirmed, unless it is the account's own or empty.
    const isPublic = isRenamed || PUBLIC_FIELDS.some((field) => isChanged(field, member, wanted));
    return {
      isPublic,
      isRenamed,
      isReread,
      usernames: isRenamed ? [member.username, username] : [member.username],
    };
  });
}

/** Notifies the owner of changed details in one mail; a new account address has its own mails. */
async function queueDetailsMail(
  transaction: Handle,
  deps: Pick<Platform, 'siteUrl' | 'siteName'>,
  member: LockedProfile,
  { wanted, guarded }: { readonly wanted: ProfileChange; readonly guarded: readonly GuardedField[] },
  context: ChangeContext,
): Promise<void> {
  const details = guarded.filter((field) => field !== 'email');
  if (details.length === 0) return;
  const before = Object.fromEntries(details.map((field) => [field, member[field]]));
  const undo = await addUndoLink(transaction, deps, member.id, before, context);
  const changes = details.map((field) => describeChange(field, wanted[field] ?? ''));
  await queueMail(transaction, toDetailsChangedMail(deps, member, changes, undo), context.nowMs, {
    priority: 'account',
  });
}

function isChanged(
  field: (typeof PUBLIC_NAMES)[number],
  member: LockedProfile,
  fields: ProfileChange,
): boolean {
  return fields[field] !== undefined && fields[field] !== member[field];
}

/** Throws `Problem` 409 that names the fields that have changed since they were read. */
function refuseOutdated(member: LockedProfile, read: ReadFields): void {
  const changed = (Object.keys(read) as ProfileField[]).filter((field) => read[field] !== member[field]);
  if (changed.length === 0) return;
  throw new Problem(409, Object.fromEntries(changed.map((field) => [field, 'ほかで変更されています。'])));
}

/** Public fields of a blocked member cannot be changed. */
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

/** The host defines the rules of usernames: the contract only requires a non-empty name. */
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

/** The name is changed even if indexing fails; a scheduled job finishes it. */
async function indexNow(deps: Platform, userId: string): Promise<void> {
  try {
    if ((await indexArtist(deps.database, userId)) > 0) deps.catalogueChanged([pageTags.listings]);
  } catch (error) {
    deps.logger.error({ err: error }, 'failed to reindex the sounds of an artist whose name has changed');
  }
}
