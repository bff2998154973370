import { sql } from 'kysely';
import type { StaffAction } from '../../../contract/operator/actions.ts';
import { isId } from '../../platform/database/statements/random-id.ts';
import type { Db } from './tables.ts';

type About = NonNullable<StaffAction['about']>;

/** Subjects in one query. */
const BATCH = 500;

/** What has a page in the console, by the subjects of actions: ids are unique among all tables. */
export async function findSubjects(db: Db, subjects: readonly string[]): Promise<ReadonlyMap<string, About>> {
  const ids = [...new Set(subjects)].filter(isId);
  const found = new Map<string, About>();
  for (let start = 0; start < ids.length; start += BATCH) {
    for (const { subject, ...about } of await selectSubjects(db, ids.slice(start, start + BATCH)))
      found.set(subject, about);
  }
  return found;
}

/** Each part is a look-up by primary key or unique id. */
function selectSubjects(db: Db, ids: readonly string[]) {
  const members = db
    .selectFrom('users')
    .where('users.deleted_at', 'is', null)
    .select([sql<About['kind']>`'member'`.as('kind'), 'users.id', 'users.username as name']);
  return members
    .select('users.id as subject')
    .where('users.id', 'in', ids)
    .unionAll(
      db
        .selectFrom('sounds')
        .select([sql<About['kind']>`'sound'`.as('kind'), 'id', 'title as name', 'id as subject'])
        .where('id', 'in', ids),
    )
    .unionAll(
      db
        .selectFrom('reports')
        .select([sql<About['kind']>`'report'`.as('kind'), 'id', 'sound_title as name', 'id as subject'])
        .where('id', 'in', ids),
    )
    .unionAll(
      members
        .innerJoin('quality_checks as done', 'done.user_id', 'users.id')
        .select('done.id as subject')
        .where('done.id', 'in', ids),
    )
    .unionAll(
      members
        .innerJoin('personal_info_submissions as done', 'done.user_id', 'users.id')
        .select('done.id as subject')
        .where('done.id', 'in', ids),
    )
    .unionAll(
      members
        .innerJoin('transfer_requests as done', 'done.user_id', 'users.id')
        .select('done.id as subject')
        .where('done.id', 'in', ids),
    )
    .unionAll(
      members
        .innerJoin('download_credits as done', 'done.artist_id', 'users.id')
        .select('done.id as subject')
        .where('done.id', 'in', ids),
    )
    .execute();
}
