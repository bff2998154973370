import { isId } from '../../platform/database/statements/random-id.ts';
import { Problem } from '../../platform/http/problem.ts';
import { recordAction, requireStaff } from '../staff/actions.ts';
import { toReason } from '../staff/reasons.ts';
import type { RecordedAction } from '../staff/actions.ts';
import { deleteSoundAsStaff, markHidden, markUnhidden, moderateSound } from '../takedowns/sounds.ts';
import { findSoundForStaff } from '../takedowns/queries.ts';
import type { ModeratedSound } from '../takedowns/queries.ts';
import type { TakedownDeps } from '../takedowns/sounds.ts';
import type { SoundVisibility } from './decision-mails.ts';
import { applyEvent, listActions } from './machine.ts';
import type { SoundEffect, StaffAction } from './machine.ts';
import { findReport, lockReport, selectOthersHiding } from './queries.ts';
import type { Report } from './queries.ts';
import { notifyArtist, toNotifiedValues } from './notifications.ts';
import { advanceReport, conflict, requireReport } from './transition.ts';
import type { EventDetails, ReportDeps } from './transition.ts';
import type { Handle } from '../../platform/database/handle.ts';

export type DecisionDeps = ReportDeps & TakedownDeps;

export interface ReportDecision {
  readonly action: StaffAction;
  /** For the mails to both sides. */
  readonly reason: string;
  /** The version that the staff saw; undefined: the current one. */
  readonly version?: number | undefined;
}

export interface DecidedReport {
  readonly report: Report;
  readonly sound: SoundVisibility;
}

/**
 * Decides on a report and, in the same transaction, on its sound; records both and mails both sides. Throws `Problem`
 * 400 for an invalid reason, 403 for a caller who is not staff or is the sound's artist, 404, and 409 when the report
 * does not allow the action, has changed since `version`, or its sound no longer exists.
 */
export async function decideReport(
  deps: DecisionDeps,
  id: string,
  staffId: string,
  { action, reason, version }: ReportDecision,
): Promise<DecidedReport> {
  const { db } = deps.database;
  const line = toReason(reason);
  await requireStaff(db, staffId);
  const seen = requireReport(isId(id) ? await findReport(db, id) : undefined);
  if (seen.artist_id === staffId) throw new Problem(403, 'ご自身のサウンドについての報告は判断できません。');
  if (version !== undefined && version !== seen.version) throw conflict();
  const effect = applyEvent(seen.state, action)?.effect;
  if (effect === undefined || !listActions(seen.state, seen.asking).includes(action)) throw conflict();

  let decided: DecidedReport | undefined;
  /** Runs in the transaction that changes the sound; only the report that was seen is decided. */
  const settle = async (
    transaction: Handle,
    sound: SoundVisibility,
    values: EventDetails['values'] = {},
  ): Promise<void> => {
    const nowMs = deps.clock.now();
    const locked = requireReport(await lockReport(transaction, id));
    if (locked.version !== seen.version) throw conflict();
    const step: RecordedAction = { staffId, action: `${action} report`, subject: id, note: line };
    await recordAction(transaction, step, nowMs);
    const details = {
      nowMs,
      reason: line,
      sound,
      values: { ...toNotificationValues(locked, action, nowMs), ...values },
    };
    decided = { report: await advanceReport(transaction, deps, locked, action, details), sound };
  };

  await applyEffect(deps, seen, staffId, line, await toPossible(deps, seen, action, effect), settle);
  if (decided === undefined) throw new Error('the decision was not settled');
  if (action === 'ask') await notifyNow(deps, decided.report);
  return decided;
}

/** The state of the notification afterwards. The mail that a sound was hidden or deleted notifies the artist, too. */
function toNotificationValues({ is_confirmed, asking }: Report, action: StaffAction, nowMs: number) {
  if (action === 'ask') return { asking: 'queued' } as const;
  const isNews = is_confirmed === 1 && asking !== 'asked';
  if (action === 'hide' && isNews) return toNotifiedValues(nowMs);
  return action === 'delete' && isNews ? { asking: 'asked' as const } : {};
}

/** Notifies unless the artist was mailed within a day. If the process ends before, the scheduled job does it. */
async function notifyNow(deps: DecisionDeps, { artist_id }: Report): Promise<void> {
  const { database, clock } = deps;
  if (artist_id === null) return;
  await database.db.transaction().execute(async (transaction: Handle) => {
    await database.takeLock(transaction, 'reports');
    await notifyArtist(transaction, deps, artist_id, clock.now());
  });
}

type Settle = (transaction: Handle, sound: SoundVisibility, values?: EventDetails['values']) => Promise<void>;

/** A report of a deleted sound can only be dismissed. */
async function toPossible(
  { database }: DecisionDeps,
  { sound_id }: Report,
  action: StaffAction,
  effect: SoundEffect,
): Promise<SoundEffect> {
  if ((await findSoundForStaff(database.db, sound_id)) !== undefined) return effect;
  if (action === 'dismiss') return 'none';
  throw new Problem(409, 'サウンドは、すでに削除されています。');
}

async function applyEffect(
  deps: DecisionDeps,
  seen: Report,
  staffId: string,
  reason: string,
  effect: SoundEffect,
  settle: Settle,
): Promise<void> {
  const { sound_id: soundId } = seen;
  if (effect === 'delete') {
    const settleDeleted = (transaction: Handle) => settle(transaction, 'unchanged');
    await deleteSoundAsStaff(deps, soundId, staffId, reason, settleDeleted);
  } else if (effect === 'hide') {
    await moderateSound(deps, soundId, staffId, async (transaction, sound) => {
      const isHidden = sound.hidden_reason !== null;
      const others = isHidden ? await selectOthersHiding(transaction, seen) : [];
      // Hidden by the staff before any report: no report may show it again.
      const was_hidden = isHidden && !others.some((other) => other.was_hidden === 0) ? 1 : 0;
      await settle(transaction, 'unchanged', { was_hidden });
      return markHidden(transaction, sound, { staffId, reason }, deps.clock.now());
    });
  } else if (effect === 'show') {
    await moderateSound(deps, soundId, staffId, async (transaction, sound) => {
      const { visibility, isChanged } = await showSound(transaction, deps, seen, staffId, sound);
      await settle(transaction, visibility);
      return isChanged;
    });
  } else {
    await deps.database.db.transaction().execute(async (transaction: Handle) => {
      await requireStaff(transaction, staffId);
      await settle(transaction, 'unchanged');
    });
  }
}

/** Shows the sound again, unless another report or an earlier decision keeps it hidden. */
async function showSound(
  transaction: Handle,
  { clock }: DecisionDeps,
  seen: Report,
  staffId: string,
  sound: ModeratedSound,
): Promise<{ readonly visibility: SoundVisibility; readonly isChanged: boolean }> {
  const others = await selectOthersHiding(transaction, seen);
  if (sound.hidden_reason !== null && (seen.was_hidden === 1 || others.length > 0)) {
    return { visibility: 'other-reason', isChanged: false };
  }
  const unhidden = await markUnhidden(transaction, sound, staffId, clock.now());
  const isPublic = unhidden?.isPublished ?? sound.is_published === 1;
  return { visibility: isPublic ? 'public' : 'private', isChanged: unhidden !== undefined };
}
