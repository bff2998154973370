import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * Photographs of IDs under review (spec §4). A submission is `incoming` while its image is being stored, so that no
 * image exists without a row. A decided submission keeps its key until the image is deleted. Users with images cannot
 * be deleted; the images must be deleted first.
 */
export const personalInfo: Migration = {
  name: '0007-personal-info',
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table personal_info_submissions (
    id text primary key,
    user_id text not null references users (id),
    object_key text,
    state text not null check (state in ('incoming', 'pending', 'confirmed', 'rejected')),
    submitted_at bigint not null,
    decided_at bigint,
    decided_by text references users (id),
    reason text not null default ''
  )`,
  `create index personal_info_submissions_user on personal_info_submissions (user_id, submitted_at)`,
  `create unique index personal_info_submissions_pending on personal_info_submissions (user_id)
    where state = 'pending'`,
  `create index personal_info_submissions_state on personal_info_submissions (state, submitted_at)`,
  `create table personal_info_views (
    submission_id text not null references personal_info_submissions (id),
    staff_id text not null references users (id),
    viewed_at bigint not null
  )`,
  `create index personal_info_views_submission on personal_info_views (submission_id, viewed_at)`,
];
