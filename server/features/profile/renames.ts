import { toUsernameKey, toUsernameSkeleton } from '../../../contract/accounts/usernames.ts';
import { Problem } from '../../platform/http/problem.ts';
import {
  deleteFormerUsername,
  deleteOldestUsernames,
  isFormerName,
  saveFormerUsername,
} from '../accounts/former-usernames.ts';
import { isNameReserved } from '../accounts/registration-queries.ts';
import { insertUnindexed } from '../catalogue/search/reindexing-queries.ts';
import { isNameOfAnother } from './queries.ts';
import type { LockedProfile } from './queries.ts';
import type { Handle } from '../../platform/database/handle.ts';
import { updateMemberRow } from '../accounts/queries.ts';

/**
 * Renames a member in the transaction that has locked them; call `indexArtist` afterwards. A name that is already
 * theirs, in any spelling, is not compared with others' names. Throws `Problem` 400 when the name is taken, and the
 * database's error when it is taken concurrently.
 */
export async function rename(
  transaction: Handle,
  member: LockedProfile,
  username: string,
  nowMs: number,
): Promise<void> {
  const username_key = toUsernameKey(username);
  const username_skeleton = toUsernameSkeleton(username);
  const hasSameSkeleton = username_skeleton === member.username_skeleton;
  const name = { username_key, username_skeleton };
  const isTaken =
    !hasSameSkeleton &&
    ((await isNameOfAnother(transaction, name, member.id)) ||
      (await isNameReserved(transaction, username_skeleton, member.email_key, nowMs)) ||
      (await isFormerName(transaction, name, member.id, nowMs)));
  if (isTaken) throw nameTaken();
  await updateMemberRow(transaction, member.id, { username, ...name });
  if (username_key !== member.username_key) {
    await deleteFormerUsername(transaction, member.id, username_key);
    const { username_key: key, username_skeleton: skeleton } = member;
    const former = { username_key: key, username_skeleton: skeleton, user_id: member.id, since: nowMs };
    await saveFormerUsername(transaction, former);
    await deleteOldestUsernames(transaction, member.id);
  }
  await insertUnindexed(transaction, member.id);
}

export function nameTaken(): Problem {
  return new Problem(400, { username: 'このユーザー名はすでに使われています。' });
}
