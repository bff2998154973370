import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * Lets personal data go. Views of an ID stay on record as long as the submission does, and are deleted with it.
 * Members can delete their accounts: `deletion_requested_at` hides the account, `deleted_at` is set once only a pseudonym
 * is left.
 */
export const retention: Migration = {
  name: '0032-retention',
  async up(db, dialect) {
    const views = dialect === 'sqlite' ? SQLITE_VIEWS : POSTGRES_VIEWS;
    for (const statement of [...views, ...STATEMENTS]) await sql.raw(statement).execute(db);
  },
};

const VIEWED = 'a view of an ID stays on record';
const HAS_SUBMISSION = `exists (select 1 from personal_info_submissions where id = old.submission_id)`;

/** SQLite cannot change a reference: the table is replaced. Dropping it fires no triggers. */
const SQLITE_VIEWS = [
  `create table personal_info_views_next (
    submission_id text not null references personal_info_submissions (id) on delete cascade,
    staff_id text not null references users (id),
    viewed_at bigint not null,
    details_hash text not null default ''
  )`,
  `insert into personal_info_views_next (submission_id, staff_id, viewed_at, details_hash)
    select submission_id, staff_id, viewed_at, details_hash from personal_info_views order by rowid`,
  `drop table personal_info_views`,
  `alter table personal_info_views_next rename to personal_info_views`,
  `create index personal_info_views_submission on personal_info_views (submission_id, viewed_at)`,
  `create trigger personal_info_views_no_update before update on personal_info_views
    when not (new.submission_id = old.submission_id and new.staff_id = old.staff_id
      and new.viewed_at = old.viewed_at) begin
    select raise(abort, '${VIEWED}');
  end`,
  `create trigger personal_info_views_no_delete before delete on personal_info_views when ${HAS_SUBMISSION} begin
    select raise(abort, '${VIEWED}');
  end`,
];

const POSTGRES_VIEWS = [
  `alter table personal_info_views drop constraint personal_info_views_submission_id_fkey`,
  `alter table personal_info_views add constraint personal_info_views_submission_id_fkey
    foreign key (submission_id) references personal_info_submissions (id) on delete cascade`,
  `create function refuse_view_deletion() returns trigger language plpgsql as $$
  begin
    if ${HAS_SUBMISSION} then
      raise exception '${VIEWED}';
    end if;
    return old;
  end $$`,
  `drop trigger personal_info_views_undeleted on personal_info_views`,
  `create trigger personal_info_views_undeleted before delete on personal_info_views
    for each row execute function refuse_view_deletion()`,
];

const STATEMENTS = [
  `create index personal_info_submissions_decided on personal_info_submissions (decided_at)`,
  `create index quality_checks_decided on quality_checks (decided_at)`,
  `alter table users add column deletion_requested_at bigint`,
  `alter table users add column deleted_at bigint`,
  `create index users_deletion on users (deletion_requested_at)
    where deletion_requested_at is not null and deleted_at is null`,
];
