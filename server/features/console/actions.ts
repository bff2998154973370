import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { toCsv } from '../../../contract/values/csv.ts';
import { toDayStart } from '../../../contract/values/months.ts';
import { listActionNames, toActionText, toRecordTexts } from '../../../contract/operator/action-texts.ts';
import type { ActionKind } from '../../../contract/operator/action-texts.ts';
import {
  ACTIONS_PAGE_SIZE,
  ACTIONS_READ_MAX,
  exportActions,
  listActions,
} from '../../../contract/operator/actions.ts';
import type { StaffAction } from '../../../contract/operator/actions.ts';
import { toUsernameKey } from '../../../contract/accounts/usernames.ts';
import { parseCursor, toCursor } from '../../platform/http/cursors.ts';
import type { RowKey } from '../../platform/http/cursors.ts';
import { route } from '../../platform/http/route.ts';
import type { Route } from '../../platform/http/route.ts';
import { findSubjects } from './action-subjects.ts';
import { READING } from '../staff/rules.ts';
import type { Db } from './tables.ts';
import { escapePattern } from '../../platform/database/statements/patterns.ts';

const ACTIONS_ABOUT_MAX = 20;

const csvTimes = new Intl.DateTimeFormat('ja-JP', {
  dateStyle: 'long',
  timeStyle: 'medium',
  timeZone: 'Asia/Tokyo',
});

interface ActionFilter {
  readonly search?: string | undefined;
  readonly kind?: ActionKind | undefined;
  readonly staff?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export const ACTION_ROUTES: readonly Route[] = [
  route(listActions, READING, async ({ query: { cursor, ...filter } }, { database: { db } }) => {
    const start = cursor === undefined ? null : parseCursor(cursor);
    const { results, next, unreadAt } = await searchActions(db, filter, ACTIONS_PAGE_SIZE, start);
    return { results, next: next && toCursor(next), unread_at: unreadAt };
  }),

  route(exportActions, READING, async ({ query }, { database }) => {
    const { results, next } = await searchActions(database.db, query, ACTIONS_READ_MAX);
    return { csv: toActionsCsv(results), has_more: next !== null };
  }),
];

interface FoundActions {
  readonly results: StaffAction[];
  /** Where to read on; null after the oldest. */
  readonly next: RowKey | null;
  /** The time of `next` if the search ended there for its bound. */
  readonly unreadAt: number | null;
}

/** Actions on record from `start` on, newest first. No text has an index, so a search ends after `ACTIONS_READ_MAX` actions. */
async function searchActions(
  db: Db,
  filter: ActionFilter,
  limit: number,
  start: RowKey | null = null,
): Promise<FoundActions> {
  const { search = '', kind, staff = '', from, to } = filter;
  let query = selectActions(db);
  if (from !== undefined) query = query.where('done.at', '>=', toDayStart(from));
  if (to !== undefined) query = query.where('done.at', '<', toDayStart(to + 1));
  if (start !== null) query = query.where(compareKey('<=', start));
  const unread =
    search === '' && kind === undefined && staff === ''
      ? undefined
      : await query.limit(1).offset(ACTIONS_READ_MAX).executeTakeFirst();
  if (unread !== undefined) query = query.where(compareKey('>', toKey(unread)));
  if (search !== '') {
    const pattern = `%${escapePattern(search)}%`;
    const named = listActionNames({ text: search });
    query = query.where(({ eb, or }) =>
      or([
        ...['done.action', 'done.subject', 'done.note', 'users.username'].map(
          (column) => sql<boolean>`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`,
        ),
        ...(named.length > 0 ? [eb('done.action', 'in', named)] : []),
      ]),
    );
  }
  if (kind !== undefined) query = query.where('done.action', 'in', listActionNames({ kind }));
  if (staff !== '') query = query.where('users.username_key', '=', toUsernameKey(staff));
  const rows = await query.limit(limit + 1).execute();
  const next = rows[limit] ?? unread;
  return {
    results: await withSubjects(db, rows.slice(0, limit)),
    next: next === undefined ? null : toKey(next),
    unreadAt: next === unread ? (unread?.at ?? null) : null,
  };
}

function compareKey(operator: '<=' | '>', { time, id }: RowKey): RawBuilder<boolean> {
  return sql`(done.at, done.id) ${sql.raw(operator)} (${time}, ${id})`;
}

function toKey({ at, id }: { readonly at: number; readonly id: string }): RowKey {
  return { time: at, id };
}

/** The newest actions on a member, and on what the member applied for. */
export async function listActionsAbout(db: Db, memberId: string): Promise<StaffAction[]> {
  const subjects = [memberId];
  for (const table of ['quality_checks', 'personal_info_submissions', 'transfer_requests'] as const) {
    const order = table === 'transfer_requests' ? 'created_at' : 'submitted_at';
    const rows = await db
      .selectFrom(table)
      .select('id')
      .where('user_id', '=', memberId)
      .orderBy(sql.ref(order), 'desc')
      .limit(ACTIONS_ABOUT_MAX)
      .execute();
    subjects.push(...rows.map(({ id }) => id));
  }
  return listActionsOn(db, subjects);
}

/** The newest actions on some things, by their ids. */
export async function listActionsOn(db: Db, subjects: readonly string[]): Promise<StaffAction[]> {
  const rows = await selectActions(db)
    .where('done.subject', 'in', subjects)
    .limit(ACTIONS_ABOUT_MAX)
    .execute();
  return withSubjects(db, rows);
}

/** Newest first. */
function selectActions(db: Db) {
  return db
    .selectFrom('operator_actions as done')
    .leftJoin('users', 'users.id', 'done.staff_id')
    .select(['done.id', 'done.at', 'done.action', 'done.subject', 'done.note', 'users.username as staff'])
    .orderBy('done.at', 'desc')
    .orderBy('done.id', 'desc');
}

async function withSubjects(db: Db, actions: readonly Omit<StaffAction, 'about'>[]): Promise<StaffAction[]> {
  const subjects = await findSubjects(
    db,
    actions.map(({ subject }) => subject),
  );
  return actions.map((action) => ({ ...action, about: subjects.get(action.subject) ?? null }));
}

function toActionsCsv(actions: readonly StaffAction[]): string {
  return toCsv([
    ['日時', '担当', '操作', '対象', '対象のID', 'メモ', '記録上の操作'],
    ...actions.map((each) => {
      const { subject, note } = toRecordTexts(each);
      const name = each.about?.name ?? (subject === each.subject ? '' : subject);
      const { at, staff, action } = each;
      const done = toActionText(action) ?? action;
      return [csvTimes.format(at), staff ?? '自動', done, name, each.subject, note, action];
    }),
  ]);
}
