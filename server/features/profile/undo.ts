import { PROFILE_LABELS, REVIEWED_FIELDS } from '../../../contract/accounts/profile-fields.ts';
import type { ProfileField } from '../../../contract/accounts/profile-fields.ts';
import { isUniqueViolation } from '../../platform/database/drivers/unique-violation.ts';
import type { Handle } from '../../platform/database/handle.ts';
import { Problem } from '../../platform/http/problem.ts';
import { findAccountByEmail, updateMemberRow } from '../accounts/queries.ts';
import { readUndo } from '../accounts/undo-links.ts';
import type { PreviousValues } from '../accounts/undo-links.ts';
import { toEmailKey } from '../accounts/users.ts';
import { announceArtist } from '../artists/changes.ts';
import { announceAccount } from '../catalogue/search/reindexing.ts';
import { toPayoutHold } from '../ledger/payout-hold.ts';
import type { AfterCommit, Undoable } from '../undo/undoable.ts';
import { PUBLIC_NAMES } from './guarded-fields.ts';
import { lockProfile } from './queries.ts';
import { rename } from './renames.ts';

/**
 * The guarded fields. Payouts are held again if payee details change. Public fields of a blocked member do not change.
 * Throws `Problem` 409 when the former address has another account by now.
 */
export const PROFILE_UNDO: Undoable = {
  stage: 'profile',
  async find(db, { user_id, created_at }) {
    return { changes: toLabels(await readUndo(db, user_id, created_at)) };
  },
  async undo(transaction, { link, nowMs }) {
    const member = await lockProfile(transaction, link.user_id);
    if (member === undefined) return undefined;
    const all = await readUndo(transaction, member.id, link.created_at);
    const { username, ...values } = member.is_blocked === 1 ? withoutPublic(all) : all;
    await restore(transaction, member.id, values, nowMs).catch(orAddressTaken);
    // If another member has the name by now, everything else is restored.
    const isRenamed =
      username !== undefined &&
      username !== member.username &&
      (await rename(transaction, member, username, nowMs).then(
        () => true,
        (error: unknown) => (error instanceof Problem ? false : orAddressTaken(error)),
      ));
    const usernames = isRenamed ? [member.username, username] : [member.username];
    const announce: AfterCommit = (deps) => announceArtist(deps, usernames, { isFaceChanged: isRenamed });
    return {
      changes: toLabels({ ...(isRenamed && { username }), ...values }),
      afterCommit: isRenamed ? [announce, announceAccount] : [announce],
    };
  },
};

async function restore(db: Handle, userId: string, values: PreviousValues, nowMs: number): Promise<void> {
  if (Object.keys(values).length === 0) return;
  const { email } = values;
  const owner = email === undefined ? undefined : await findAccountByEmail(db, toEmailKey(email));
  if (owner !== undefined && owner.id !== userId) throw addressTaken();
  const isHeld = REVIEWED_FIELDS.some((field) => field in values);
  await updateMemberRow(db, userId, {
    ...values,
    ...(email !== undefined && { email_key: toEmailKey(email) }),
    ...(isHeld && { payout_held_until: toPayoutHold(nowMs) }),
  });
}

function withoutPublic(values: PreviousValues): PreviousValues {
  const names: readonly string[] = PUBLIC_NAMES;
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)));
}

function toLabels(values: PreviousValues): string[] {
  return (Object.keys(values) as ProfileField[]).map((field) => PROFILE_LABELS[field]);
}

function orAddressTaken(error: unknown): never {
  throw isUniqueViolation(error) ? addressTaken() : error;
}

function addressTaken(): Problem {
  return new Problem(
    409,
    '変更前のメールアドレスは、ほかのアカウントで使われています。お手数ですが、お問い合わせください。',
  );
}
