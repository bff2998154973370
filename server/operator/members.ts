import { findMemberByEmail } from '../features/accounts/members.ts';
import type { Member } from '../features/accounts/members.ts';
import { findUserIdByName } from '../features/downloads/review-queries.ts';
import type { Database } from '../platform/database/open.ts';
import type { CommandContext } from './context.ts';
import { Refusal } from './refusals.ts';

/** Throws `Refusal` if no account has the address. */
export async function getMember({ db }: Database, email: string): Promise<Member> {
  const member = await findMemberByEmail(db, email);
  if (member === undefined) throw new Refusal(`${email}: no member has this address`);
  return member;
}

/** The deciding staff account. Throws `Refusal` if it is not staff or is blocked. */
export async function getStaff(database: Database, email: string): Promise<Member> {
  const member = await getMember(database, email);
  if (member.is_staff === 0) throw new Refusal(`${email}: this is not a staff account`);
  if (member.is_blocked === 1) throw new Refusal(`${email}: this staff account is blocked`);
  return member;
}

/** Throws `Refusal` for a name that is not in use. */
export async function getArtistId(
  { database }: Pick<CommandContext, 'database'>,
  name: string,
): Promise<string> {
  const id = await findUserIdByName(database.db, name);
  if (id === undefined) throw new Refusal(`${name}: no member has this name`);
  return id;
}
