import { sql } from 'kysely';
import { LAST_CODE_POINT, byCodePoints } from '../../platform/database/drivers/code-points.ts';
import { toEmailDomain } from '../accounts/tables.ts';
import type { Database } from '../../platform/database/open.ts';
import { cleanLine } from '../../../contract/values/texts.ts';
import { toUsernameKey } from '../../../contract/accounts/usernames.ts';
import { DOMAIN_ADDRESSES_MAX, MEMBERS_FOUND_MAX } from '../../../contract/operator/members.ts';
import type { FoundMember } from '../../../contract/operator/members.ts';
import { toEmailKey } from '../accounts/users.ts';
import { toFoundMember } from './member-state.ts';
import { own } from './tables.ts';
import { escapePattern } from '../../platform/database/statements/patterns.ts';

/** `tanaka @example.jp`: texts before the @, and the beginning of the domain. */
const DOMAIN_SEARCH = /^(?:(.*\S)\s+)?@(\S+)$/;
const TEXTS_MAX = 5;

/**
 * Members by id, by the beginning of the username or e-mail address, and by the full name or its reading, in this order. Each is one
 * look-up in an index that ends at the limit, whatever the number of members. Deleted accounts are not found.
 */
export async function findMembers(database: Database, search: string): Promise<FoundMembers> {
  const text = cleanLine(search);
  if (text === '') return { results: [], has_more: false, is_partial: false };
  const [, texts, domain] = DOMAIN_SEARCH.exec(text) ?? [];
  if (domain !== undefined) return findByDomain(database, domain, texts?.split(/\s+/) ?? []);
  const found = [
    await select(database).where('id', '=', text).execute(),
    await selectPrefix(database, 'username_key', toUsernameKey(text)).execute(),
    await selectPrefix(database, 'email_key', toEmailKey(text)).execute(),
    await select(database).where('name', '=', text).execute(),
    await select(database).where('furigana', '=', text).execute(),
  ].flat();
  const members = [...new Map(found.map((row) => [row.id, toFoundMember(row)])).values()];
  return toReply(members, false);
}

/**
 * Members by the domain of their address, and by texts before the @. Reads entries of one index, no more than
 * `DOMAIN_ADDRESSES_MAX`: the domain of a large provider has more.
 */
async function findByDomain(
  database: Database,
  typed: string,
  texts: readonly string[],
): Promise<FoundMembers> {
  const { db, dialect } = database;
  // A whole address, because the domain is stored in its ASCII form.
  const prefix = toEmailKey(`a@${typed}`).slice(2);
  const domain = toEmailDomain(dialect);
  const entries = sql`
    select id, email_key from users
    where deleted_at is null and ${domain} >= ${prefix} and ${domain} <= ${prefix + LAST_CODE_POINT}
    order by ${domain}, email_key limit ${DOMAIN_ADDRESSES_MAX}`;
  const conditions = texts.slice(0, TEXTS_MAX).map((text) => {
    const pattern = `%${escapePattern(toEmailKey(text))}%@%`;
    return sql`email_key like ${pattern} escape '\\'`;
  });
  const { rows } = await sql<{ id: string }>`
    select id from (${entries}) as entries
    where ${conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)}
    limit ${MEMBERS_FOUND_MAX + 1}`.execute(db);
  const ids = rows.map(({ id }) => id);
  const found = ids.length === 0 ? [] : await select(database).where('id', 'in', ids).execute();
  const members = ids.flatMap((id) => found.find((row) => row.id === id) ?? []).map(toFoundMember);
  if (texts.length === 0 || ids.length > MEMBERS_FOUND_MAX) return toReply(members, false);
  const compared = await sql<{ entries: number }>`
    select count(*) as entries from (${entries}) as entries`.execute(db);
  return toReply(members, Number(compared.rows[0]?.entries) >= DOMAIN_ADDRESSES_MAX);
}

interface FoundMembers {
  readonly results: FoundMember[];
  readonly has_more: boolean;
  readonly is_partial: boolean;
}

function toReply(members: readonly FoundMember[], is_partial: boolean): FoundMembers {
  const has_more = members.length > MEMBERS_FOUND_MAX;
  return { results: members.slice(0, MEMBERS_FOUND_MAX), has_more, is_partial };
}

function select({ db }: Database) {
  return own(db)
    .selectFrom('users')
    .select(['id', 'username', 'created_at', 'is_staff', 'is_verified', 'status'])
    .select(['is_blocked', 'suspension_reason', 'deletion_requested_at'])
    .where('deleted_at', 'is', null)
    .limit(MEMBERS_FOUND_MAX + 1);
}

function selectPrefix(database: Database, column: 'username_key' | 'email_key', prefix: string) {
  const key = byCodePoints(database, column);
  return select(database)
    .where(key, '>=', prefix)
    .where(key, '<=', prefix + LAST_CODE_POINT)
    .orderBy(key);
}
