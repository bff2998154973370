import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import { ACTIONS_PAGE_SIZE } from '../../../contract/operator.ts';
import type { StaffAction } from '../../../contract/operator.ts';
import type { Schema } from '../../platform/database/database.ts';

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
  let query = db
    .selectFrom('operator_actions as done')
    .leftJoin('users', 'users.id', 'done.staff_id')
    .select(['done.id', 'done.at', 'done.action', 'done.subject', 'done.note', 'users.username as staff']);
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
    .orderBy('done.at', 'desc')
    .orderBy('done.id', 'desc')
    .limit(ACTIONS_PAGE_SIZE + 1)
    .offset((page - 1) * ACTIONS_PAGE_SIZE)
    .execute();
  return { results: rows.slice(0, ACTIONS_PAGE_SIZE), has_more: rows.length > ACTIONS_PAGE_SIZE };
}
