import { isId } from '../../platform/database/statements/random-id.ts';
import type { ReportList } from '../../../contract/operator/reports.ts';
import { REPORT_STATES } from '../../../contract/reports.ts';
import type { ReportState } from '../../../contract/reports.ts';
import { parseCursor, toCursor } from '../../platform/http/cursors.ts';
import type { Platform } from '../../platform/http/context.ts';
import { isOpen, listActions } from './machine.ts';
import type { StaffAction } from './machine.ts';
import { findReport, findReportedArtist, selectHistory, selectReports } from './queries.ts';
import type { HistoryRow, Report, ReportFilter } from './queries.ts';
import { requireReport } from './transition.ts';

type ViewDeps = Pick<Platform, 'database' | 'clock'>;

export const REPORTS_PER_PAGE = 100;

/** A report as the staff sees it. */
export type StaffReport = Omit<Report, 'secret_hash' | 'network' | 'source' | 'email_key'> & {
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

type Group = Pick<ReportFilter, 'states' | 'isHeld'>;

/** Groups by urgency; those of a list follow each other. */
const OVERDUE: Group = { states: ['unanswered', 'unanswered-hidden'] };
const ANSWERED: Group = { states: ['answered', 'answered-hidden'] };
const HELD: Group = { states: ['waiting'], isHeld: true };
const ASKED: Group = { states: ['waiting', 'waiting-hidden'], isHeld: false };
const UNCONFIRMED: Group = { states: ['unconfirmed'] };
const LISTS: Readonly<Record<ReportList, readonly Group[]>> = {
  open: [OVERDUE, ANSWERED, HELD, ASKED, UNCONFIRMED],
  due: [OVERDUE, ANSWERED],
  held: [HELD],
  asked: [ASKED],
  unconfirmed: [UNCONFIRMED],
  closed: [{ states: REPORT_STATES.filter((state) => !isOpen(state)) }],
};

/** Whether a decision is due: the artist has answered, or has not in time. */
export const DUE_STATES: readonly ReportState[] = LISTS.due.flatMap(({ states }) => states);

/**
 * A page of the reports of a list or of one state. Those whose deadline has passed come first, then those with an
 * answer, then held ones, then those that wait for an answer; the oldest first within each, but of closed ones the newest. Throws `Problem`
 * 400 for a cursor that is not from `nextCursor`.
 */
export async function listReports(
  { database, clock }: ViewDeps,
  {
    state = 'open',
    cursor = null,
  }: { readonly state?: ReportState | ReportList; readonly cursor?: string | null },
): Promise<ReportPage> {
  const groups: readonly Group[] = Object.hasOwn(LISTS, state)
    ? LISTS[state as ReportList]
    : [{ states: [state as ReportState] }];
  const newestFirst = !groups.some(({ states }) => states.some(isOpen));
  const begin = cursor === null ? { group: 0, after: null } : parseGroupCursor(cursor);
  const rows: { readonly group: number; readonly row: Report & Pick<StaffReport, 'artist'> }[] = [];
  for (let { group, after } = begin; group < groups.length; group += 1, after = null) {
    const limit = REPORTS_PER_PAGE + 1 - rows.length;
    if (limit === 0) break;
    const more = await selectReports(database.db, {
      ...(groups[group] ?? { states: [] }),
      newestFirst,
      after,
      limit,
    });
    for (const row of more) rows.push({ group, row });
  }
  const page = rows.slice(0, REPORTS_PER_PAGE);
  const last = page.at(-1);
  const hasMore = rows.length > page.length && last !== undefined;
  return {
    reports: page.map(({ row }) => toStaffReport(row, row.artist, clock.now())),
    nextCursor: hasMore ? `${last.group}-${toCursor({ time: last.row.created_at, id: last.row.id })}` : null,
  };
}

/** One report with its history. Throws `Problem` 404. */
export async function getReport({ database, clock }: ViewDeps, id: string): Promise<ReportDetails> {
  const { db } = database;
  const report = requireReport(isId(id) ? await findReport(db, id) : undefined);
  const artist = await findReportedArtist(db, report.artist_id);
  const history = await selectHistory(db, [id]);
  return {
    ...toStaffReport(report, artist?.username ?? null, clock.now()),
    history: history.map(({ report_id: _id, ...event }) => event),
  };
}

function toStaffReport(
  { secret_hash: _hash, network: _network, source: _source, email_key: _key, ...report }: Report,
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
    allowedActions: listActions(state, report.asking),
  };
}

function parseGroupCursor(cursor: string) {
  const [, group, rest = ''] = /^(\d)-(.*)$/.exec(cursor) ?? [];
  return { group: Number(group), after: parseCursor(rest) };
}
