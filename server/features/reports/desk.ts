import { sql } from 'kysely';
import { decideStaffReport, getStaffReport, listStaffReports } from '../../../contract/operator/reports.ts';
import type { ReportAction, ReportDetails, ReportLine } from '../../../contract/operator/reports.ts';
import { Problem } from '../../platform/http/problem.ts';
import { route } from '../../platform/http/route.ts';
import type { Platform } from '../../platform/http/context.ts';
import type { Route } from '../../platform/http/route.ts';
import { countOpenOfSound } from './queries.ts';
import { decideReport } from './decisions.ts';
import { DUE_STATES, getReport, listReports } from './staff-view.ts';
import type { DecisionDeps } from './decisions.ts';
import type { StaffReport } from './staff-view.ts';
import { toEarlierActorProblem } from '../staff/actions.ts';
import { findSoundForStaff } from '../takedowns/queries.ts';
import { DECIDING_RECENTLY, READING, READING_RECENTLY } from '../staff/rules.ts';
import type { WaitingQueue } from '../waiting-queues.ts';
import { own } from './tables.ts';

type ReportDeps = DecisionDeps & Pick<Platform, 'fileUrls'>;

/** Reports that the staff decides about, and those of which it lets the artist know. */
export const REPORT_QUEUE: WaitingQueue = {
  name: 'reports',
  table: 'reports',
  states: DUE_STATES,
  also: sql`state = 'waiting' and asking = 'held'`,
  since: 'created_at',
};

/** The list holds no data of reporters; the details do, and a decision can delete a sound. */
export const REPORT_ROUTES: readonly Route<ReportDeps>[] = [
  route(listStaffReports, READING, async ({ query: { list = 'open', cursor = null } }, deps) => {
    const { reports, nextCursor } = await listReports(deps, { state: list, cursor });
    return { results: reports.map(toLine), next: nextCursor };
  }),

  route(getStaffReport, READING_RECENTLY, ({ params: { id }, caller }, deps) =>
    openReport(deps, id, caller.id),
  ),

  route(decideStaffReport, DECIDING_RECENTLY, async ({ params: { id }, body, caller }, deps) => ({
    state: await decide(deps, id, caller.id, body),
  })),
];

/** A report with everything that a decision needs. Throws `Problem` 404. */
async function openReport(deps: ReportDeps, id: string, staffId: string): Promise<ReportDetails> {
  const { db } = deps.database;
  const report = await getReport(deps, id);
  const sound = await findSoundForStaff(db, report.sound_id);
  const open = await countOpenOfSound(db, report.sound_id);
  const isOwn = report.artist_id === staffId;
  // The report of a deleted sound can only be dismissed.
  const allowed = report.allowedActions.filter((action) => sound !== undefined || action === 'dismiss');
  return {
    ...toLine(report),
    audio:
      sound?.deleted_at === null
        ? {
            // Signed also for a public sound: it goes on playing when it is hidden.
            url: deps.fileUrls.audio({ ...sound, is_published: false }),
            is_public: sound.is_published === 1,
            is_hidden: sound.hidden_reason !== null,
            downloads: sound.download_count,
            favorites: sound.favorite_count,
          }
        : null,
    others: report.isOpen ? open - 1 : open,
    name: report.name,
    email: report.email,
    is_confirmed: report.is_confirmed === 1,
    shares_name: report.shares_name === 1,
    relation: report.relation,
    explanation: report.explanation,
    answer: report.answer,
    history: await readHistory(deps, report),
    is_own: isOwn,
    allowed: isOwn ? [] : allowed,
  };
}

/** What happened, with the staff accounts that decided. A decision and its record have the same time. */
async function readHistory(
  { database }: Pick<ReportDeps, 'database'>,
  { id, history }: Awaited<ReturnType<typeof getReport>>,
): Promise<ReportDetails['history']> {
  const records = await own(database.db)
    .selectFrom('operator_actions as done')
    .innerJoin('users', 'users.id', 'done.staff_id')
    .select(['done.at', 'done.action', 'users.username'])
    .where('done.subject', '=', id)
    .execute();
  return history.map(({ event, state, at, reason }) => {
    const record = records.find((done) => done.at === at && done.action === `${event} report`);
    return { event, state, at, reason, by: record?.username ?? null };
  });
}

const DONE: Readonly<Record<string, string>> = {
  ask: '投稿者に回答を求めました',
  hide: 'サウンドを非公開にしました',
  restore: 'サウンドの非公開を解除しました',
  delete: 'サウンドを削除しました',
  dismiss: '対応しないと決めました',
} satisfies Record<ReportAction, string>;

/** Throws `Problem` 400, 403, 404, and 409 that names who was first. */
async function decide(
  deps: ReportDeps,
  id: string,
  staffId: string,
  decision: { readonly action: ReportAction; readonly reason: string; readonly version: number },
): Promise<ReportLine['state']> {
  try {
    return (await decideReport(deps, id, staffId, decision)).report.state;
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 409) throw error;
    const last = (await readHistory(deps, await getReport(deps, id))).at(-1);
    const done = last && DONE[last.event];
    if (!done) throw error;
    throw toEarlierActorProblem(last.by, done);
  }
}

function toLine(report: StaffReport): ReportLine {
  return {
    id: report.id,
    version: report.version,
    created_at: report.created_at,
    updated_at: report.updated_at,
    state: report.state,
    asking: report.asking,
    is_overdue: report.isOverdue,
    due_at: report.due_at,
    reason: report.reason,
    sound: report.sound_id,
    sound_title: report.sound_title,
    artist: report.artist,
  };
}
