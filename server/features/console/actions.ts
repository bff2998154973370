import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { ACTIONS_PAGE_SIZE } from '../../../contract/operator/operator.ts';
import type { StaffAction } from '../../../contract/operator/operator.ts';
import type { Schema } from '../../platform/database/database.ts';

const ACTIONS_ABOUT_MAX = 20;

export interface ActionFilter {
  /** Part of action, staff, subject or note; '' for all. */
  readonly search: string;
  /** From 1. */
  readonly page: number;
}

/** A page of the record of staff actions, newest first, and whether there are older ones. */
export async function searchActions(
  db: Kysely<Schema>,
  { search, page }: ActionFilter,
): Promise<{ readonly results: StaffAction[]; readonly has_more: boolean }> {
  let query = selectActions(db);
  if (search !== '') {
    const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where(({ or }) =>
      or(
        ['done.action', 'done.subject', 'done.note', 'users.username'].map(
          (column) => sql<boolean>`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`,
        ),
      ),
    );
  }
  const rows = await query
    .limit(ACTIONS_PAGE_SIZE + 1)
    .offset((page - 1) * ACTIONS_PAGE_SIZE)
    .execute();
  return { results: rows.slice(0, ACTIONS_PAGE_SIZE), has_more: rows.length > ACTIONS_PAGE_SIZE };
}

/** The newest actions on a member, and on what the member applied for. */
export async function listActionsAbout(db: Kysely<Schema>, memberId: string): Promise<StaffAction[]> {
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
export function listActionsOn(db: Kysely<Schema>, subjects: readonly string[]): Promise<StaffAction[]> {
  return selectActions(db).where('done.subject', 'in', subjects).limit(ACTIONS_ABOUT_MAX).execute();
}

/** Newest first. */
function selectActions(db: Kysely<Schema>) {
  return db
    .selectFrom('operator_actions as done')
    .leftJoin('users', 'users.id', 'done.staff_id')
    .select(['done.id', 'done.at', 'done.action', 'done.subject', 'done.note', 'users.username as staff'])
    .orderBy('done.at', 'desc')
    .orderBy('done.id', 'desc');
}
