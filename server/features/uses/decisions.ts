import { pageTags } from '../../../contract/site/page-tags.ts';
import type { StaffUseAction } from '../../../contract/operator/uses.ts';
import type { UseDecision } from '../../../contract/artists/uses.ts';
import { isId } from '../../platform/database/statements/random-id.ts';
import { Problem, notFound } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/http/context.ts';
import { announcePages } from '../artists/changes.ts';
import { recordAction, requireStaff } from '../staff/actions.ts';
import { toReason } from '../staff/reasons.ts';
import type { RecordedAction } from '../staff/actions.ts';
import { deleteUse, lockUses, setUseState } from './queries.ts';
import type { Handle } from '../../platform/database/handle.ts';

export type UseDecisionDeps = Pick<Platform, 'database' | 'clock' | 'catalogueChanged'>;
type LockedUse = Awaited<ReturnType<typeof lockUses>>[number];

/**
 * Confirms, hides or reports uses of an artist's sounds. Reported ones wait for the staff and stay as they are. Throws
 * `Problem` 404 if one is not the artist's, 409 if none can change.
 */
export async function decideUses(
  deps: UseDecisionDeps,
  artistId: string,
  ids: readonly string[],
  state: UseDecision,
): Promise<void> {
  if (!ids.every(isId)) throw notFound();
  const wanted = [...new Set(ids)];
  const changed = await deps.database.db.transaction().execute(async (transaction: Handle) => {
    const uses = await lockUses(transaction, wanted);
    if (uses.length < wanted.length || uses.some(({ artist_id }) => artist_id !== artistId)) throw notFound();
    const open = uses.filter((use) => use.state !== 'reported' && use.state !== state);
    if (open.length === 0) {
      throw new Problem(409, 'この使用報告の状態が変わりました。最新の状態を確かめてください。');
    }
    await setUseState(
      transaction,
      open.map(({ id }) => id),
      state,
      deps.clock.now(),
    );
    return open;
  });
  await announceUses(
    deps,
    changed.filter((use) => state === 'confirmed' || use.state === 'confirmed'),
  );
}

/**
 * Deletes a use, or leaves a reported one hidden, and records it with the sound. Throws `Problem` 400 for an invalid
 * reason, 403 for a caller who is not staff or is the sound's artist, 404, 409 for one to dismiss that is not reported.
 */
export async function decideUseAsStaff(
  deps: UseDecisionDeps,
  id: string,
  staffId: string,
  { action, reason }: { readonly action: StaffUseAction; readonly reason: string },
): Promise<void> {
  const note = toReason(reason);
  if (!isId(id)) throw notFound();
  const use = await deps.database.db.transaction().execute(async (transaction: Handle) => {
    await requireStaff(transaction, staffId);
    const [found] = await lockUses(transaction, [id]);
    if (found === undefined) throw notFound();
    if (found.artist_id === staffId) throw new Problem(403, 'ご自身のサウンドの使用報告は判断できません。');
    await settle(transaction, found, action, deps.clock.now());
    const step: RecordedAction = { staffId, action: `${action} use`, subject: found.sound_id, note };
    await recordAction(transaction, step, deps.clock.now());
    return found;
  });
  if (use.state === 'confirmed') await announceUses(deps, [use]);
}

async function settle(
  transaction: Handle,
  { id, state }: LockedUse,
  action: StaffUseAction,
  nowMs: number,
): Promise<void> {
  if (action === 'delete') return deleteUse(transaction, id);
  if (state !== 'reported') throw new Problem(409, 'この使用報告は、すでに判断されています。');
  await setUseState(transaction, [id], 'hidden', nowMs);
}

/** Updates the pages that show these uses, which are of one artist. */
async function announceUses(deps: UseDecisionDeps, uses: readonly LockedUse[]): Promise<void> {
  const [first] = uses;
  if (first === undefined) return;
  await announcePages(
    deps,
    first.artist_id,
    uses.map(({ sound_id }) => pageTags.sound(sound_id)),
  );
}
