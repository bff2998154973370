import type { Kysely } from 'kysely';
import { toUsernameKey, toUsernameSkeleton } from '../../../contract/usernames.ts';
import type { Database } from '../../database/open.ts';
import type { Schema } from '../../database/schema.ts';
import { Problem } from '../../http/problem.ts';
import { isNameHeld } from '../accounts/registration-queries.ts';
import {
  deleteFormerUsername,
  forgetOldestUsernames,
  isNameGivenUp,
  keepFormerUsername,
} from '../artists/former-usernames.ts';
import { indexSound } from '../sounds/service.ts';
import { updateProfileRow } from './queries.ts';
import type { LockedProfile } from './queries.ts';
import {
  deleteUnindexedRename,
  findUnindexedRename,
  isNameOfAnother,
  lockSoundsAfter,
  moveUnindexedRename,
  noteUnindexedRename,
  selectUnindexedRenames,
} from './rename-queries.ts';

/** Others come in between. */
const SOUNDS_AT_ONCE = 50;

/**
 * Gives a member another name, in the transaction that has locked them; `indexRenamed` follows it.
 * What is theirs already, another spelling of it too, is not looked for among others' names. Throws
 * `Problem` 400 when the name is taken, and the database's error when somebody takes it just now.
 */
export async function rename(
  transaction: Kysely<Schema>,
  member: LockedProfile,
  username: string,
  nowMs: number,
): Promise<void> {
  const username_key = toUsernameKey(username);
  const plain = toUsernameSkeleton(username);
  const looksTheSame = plain === toUsernameSkeleton(member.username);
  // Names from before no two could look alike have been told apart, see migration 0003.
  const username_skeleton = looksTheSame ? member.username_skeleton : plain;
  const name = { username_key, username_skeleton };
  const isTaken =
    !looksTheSame &&
    ((await isNameOfAnother(transaction, name, member.id)) ||
      (await isNameHeld(transaction, username_skeleton, member.email_key, nowMs)) ||
      (await isNameGivenUp(transaction, name, member.id, nowMs)));
  if (isTaken) throw nameTaken();
  await updateProfileRow(transaction, member.id, { username, ...name });
  if (username_key !== member.username_key) {
    await deleteFormerUsername(transaction, member.id, username_key);
    const { username_key: key, username_skeleton: skeleton } = member;
    const former = { username_key: key, username_skeleton: skeleton, user_id: member.id, since: nowMs };
    await keepFormerUsername(transaction, former);
    await forgetOldestUsernames(transaction, member.id);
  }
  await noteUnindexedRename(transaction, member.id);
}

export function nameTaken(): Problem {
  return new Problem(400, { username: 'このユーザー名はすでに使われています。' });
}

/**
 * Has all sounds of a renamed artist found by the new name; how many there were. What is done is noted
 * with it, so that whoever comes after an interruption goes on from there.
 */
export async function indexRenamed(database: Database, userId: string): Promise<number> {
  let indexed = 0;
  for (;;) {
    const batch = await database.db
      .transaction()
      .execute((transaction) => indexNext(database, transaction, userId));
    if (batch === undefined) return indexed;
    indexed += batch;
  }
}

/** Finishes what was interrupted when the process last ended. */
export async function finishRenames(database: Database): Promise<void> {
  for (const userId of await selectUnindexedRenames(database.db)) await indexRenamed(database, userId);
}

/** How many it did; undefined when nothing was left. Sounds are locked before the note that tells of them. */
async function indexNext(
  database: Database,
  transaction: Kysely<Schema>,
  userId: string,
): Promise<number | undefined> {
  const rename = await findUnindexedRename(transaction, userId);
  if (rename === undefined) return undefined;
  const seqs = await lockSoundsAfter(transaction, database.dialect, rename, SOUNDS_AT_ONCE);
  for (const seq of seqs) await indexSound(database, transaction, seq);
  const last = seqs.at(-1);
  if (last === undefined || seqs.length < SOUNDS_AT_ONCE) await deleteUnindexedRename(transaction, rename);
  else await moveUnindexedRename(transaction, rename, last);
  return seqs.length;
}
