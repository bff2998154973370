import { isId } from '../../platform/database/statements/random-id.ts';
import { Problem, notFound } from '../../platform/http/problem.ts';
import { applyEvent } from './machine.ts';
import { lockReport, selectOwnReports } from './queries.ts';
import type { Report } from './queries.ts';
import { queueListMails } from './notifications.ts';
import { advanceReport } from './transition.ts';
import type { ReportDeps } from './transition.ts';
import type { Handle } from '../../platform/database/handle.ts';

/** The reports of which an artist was notified, open ones first, then the newest. */
export function listOwnReports(
  { database }: Pick<ReportDeps, 'database'>,
  artistId: string,
): Promise<Report[]> {
  return selectOwnReports(database.db, artistId);
}

/**
 * Stores the artist's only answer to each of some reports; the staff reads it. Those that were answered or decided
 * before stay as they are. Returns all of them. Throws `Problem` 404 if the artist was not
 * notified of one, 409 when none can be answered.
 */
export async function answerReports(
  deps: ReportDeps,
  ids: readonly string[],
  artistId: string,
  text: string,
): Promise<Report[]> {
  if (!ids.every(isId)) throw notFound();
  return deps.database.db.transaction().execute(async (transaction: Handle) => {
    const nowMs = deps.clock.now();
    const reports = new Map<string, Report>();
    const answered: Report[] = [];
    for (const id of [...new Set(ids)].toSorted()) {
      const report = await lockReport(transaction, id);
      if (report === undefined || report.artist_id !== artistId || !isNotified(report)) throw notFound();
      const isOpen = canAnswer(report);
      const details = { nowMs, values: { answer: text } };
      const updated = isOpen ? await advanceReport(transaction, deps, report, 'answer', details) : report;
      if (isOpen) answered.push(updated);
      reports.set(id, updated);
    }
    if (answered.length === 0) {
      throw new Problem(409, 'この報告には、すでに回答したか、運営者が判断を終えています。');
    }
    await queueListMails(transaction, deps, 'answer', answered, nowMs);
    return [...reports.values()];
  });
}

/** Whether the artist was notified of the report. */
function isNotified({ is_confirmed, asking }: Report): boolean {
  return is_confirmed === 1 && asking === 'asked';
}

export function canAnswer({ state }: Pick<Report, 'state'>): boolean {
  return applyEvent(state, 'answer') !== undefined;
}
