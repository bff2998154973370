import type { ReportState } from '../../../contract/reports.ts';
import { Problem } from '../../platform/http/http.ts';
import type { Platform } from '../../platform/http/http.ts';
import { isOpen, listActions } from './machine.ts';
import type { StaffAction } from './machine.ts';
import {
  OPEN_STATES,
  findReport,
  findReportedArtist,
  isReportId,
  selectHistory,
  selectReports,
} from './queries.ts';
import type { HistoryRow, Report } from './queries.ts';
import { requireReport } from './transition.ts';

type ViewDeps = Pick<Platform, 'database' | 'clock'>;

/** A number that one person can read in a terminal. */
export const REPORTS_PER_PAGE = 50;

/** A report as the staff sees it. */
export type StaffReport = Omit<Report, 'secret_hash' | 'network' | 'email_key'> & {
  /** The username; null once the account is deleted. */
  readonly artist: string | null;
  /** The artist's deadline has passed: a decision is due. */
  readonly isOverdue: boolean;
  /** What the staff can do now. `decideReport` refuses everything else. */
  readonly allowedActions: readonly StaffAction[];
};

export interface ReportDetails extends StaffReport {
  /** Everything that happened, oldest first. */
  readonly history: readonly Omit<HistoryRow, 'report_id'>[];
}

export interface ReportPage {
  readonly reports: readonly StaffReport[];
  /** For the next page; null on the last one. */
  readonly nextCursor: string | null;
}

/**
 * A page of reports, oldest first: the open ones, which wait for someone, or those of one state. Throws `Problem` 400
 * for a cursor that is not from `nextCursor`.
 */
export async function listReports(
  { database, clock }: ViewDeps,
  {
    state = 'open',
    cursor = null,
  }: { readonly state?: ReportState | 'open'; readonly cursor?: string | null },
): Promise<ReportPage> {
  const states = state === 'open' ? OPEN_STATES : [state];
  const after = cursor === null ? null : parseCursor(cursor);
  const rows = await selectReports(database.db, { states, after, limit: REPORTS_PER_PAGE + 1 });
  const page = rows.slice(0, REPORTS_PER_PAGE);
  const last = page.at(-1);
  const hasMore = rows.length > page.length && last !== undefined;
  return {
    reports: page.map((row) => toStaffReport(row, row.artist, clock.now())),
    nextCursor: hasMore ? `${last.created_at}-${last.id}` : null,
  };
}

/** One report with its history. Throws `Problem` 404. */
export async function getReport({ database, clock }: ViewDeps, id: string): Promise<ReportDetails> {
  const { db } = database;
  const report = requireReport(isReportId(id) ? await findReport(db, id) : undefined);
  const artist = await findReportedArtist(db, report.artist_id);
  const history = await selectHistory(db, [id]);
  return {
    ...toStaffReport(report, artist?.username ?? null, clock.now()),
    history: history.map(({ report_id: _id, ...event }) => event),
  };
}

function toStaffReport(
  { secret_hash: _hash, network: _network, email_key: _key, ...report }: Report,
  artist: string | null,
  nowMs: number,
): StaffReport {
  const { state, due_at } = report;
  const isLate = state.startsWith('waiting') && due_at !== null && due_at < nowMs;
  return {
    ...report,
    artist,
    isOverdue: isOpen(state) && (isLate || state.startsWith('unanswered')),
    allowedActions: listActions(state),
  };
}

function parseCursor(cursor: string): { readonly createdAt: number; readonly id: string } {
  const [, time = '', id = ''] = /^(\d{1,15})-([0-9A-Za-z]{1,40})$/.exec(cursor) ?? [];
  if (id === '') throw new Problem(400, 'ページの指定が正しくありません。');
  return { createdAt: Number(time), id };
}
