import type { Insertable, Selectable, Updateable } from 'kysely';
import { OWN_REPORTS_MAX, REPORT_STATES } from '../../../contract/reports.ts';
import type { ReportState } from '../../../contract/reports.ts';
import { changesRows, exists } from '../../platform/database/statements/outcomes.ts';
import type { RowKey } from '../../platform/http/cursors.ts';
import type { ReportEventsTable, ReportsTable, Db } from './tables.ts';
import { isOpen, keepsHidden } from './machine.ts';

export type Report = Selectable<ReportsTable>;
export type HistoryRow = Selectable<ReportEventsTable>;

export const OPEN_STATES: readonly ReportState[] = REPORT_STATES.filter(isOpen);
/** As many as the staff sees beside a sound. */
const REPORTS_OF_SOUND_MAX = 20;
const KEEPING_HIDDEN: readonly ReportState[] = REPORT_STATES.filter(keepsHidden);

export async function insertReport(db: Db, report: Insertable<ReportsTable>): Promise<void> {
  await db.insertInto('reports').values(report).execute();
}

export function findReport(db: Db, id: string): Promise<Report | undefined> {
  return db.selectFrom('reports').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findReportBySecret(db: Db, secretHash: string): Promise<Report | undefined> {
  return db.selectFrom('reports').selectAll().where('secret_hash', '=', secretHash).executeTakeFirst();
}

/** Locked until the transaction ends. Lock order: sound, report. */
export function lockReport(db: Db, id: string): Promise<Report | undefined> {
  return db.selectFrom('reports').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
}

/** Stores the next version of a report; false if another event came first. */
export async function updateReport(
  db: Db,
  { id, version }: Pick<Report, 'id' | 'version'>,
  values: Updateable<ReportsTable>,
): Promise<boolean> {
  return changesRows(
    db.updateTable('reports').set(values).where('id', '=', id).where('version', '=', version),
  );
}

export async function insertEvent(db: Db, event: Insertable<ReportEventsTable>): Promise<void> {
  await db.insertInto('report_events').values(event).execute();
}

/** What happened to a report, oldest first. The state machine bounds their number, except hiding and restoring. */
export function selectHistory(db: Db, reportIds: readonly string[]): Promise<HistoryRow[]> {
  if (reportIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('report_events')
    .selectAll()
    .where('report_id', 'in', reportIds)
    .orderBy('report_id')
    .orderBy('version')
    .execute();
}

/** The newest confirmed open report of a sound with an e-mail address. */
export function findOpenBy(db: Db, soundId: string, emailKey: string) {
  return db
    .selectFrom('reports')
    .select(['id', 'created_at'])
    .where('sound_id', '=', soundId)
    .where('email_key', '=', emailKey)
    .where('is_confirmed', '=', 1)
    .where('state', 'in', OPEN_STATES)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function countOpenOfSound(db: Db, soundId: string): Promise<number> {
  const { count } = await db
    .selectFrom('reports')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('sound_id', '=', soundId)
    .where('state', 'in', OPEN_STATES)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The newest reports of a sound, without the reporters. */
export function selectReportsOf(db: Db, soundId: string) {
  return db
    .selectFrom('reports')
    .select(['id', 'created_at', 'state', 'reason'])
    .where('sound_id', '=', soundId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(REPORTS_OF_SOUND_MAX)
    .execute();
}

/** Other reports because of which the sound is hidden. */
export function selectOthersHiding(db: Db, { id, sound_id }: Pick<Report, 'id' | 'sound_id'>) {
  return db
    .selectFrom('reports')
    .select(['id', 'was_hidden'])
    .where('sound_id', '=', sound_id)
    .where('id', '!=', id)
    .where('state', 'in', KEEPING_HIDDEN)
    .execute();
}

/** Locks the reports of which an artist is notified next; in the order of ids, as others lock several reports. */
export function lockQueuedReports(db: Db, artistId: string): Promise<Report[]> {
  return db
    .selectFrom('reports')
    .selectAll()
    .where('artist_id', '=', artistId)
    .where('state', '=', 'waiting')
    .where('asking', '=', 'queued')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Whether an artist was mailed about new reports after a time. */
export async function wasNotifiedSince(db: Db, artistId: string, sinceMs: number): Promise<boolean> {
  return exists(
    db
      .selectFrom('reports')
      .select('id')
      .where('artist_id', '=', artistId)
      .where('asked_at', '>', sinceMs)
      .limit(1),
  );
}

/** Artists who have to be notified of reports. */
export async function selectArtistsToNotify(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('reports')
    .select('artist_id')
    .distinct()
    .where('asking', '=', 'queued')
    .where('state', '=', 'waiting')
    .where('artist_id', 'is not', null)
    .limit(limit)
    .execute();
  return rows.flatMap(({ artist_id }) => artist_id ?? []);
}

/** Whether the staff still has to decide on held reports of an artist. */
export async function hasHeldReports(db: Db, artistId: string | null): Promise<boolean> {
  return exists(
    db
      .selectFrom('reports')
      .select('id')
      .where('asking', '=', 'held')
      .where('state', '=', 'waiting')
      .where('artist_id', '=', artistId)
      .limit(1),
  );
}

/** Where to mail the artist of a report; undefined once the account is deleted. */
export async function findReportedArtist(db: Db, artistId: string | null) {
  if (artistId === null) return undefined;
  return db.selectFrom('users').select(['username', 'email']).where('id', '=', artistId).executeTakeFirst();
}

/** The confirmed reports of which an artist was notified, open ones first, then the newest. */
export function selectOwnReports(db: Db, artistId: string): Promise<Report[]> {
  return db
    .selectFrom('reports')
    .selectAll()
    .where('artist_id', '=', artistId)
    .where('is_confirmed', '=', 1)
    .where('asking', '=', 'asked')
    .orderBy((eb) => eb.case().when('state', 'in', OPEN_STATES).then(0).else(1).end())
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(OWN_REPORTS_MAX)
    .execute();
}

export interface ReportFilter {
  readonly states: readonly ReportState[];
  /** Only those that are held, or only others; undefined: all. */
  readonly isHeld?: boolean | undefined;
  readonly newestFirst: boolean;
  /** The last report of the page before; null for the first page. */
  readonly after: RowKey | null;
  readonly limit: number;
}

/** Reports for the staff by age. Reads `limit` entries of an index for each state, whatever their number. */
export async function selectReports(db: Db, { states, ...page }: ReportFilter) {
  const found = await Promise.all(states.map((state) => selectReportsIn(db, state, page)));
  const sign = page.newestFirst ? -1 : 1;
  return found
    .flat()
    .toSorted((a, b) => sign * (a.created_at - b.created_at || (a.id < b.id ? -1 : 1)))
    .slice(0, page.limit);
}

function selectReportsIn(
  db: Db,
  state: ReportState,
  { isHeld, newestFirst, after, limit }: Omit<ReportFilter, 'states'>,
) {
  const [beyond, direction] = newestFirst ? (['<', 'desc'] as const) : (['>', 'asc'] as const);
  return db
    .selectFrom('reports')
    .leftJoin('users', 'users.id', 'reports.artist_id')
    .selectAll('reports')
    .select('users.username as artist')
    .where('reports.state', '=', state)
    .$if(isHeld !== undefined, (query) => query.where('asking', isHeld ? '=' : '!=', 'held'))
    .$if(after !== null, (query) =>
      query.where((eb) =>
        eb.or([
          eb('reports.created_at', beyond, after?.time ?? 0),
          eb.and([
            eb('reports.created_at', '=', after?.time ?? 0),
            eb('reports.id', beyond, after?.id ?? ''),
          ]),
        ]),
      ),
    )
    .orderBy('reports.created_at', direction)
    .orderBy('reports.id', direction)
    .limit(limit)
    .execute();
}

/** Reports whose deadline has passed, the longest ago first. */
export function selectOverdue(db: Db, nowMs: number, limit: number) {
  return db
    .selectFrom('reports')
    .select(['id', 'artist_id'])
    .where('due_at', '<', nowMs)
    .orderBy('due_at')
    .limit(limit)
    .execute();
}

/** Open reports of sounds that no longer exist. */
export async function selectGoneIds(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('reports')
    .select('reports.id')
    .where('reports.state', 'in', OPEN_STATES)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('sounds').select('seq').whereRef('sounds.id', '=', 'reports.sound_id'))),
    )
    .orderBy('reports.created_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
