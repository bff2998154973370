import type { ReportList } from '../../../contract/operator-reports.ts';
import { REPORT_STATES } from '../../../contract/reports.ts';
import type { ReportState } from '../../../contract/reports.ts';
import { Problem } from '../../platform/http/http.ts';
import type { Platform } from '../../platform/http/http.ts';
import { isOpen, listActions } from './machine.ts';
import type { StaffAction } from './machine.ts';
import { findReport, findReportedArtist, isReportId, selectHistory, selectReports } from './queries.ts';
import type { HistoryRow, Report } from './queries.ts';
import { requireReport } from './transition.ts';

type ViewDeps = Pick<Platform, 'database' | 'clock'>;

export const REPORTS_PER_PAGE = 100;

/** A report as the staff sees it. */
export type StaffReport = Omit<Report, 'secret_hash' | 'network' | 'email_key'> & {
  /** The username; null once the account is deleted. */
  readonly artist: string | null;
  /** Not decided. */
  readonly isOpen: boolean;
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

/** States by urgency. The groups of a list follow each other. */
const OVERDUE: readonly ReportState[] = ['unanswered', 'unanswered-hidden'];
const ANSWERED: readonly ReportState[] = ['answered', 'answered-hidden'];
const ASKED: readonly ReportState[] = ['waiting', 'waiting-hidden'];
const LISTS: Readonly<Record<ReportList, readonly (readonly ReportState[])[]>> = {
  open: [OVERDUE, ANSWERED, ASKED, ['unconfirmed']],
  due: [OVERDUE, ANSWERED],
  asked: [ASKED],
  unconfirmed: [['unconfirmed']],
  closed: [REPORT_STATES.filter((state) => !isOpen(state))],
};

/** Whether a decision is due: the artist has answered, or has not in time. */
export const DUE_STATES: readonly ReportState[] = LISTS.due.flat();

/**
 * A page of the reports of a list or of one state. Those whose deadline has passed come first, then those with an
 * answer, then those that wait for one; the oldest first within each, but of closed ones the newest. Throws `Problem`
 * 400 for a cursor that is not from `nextCursor`.
 */
export async function listReports(
  { database, clock }: ViewDeps,
  {
    state = 'open',
    cursor = null,
  }: { readonly state?: ReportState | ReportList; readonly cursor?: string | null },
): Promise<ReportPage> {
  const groups = Object.hasOwn(LISTS, state) ? LISTS[state as ReportList] : [[state as ReportState]];
  const newestFirst = !groups.flat().some(isOpen);
  const begin = cursor === null ? { group: 0, after: null } : parseCursor(cursor);
  const rows: { readonly group: number; readonly row: Report & Pick<StaffReport, 'artist'> }[] = [];
  for (let { group, after } = begin; group < groups.length; group += 1, after = null) {
    const limit = REPORTS_PER_PAGE + 1 - rows.length;
    if (limit === 0) break;
    const states = groups[group] ?? [];
    const more = await selectReports(database.db, { states, newestFirst, after, limit });
    for (const row of more) rows.push({ group, row });
  }
  const page = rows.slice(0, REPORTS_PER_PAGE);
  const last = page.at(-1);
  const hasMore = rows.length > page.length && last !== undefined;
  return {
    reports: page.map(({ row }) => toStaffReport(row, row.artist, clock.now())),
    nextCursor: hasMore ? `${last.group}-${last.row.created_at}-${last.row.id}` : null,
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
    isOpen: isOpen(state),
    isOverdue: isOpen(state) && (isLate || state.startsWith('unanswered')),
    allowedActions: listActions(state),
  };
}

function parseCursor(cursor: string) {
  const [, group, time, id = ''] = /^(\d)-(\d{1,15})-([0-9A-Za-z]{1,40})$/.exec(cursor) ?? [];
  if (id === '') throw new Problem(400, 'ページの指定が正しくありません。');
  return { group: Number(group), after: { createdAt: Number(time), id } };
}
