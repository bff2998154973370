import type { InferOutput } from 'valibot';
import { DAY_MS } from '../../../contract/values/time-units.ts';
import type { RegistrationSchema } from '../../../contract/accounts/accounts.ts';
import { toUsernameKey, toUsernameSkeleton } from '../../../contract/accounts/usernames.ts';
import { isId, randomId } from '../../platform/database/statements/random-id.ts';
import { Problem } from '../../platform/http/problem.ts';
import { mailingStranger, mayMail } from '../../platform/http/mail-budget.ts';
import { toNetworkGroup } from '../../platform/http/address-limits.ts';
import type { Platform } from '../../platform/http/context.ts';
import { isWithinLimit } from '../../platform/limits/rate-limits.ts';
import { isFormerName } from './former-usernames.ts';
import { createUserUnlessTaken, toEmailKey, toMailboxKey } from './users.ts';
import { queueMail } from '../mail/service.ts';
import { getSiteSettings } from '../site/service.ts';
import { deleteExpired } from './expiry.ts';
import { CONFIRMATION_MAILS, REGISTRATION_MAILS } from './limits.ts';
import { toAlreadyRegisteredMail, toConfirmationMail } from './mails.ts';
import { sendMailInBackground } from './background-mail.ts';
import { findAccount, findAccountByEmail } from './queries.ts';
import {
  endRegistrations,
  extendRegistration,
  findRegistration,
  hasMemberNamed,
  insertRegistration,
  isNameReserved,
} from './registration-queries.ts';
import { hashToken, toConfirmationToken } from './tokens.ts';
import type { Handle } from '../../platform/database/handle.ts';

const LINK_LIFETIME_MS = DAY_MS;

/**
 * Stores a registration until its address is confirmed. The reply is the same for new, pending and members' addresses;
 * the mail distinguishes them (spec §7). The name is therefore reserved in all cases, for a member's address by a
 * registration that cannot be confirmed. Throws `Problem` 403 when registration is closed, 400 when the name is taken,
 * and `Busy`.
 */
export async function register(
  deps: Platform,
  { username, email, password }: InferOutput<typeof RegistrationSchema>,
  address: string,
): Promise<void> {
  const { database, passwords, rateLimits } = deps;
  const { db } = database;
  const now = deps.clock.now();
  const username_key = toUsernameKey(username);
  const username_skeleton = toUsernameSkeleton(username);
  const email_key = toEmailKey(email);
  const { allow_register } = await getSiteSettings(database);
  if (!allow_register) throw new Problem(403, '現在、新規登録の受け付けを停止しています。');
  const isTaken =
    (await hasMemberNamed(db, username_key, username_skeleton)) ||
    (await isNameReserved(db, username_skeleton, email_key, now)) ||
    (await isFormerName(db, { username_key, username_skeleton }, null, now));
  if (isTaken) throw new Problem(400, { username: 'このユーザー名はすでに使われています。' });

  const hash = await passwords.hash(password, { network: toNetworkGroup(address) });
  const isMailed = await isWithinLimit(rateLimits, REGISTRATION_MAILS, toMailboxKey(email));
  const id = randomId();
  const token = toConfirmationToken(deps.sessionSecret, id);
  await db.transaction().execute(async (transaction: Handle) => {
    const account = await findAccountByEmail(transaction, email_key);
    await insertRegistration(transaction, {
      id,
      username,
      username_key,
      username_skeleton,
      email,
      email_key,
      password_hash: account === undefined ? hash : '',
      token_hash: hashToken(token),
      created_at: now,
      expires_at: now + LINK_LIFETIME_MS,
    });
    const mail =
      account === undefined
        ? toConfirmationMail(deps, email, id, token)
        : toAlreadyRegisteredMail(deps, account.email);
    if (isMailed) await queueMail(transaction, mail, now, { priority: 'address' });
  });
  await deleteExpired(database, 'registrations', now);
}

/**
 * Turns a registration into an account with the same id. Returns the registration's address while it is stored. Opening
 * the link of a confirmed account again always succeeds, because mail programs open links before people do. Throws
 * `Problem` 400 when the link is unknown or expired, when another registration of the address was confirmed, or when
 * the name has been taken meanwhile.
 */
export async function confirmRegistration(
  deps: Platform,
  id: string,
  token: string,
): Promise<string | undefined> {
  const { database, clock, sessionSecret } = deps;
  const now = clock.now();
  if (!isId(id)) throw wrongLink();
  const tokenHash = hashToken(token);
  const isDerived = tokenHash === hashToken(toConfirmationToken(sessionSecret, id));
  return database.db.transaction().execute(async (transaction: Handle) => {
    const row = await findRegistration(transaction, id, now);
    // The stored hash also covers links mailed with an earlier secret or by an earlier version.
    if (!isDerived && row?.token_hash !== tokenHash) throw wrongLink();
    if ((await findAccount(transaction, id)) !== undefined) return row?.email;
    if (row === undefined) throw wrongLink();
    if (row.password_hash === '') throw alreadyConfirmed();

    const { username, email, password_hash } = row;
    const user = { id, username, email, password_hash, created_at: now };
    if (!(await createUserUnlessTaken({ db: transaction }, user))) {
      // A concurrent call was faster: with this link, with another one of this address, or with the name.
      if ((await findAccount(transaction, id)) !== undefined) return row.email;
      if ((await findAccountByEmail(transaction, row.email_key)) !== undefined) throw alreadyConfirmed();
      throw new Problem(
        400,
        'このユーザー名は、確認の前にほかの方が登録しました。別の名前でもう一度登録してください。',
      );
    }
    await endRegistrations(transaction, row.email_key);
    return row.email;
  });
}

export const CONFIRMING_AGAIN = mailingStranger(1, 'service');

/**
 * Mails the link of a registration again and renews its full lifetime; links mailed before stay valid. Sends nothing
 * beyond the mail limits of the mailbox and of the caller's network. See `sendMailInBackground`.
 */
export function sendConfirmationAgain(
  deps: Platform,
  { id, email }: { readonly id: string; readonly email: string },
  address: string,
): void {
  sendMailInBackground(deps, 'failed to mail a confirmation link', async () => {
    const { database, rateLimits, clock, sessionSecret } = deps;
    if (!(await isWithinLimit(rateLimits, CONFIRMATION_MAILS, toMailboxKey(email)))) return;
    if (!(await mayMail(rateLimits, CONFIRMING_AGAIN, address))) return;
    const now = clock.now();
    const token = toConfirmationToken(sessionSecret, id);
    await database.db.transaction().execute(async (transaction: Handle) => {
      await extendRegistration(transaction, id, now + LINK_LIFETIME_MS);
      await queueMail(transaction, toConfirmationMail(deps, email, id, token), now, { priority: 'address' });
    });
  });
}

function wrongLink(): Problem {
  return new Problem(
    400,
    '確認リンクが正しくないか、有効期限が切れています。もう一度登録するか、ログインして新しい確認メールを受け取ってください。',
  );
}

/** The address already belongs to an account: another registration of it was confirmed. */
function alreadyConfirmed(): Problem {
  return new Problem(
    400,
    'このメールアドレスの確認は、別のリンクですでに済んでいます。ログインしてください。パスワードがわからないときは、再設定できます。',
  );
}
