import { Problem, notFound } from '../../platform/http/http.ts';
import { applyEvent } from './machine.ts';
import { isReportId, lockReport, selectOwnReports } from './queries.ts';
import type { Report } from './queries.ts';
import { advanceReport } from './transition.ts';
import type { ReportDeps } from './transition.ts';

/** The confirmed reports of an artist's sounds, open ones first, then the newest. */
export function listOwnReports(
  { database }: Pick<ReportDeps, 'database'>,
  artistId: string,
): Promise<Report[]> {
  return selectOwnReports(database.db, artistId);
}

/**
 * Stores the artist's only answer to a report; the staff reads it. Throws `Problem` 404 for a report of another
 * artist's sound, 409 when it was answered or decided before.
 */
export async function answerReport(
  deps: ReportDeps,
  id: string,
  artistId: string,
  text: string,
): Promise<Report> {
  if (!isReportId(id)) throw notFound();
  return deps.database.db.transaction().execute(async (transaction) => {
    const report = await lockReport(transaction, id);
    if (report === undefined || report.artist_id !== artistId || report.is_confirmed !== 1) throw notFound();
    if (!canAnswer(report)) {
      throw new Problem(409, 'この報告には、すでに回答したか、運営者が判断を終えています。');
    }
    const details = { nowMs: deps.clock.now(), values: { answer: text } };
    return advanceReport(transaction, deps, report, 'answer', details);
  });
}

export function canAnswer({ state }: Pick<Report, 'state'>): boolean {
  return applyEvent(state, 'answer') !== undefined;
}
