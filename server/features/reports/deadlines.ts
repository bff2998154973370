import type { ReportState } from '../../../contract/reports.ts';
import { REPORT_STATES } from '../../../contract/reports.ts';
import { recordAction } from '../staff/staff.ts';
import { applyEvent, isOpen } from './machine.ts';
import type { ReportEvent } from './machine.ts';
import { deleteClosed, lockReport, selectGoneIds, selectOverdueIds } from './queries.ts';
import { advanceReport } from './transition.ts';
import type { ReportDeps } from './transition.ts';

/** Reports that one run handles; the next run continues. */
const REPORTS_PER_RUN = 200;
const DELETE_BATCH_SIZE = 500;
/** A report that nobody confirmed may name someone who knows nothing about it. */
const LAPSED_KEPT_MS = 30 * 86_400_000;

/**
 * Applies what happened without a call: deadlines that have passed, and sounds that were deleted. A report without an
 * answer becomes overdue for the staff; no sound changes. Safe to run in several processes at once.
 */
export async function closeOverdueReports(deps: ReportDeps): Promise<void> {
  const { database, clock } = deps;
  const nowMs = clock.now();
  for (const id of await selectGoneIds(database.db, REPORTS_PER_RUN)) await applyToOne(deps, id, 'gone');
  for (const id of await selectOverdueIds(database.db, nowMs, REPORTS_PER_RUN)) {
    await applyToOne(deps, id, 'expire');
  }
  await deleteInBatches(deps, ['lapsed'], nowMs - LAPSED_KEPT_MS);
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
  return deleteInBatches(deps, closed, deps.clock.now() - olderThanMs);
}

async function deleteInBatches(
  { database }: Pick<ReportDeps, 'database'>,
  states: readonly ReportState[],
  beforeMs: number,
): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await deleteClosed(database.db, states, beforeMs, DELETE_BATCH_SIZE);
    total += deleted;
    if (deleted < DELETE_BATCH_SIZE) return total;
  }
}

async function applyToOne(deps: ReportDeps, id: string, event: ReportEvent): Promise<void> {
  const { database, clock } = deps;
  await database.db.transaction().execute(async (transaction) => {
    const report = await lockReport(transaction, id);
    const nowMs = clock.now();
    // Another process, the artist or the staff may have been first.
    if (report === undefined || applyEvent(report.state, event) === undefined) return;
    if (event === 'expire' && (report.due_at === null || report.due_at >= nowMs)) return;
    const { state } = await advanceReport(transaction, deps, report, event, { nowMs });
    await recordAction(transaction, { staffId: null, action: `report ${state}`, subject: id }, nowMs);
  });
}
