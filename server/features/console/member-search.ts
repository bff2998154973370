import { LAST_CODE_POINT, byCodePoints } from '../../platform/database/database.ts';
import type { Database } from '../../platform/database/database.ts';
import { cleanLine } from '../../../contract/texts.ts';
import { toUsernameKey } from '../../../contract/usernames.ts';
import { MEMBERS_FOUND_MAX } from '../../../contract/operator/members.ts';
import type { FoundMember } from '../../../contract/operator/members.ts';
import { toEmailKey } from '../accounts/accounts.ts';
import { toFoundMember } from './member-state.ts';

/**
 * Members by id, by the beginning of the username or e-mail address, and by the full name or its reading, in this order. Each is one
 * look-up in an index that ends at the limit, whatever the number of members. Deleted accounts are not found.
 */
export async function findMembers(
  database: Database,
  search: string,
): Promise<{ readonly results: FoundMember[]; readonly has_more: boolean }> {
  const text = cleanLine(search);
  if (text === '') return { results: [], has_more: false };
  const found = [
    await select(database).where('id', '=', text).execute(),
    await selectPrefix(database, 'username_key', toUsernameKey(text)).execute(),
    await selectPrefix(database, 'email_key', toEmailKey(text)).execute(),
    await select(database).where('name', '=', text).execute(),
    await select(database).where('furigana', '=', text).execute(),
  ].flat();
  const members = [...new Map(found.map((row) => [row.id, toFoundMember(row)])).values()];
  return { results: members.slice(0, MEMBERS_FOUND_MAX), has_more: members.length > MEMBERS_FOUND_MAX };
}

function select({ db }: Database) {
  return db
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
