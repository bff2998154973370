import { DAY_MS } from '../../../contract/values/time-units.ts';
import type { ReportState } from '../../../contract/reports.ts';
import { REPORT_STATES } from '../../../contract/reports.ts';
import { deleteOlder } from '../../platform/database/statements/delete-older.ts';
import { recordAction } from '../staff/actions.ts';
import type { RecordedAction } from '../staff/actions.ts';
import { applyEvent, isOpen } from './machine.ts';
import type { ReportEvent } from './machine.ts';
import { lockReport, selectGoneIds, selectOverdue, selectArtistsToNotify } from './queries.ts';
import type { Report } from './queries.ts';
import { queueListMails, notifyArtist } from './notifications.ts';
import { advanceReport } from './transition.ts';
import type { ReportDeps } from './transition.ts';
import type { Handle } from '../../platform/database/handle.ts';

/** Reports that one run handles; the next run continues. */
const REPORTS_PER_RUN = 200;
/** A report that nobody confirmed may name someone who knows nothing about it. */
const LAPSED_RETENTION_MS = 30 * DAY_MS;

/**
 * Applies what happened without a call: deadlines that have passed, and sounds that were deleted; artists are notified
 * of queued reports. A report without an answer becomes overdue for the staff; no sound changes. Safe to run in several
 * processes at once.
 */
export async function closeOverdueReports(deps: ReportDeps): Promise<void> {
  const { database, clock } = deps;
  const nowMs = clock.now();
  for (const id of await selectGoneIds(database.db, REPORTS_PER_RUN)) await applyTo(deps, [id], 'gone');
  const overdue = await selectOverdue(database.db, nowMs, REPORTS_PER_RUN);
  for (const ofArtist of Map.groupBy(overdue, ({ artist_id }) => artist_id).values()) {
    await applyTo(deps, ofArtist.map(({ id }) => id).toSorted(), 'expire');
  }
  for (const artistId of await selectArtistsToNotify(database.db, REPORTS_PER_RUN)) {
    await database.db.transaction().execute(async (transaction: Handle) => {
      await database.takeLock(transaction, 'reports');
      await notifyArtist(transaction, deps, artistId, clock.now());
    });
  }
  await deleteUnchanged(deps, ['lapsed'], nowMs - LAPSED_RETENTION_MS);
}

/**
 * Deletes closed reports, with all that their reporters and artists wrote, whose last change is more than `olderThanMs`
 * milliseconds ago. Returns their number. What the staff did to the sound stays, and so do its records.
 */
export async function deleteOldReports(
  deps: Pick<ReportDeps, 'database' | 'clock'>,
  olderThanMs: number,
): Promise<number> {
  const closed = REPORT_STATES.filter((state) => !isOpen(state));
  return deleteUnchanged(deps, closed, deps.clock.now() - olderThanMs);
}

/** Deletes reports in one of these states that last changed before a time, with their history. Returns their number. */
function deleteUnchanged(
  { database }: Pick<ReportDeps, 'database'>,
  states: readonly ReportState[],
  beforeMs: number,
): Promise<number> {
  return deleteOlder(database.db, {
    table: 'reports',
    when: ['updated_at', '<', beforeMs],
    also: (where) => where('state', 'in', states),
  });
}

/** Applies an event to reports of one artist, who gets one mail about it. Several processes lock them in one order. */
async function applyTo(
  deps: ReportDeps,
  ids: readonly string[],
  event: Extract<ReportEvent, 'expire' | 'gone'>,
): Promise<void> {
  const { database, clock } = deps;
  await database.db.transaction().execute(async (transaction: Handle) => {
    const nowMs = clock.now();
    const unanswered: Report[] = [];
    for (const id of ids) {
      const report = await lockReport(transaction, id);
      // Another process, the artist or the staff may have been first.
      if (report === undefined || applyEvent(report.state, event) === undefined) continue;
      if (event === 'expire' && (report.due_at === null || report.due_at >= nowMs)) continue;
      const updated = await advanceReport(transaction, deps, report, event, { nowMs });
      const step: RecordedAction = { staffId: null, action: `report ${updated.state}`, subject: id };
      await recordAction(transaction, step, nowMs);
      if (event === 'expire' && updated.state !== 'lapsed') unanswered.push(updated);
    }
    await queueListMails(transaction, deps, 'expire', unanswered, nowMs);
  });
}
