import { sql } from 'kysely';
import { toCsv } from '../../../contract/csv.ts';
import { toDayStart } from '../../../contract/months.ts';
import { listActionNames, toActionText, toRecordTexts } from '../../../contract/operator/action-texts.ts';
import type { ActionKind } from '../../../contract/operator/action-texts.ts';
import {
  ACTIONS_EXPORTED_MAX,
  ACTIONS_PAGE_SIZE,
  exportActions,
  listActions,
} from '../../../contract/operator/actions.ts';
import type { StaffAction } from '../../../contract/operator/actions.ts';
import { toUsernameKey } from '../../../contract/usernames.ts';
import { route } from '../../platform/http/route.ts';
import type { Route } from '../../platform/http/route.ts';
import { findSubjects } from './action-subjects.ts';
import { READING } from '../staff/rules.ts';
import type { Db } from './tables.ts';

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
  route(listActions, READING, async ({ query: { page = 1, ...filter } }, { database }) => {
    const offset = (page - 1) * ACTIONS_PAGE_SIZE;
    return searchActions(database.db, filter, ACTIONS_PAGE_SIZE, offset);
  }),

  route(exportActions, READING, async ({ query }, { database }) => {
    const { results, has_more } = await searchActions(database.db, query, ACTIONS_EXPORTED_MAX);
    return { csv: toActionsCsv(results), has_more };
  }),
];

/** Actions on record, newest first, and whether there are older ones. */
async function searchActions(
  db: Db,
  { search = '', kind, staff = '', from, to }: ActionFilter,
  limit: number,
  offset = 0,
): Promise<{ readonly results: StaffAction[]; readonly has_more: boolean }> {
  let query = selectActions(db);
  if (search !== '') {
    const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
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
  if (from !== undefined) query = query.where('done.at', '>=', toDayStart(from));
  if (to !== undefined) query = query.where('done.at', '<', toDayStart(to + 1));
  const rows = await query
    .limit(limit + 1)
    .offset(offset)
    .execute();
  return { results: await withSubjects(db, rows.slice(0, limit)), has_more: rows.length > limit };
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
